import pytest

from crawler.document.document import Document
from crawler.extraction.bylines import find_byline
from tests.unit.document.pages import make_snapshot


def find(body: str) -> list[str]:
    return [match.raw for match in find_byline(Document(make_snapshot(body)))]


@pytest.mark.parametrize(
    ("body", "byline"),
    [
        ('<p class="byline">By Ada Lovelace</p>', "By Ada Lovelace"),
        (
            '<p class="story-meta__authors">By <span><a>ADA LOVELACE</a></span></p>',
            "By ADA LOVELACE",
        ),
        ('<div class="article__author">Par <span>AFP</span></div>', "Par AFP"),
        ('<span class="articleByline__name">Ada de la Torre</span>', "Ada de la Torre"),
        ('<div class="author">von Max M\u00fcller</div>', "von Max M\u00fcller"),
    ],
)
def test_a_byline_is_a_short_line_that_its_element_is_named_after(body: str, byline: str) -> None:
    assert find(f"<h1>A</h1>{body}") == [byline]


def test_bylines_that_name_one_person_are_all_found() -> None:
    found = find('<p class="byline">By Ada Lovelace</p><b class="author-name">Ada Lovelace</b>')

    assert found == ["By Ada Lovelace", "Ada Lovelace"]


@pytest.mark.parametrize(
    "body",
    [
        '<p class="byline">By the time we came</p>',
        '<p class="byline">By Ada Lovelace, who has written for us since 1840</p>',
        '<p class="author">Ada Lovelace</p>',
        '<p class="author-name">All Authors 12</p>',
        '<p class="text">By Ada Lovelace</p>',
        '<aside><p class="byline">By Ada Lovelace</p></aside>',
        '<ul class="related"><li class="byline">By Ada Lovelace</ul>',
        '<p class="byline">By Ada Lovelace</p><p class="byline">By Grace Hopper</p>',
    ],
)
def test_what_may_be_something_else_is_no_byline(body: str) -> None:
    assert find(f"<h1>A</h1>{body}") == []
