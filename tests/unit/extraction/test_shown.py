import pytest

from crawler.document.document import Document
from crawler.extraction.selectors import read_again
from crawler.extraction.shown import find_shown
from tests.unit.document.pages import make_snapshot


def shown(body: str, name: str) -> list[str]:
    document = Document(make_snapshot(body))
    found = find_shown(document, name)
    assert [read_again(match.locator, "", document) for match in found] == [
        match.raw for match in found
    ]
    return [match.raw for match in found]


DAY = "<time datetime=2026-03-04>4 March</time>"


@pytest.mark.parametrize(
    ("name", "body", "values"),
    [
        ("published", f"<article>{DAY}</article>", ["2026-03-04"]),
        ("published", "<time>4 March 2026</time>", ["4 March 2026"]),
        ("published", f"{DAY}<p>Updated <time datetime=2026-05-05>now</time>", ["2026-03-04"]),
        ("modified", f"{DAY}<p>Updated <time datetime=2026-05-05>now</time>", ["2026-05-05"]),
        ("published", f"{DAY}<time class=published datetime=2026-03-03>x</time>", ["2026-03-03"]),
        ("published", "<meta itemprop=datePublished content=2026-03-04>", ["2026-03-04"]),
        ("author", "<a rel=author href=/x>Ann Lee</a>", ["Ann Lee"]),
        ("author", "<p>By <a href=/author/ann-lee/>Ann Lee</a>", ["Ann Lee"]),
        ("price", "<div><h1>Lamp</h1><p class=product-price>€ 19,00</p></div>", ["€ 19,00"]),
        ("price", "<span itemprop=price content=19.00>19</span>", ["19.00"]),
        ("rating", "<span itemprop=ratingValue>4.5</span>", ["4.5"]),
    ],
)
def test_an_element_says_what_it_holds(name: str, body: str, values: list[str]) -> None:
    assert shown(body, name) == values


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("published", f"<footer>{DAY}</footer>"),
        ("published", f"<div class=comments><p>{DAY}</p></div>"),
        ("modified", f"<article>{DAY}</article>"),
        ("author", "<aside><a rel=author href=/x>Ann Lee</a></aside>"),
        ("author", "<a href=/author/ann/>Ann</a> <a href=/author/bob/>Bob</a>"),
        ("author", "<a href=/authors/>All authors</a>"),
        ("price", "<div><h1>Lamp</h1><p class=old-price>€ 25,00</p></div>"),
        ("price", "<div><h1>Lamp</h1><del class=price>€ 25,00</del></div>"),
        ("price", "<div><h1>Lamp</h1><p class=shipping-price>€ 5,00</p></div>"),
        ("price", "<div><h1>Lamp</h1></div><div class=related><p class=price>€ 5,00</p></div>"),
        ("price", "<div><h1>Lamp</h1><p class=price>on request</p></div>"),
    ],
)
def test_what_stands_around_it_says_nothing(name: str, body: str) -> None:
    assert shown(body, name) == []
