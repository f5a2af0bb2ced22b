import pytest

from crawler.sites.stability import Stability, is_generated, most_stable, rank_selector

GENERATED = [
    "css-1x2y3z",
    "css-1dbjc4n-Title",
    "sc-bdVaJa",
    "sc-1a2b3c-0",
    "jss123",
    "makeStyles-root-12",
    "svelte-1x2y3z4",
    "Component__abc12",
    "Title_title__a1B2c",
    "_title_1x2y3_5",
    "elementor-element-3f9a2b1",
    "ng-tns-c12-3",
    "ember1234",
    "a1b2c3d4",
]
NAMED = [
    "col-md-6",
    "h1-title",
    "a1b2",
    "css-grid",
    "sc-header",
    "post__title",
    "list__item2",
    "card__body--large",
    "entry-title",
    "mt-4",
    "jssor",
    "svelte-card",
    "product-price",
    "postTitle",
    "level2",
    "mp3-player",
    "section-2024",
    "elementor-widget",
    "ember-view",
    "nav",
]


@pytest.mark.parametrize("name", GENERATED)
def test_a_name_that_a_build_tool_made_up_is_known(name: str) -> None:
    assert is_generated(name)


@pytest.mark.parametrize("name", NAMED)
def test_a_name_that_someone_chose_is_left_alone(name: str) -> None:
    assert not is_generated(name)


@pytest.mark.parametrize(
    ("selector", "rank"),
    [
        ('[data-testid="price"]', Stability.TEST_ATTRIBUTE),
        ("#price", Stability.ID),
        ("main h1::text", Stability.ELEMENT),
        ('[itemprop="price"]::attr(content)', Stability.PROPERTY),
        (".product-price", Stability.CLASS),
        (".product-price span:nth-child(2)", Stability.LAYOUT),
        ("div.col-md-6", Stability.LAYOUT),
        (".product-price .css-1x2y3z", Stability.GENERATED),
        ('[class*="Price__abc12"]', Stability.GENERATED),
        ('a[href*=".css-1x2y3z"]', Stability.PROPERTY),
    ],
)
def test_the_weakest_part_of_a_selector_counts(selector: str, rank: Stability) -> None:
    assert rank_selector(selector) is rank


def test_selectors_are_ordered_by_how_long_they_hold() -> None:
    assert most_stable([".css-1x2y3z", "h1", ".title", "#t", "[data-testid=t]"]) == [
        "[data-testid=t]",
        "#t",
        "h1",
        ".title",
        ".css-1x2y3z",
    ]
