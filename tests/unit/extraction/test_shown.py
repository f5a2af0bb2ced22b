import time

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


LAMP = "<h1>Lamp</h1>"
GOOGLE = (
    "https://calendar.google.com/calendar/render?action=TEMPLATE&text=A&dates=20260504T190000Z%2F"
    "20260504T210000Z"
)
OUTLOOK = "https://outlook.live.com/calendar/0/deeplink/compose?startdt=2026-05-04T19:00:00-05:00"
PAIR = "<p><time datetime=2026-05-04T19:00>7</time> to <time datetime=2026-05-04T21:00>9</time></p>"


@pytest.mark.parametrize(
    ("name", "body", "values"),
    [
        ("published", f"<article>{DAY}</article>", ["2026-03-04"]),
        ("published", "<time>4 March 2026</time>", ["4 March 2026"]),
        (
            "published",
            f"{DAY}<p>The vote is on <time datetime=2031-02-01>1 Feb</time>.",
            ["2026-03-04"],
        ),
        (
            "published",
            f"{DAY}<a href=/x>{'Another story ' * 5}<time>5 May 2020</time></a>",
            ["2026-03-04"],
        ),
        ("published", f"<p>By Ann Lee, Staff | <a href=/x>{DAY}</a> | News", ["2026-03-04"]),
        ("published", f"{DAY}<p>Updated <time datetime=2026-05-05>now</time>", ["2026-03-04"]),
        ("modified", f"{DAY}<p>Updated <time datetime=2026-05-05>now</time>", ["2026-05-05"]),
        ("published", f"{DAY}<time class=published datetime=2026-03-03>x</time>", ["2026-03-03"]),
        ("published", "<meta itemprop=datePublished content=2026-03-04>", ["2026-03-04"]),
        (
            "published",
            "<div itemprop=comment itemscope><time datetime=2020-01-01 itemprop=datePublished>",
            [],
        ),
        ("rating", "<div itemprop=review><b itemprop=ratingValue>1</b></div>", []),
        ("author", "<a rel=author href=/x>Ann Lee</a>", ["Ann Lee"]),
        ("author", "<p>By <a href=/author/ann-lee/>Ann Lee</a>", ["Ann Lee"]),
        ("price", "<div><h1>Lamp</h1><p class=product-price>€ 19,00</p></div>", ["€ 19,00"]),
        ("price", "<span itemprop=price content=19.00>19</span>", ["19.00"]),
        ("rating", "<span itemprop=ratingValue>4.5</span>", ["4.5"]),
        (
            "rating",
            f"<div>{LAMP}<i class=stars aria-label='4.5 out of 5'></i></div>",
            ["4.5 out of 5"],
        ),
        (
            "rating",
            f"<div>{LAMP}<p class=product-rating>Rated 4,5 / 5 stars",
            ["Rated 4,5 / 5 stars"],
        ),
        ("review count", f"<div>{LAMP}<a class=reviews>(1,204 reviews)</a>", ["(1,204 reviews)"]),
        ("review count", f"<div>{LAMP}<p class=rating>4.5 (12)</p>", ["4.5 (12)"]),
        (
            "review count",
            f"<title>Lamp - Shop</title><div>{LAMP}<p class=rating>4.5 (12)</p></div><h1>Privacy</h1>",
            ["4.5 (12)"],
        ),
        ("availability", f"<div>{LAMP}<p class='stock in-stock'>In stock</p>", ["In stock"]),
        ("availability", f"<div>{LAMP}<p class=stock>12 in stock</p>", ["12 in stock"]),
        (
            "availability",
            f"<div>{LAMP}<p class=availability>Verfügbarkeit: Auf Lager</p>",
            ["Verfügbarkeit: Auf Lager"],
        ),
        ("starts", f"<a href='{GOOGLE}'>Add to calendar</a>", ["20260504T190000Z"]),
        ("ends", f"<a href='{GOOGLE}'>Add to calendar</a>", ["20260504T210000Z"]),
        ("starts", f"<a href='{OUTLOOK}'>x</a>", ["2026-05-04T19:00:00-05:00"]),
        ("starts", f"<a href='{GOOGLE}'>x</a><a href='{OUTLOOK}'>y</a>", ["20260504T190000Z"]),
        ("ends", "<var class=atc_date_end>2026-05-04 21:00:00</var>", ["2026-05-04 21:00:00"]),
        ("starts", PAIR, ["2026-05-04T19:00"]),
        ("ends", PAIR, ["2026-05-04T21:00"]),
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
        ("author", "".join(f"<a rel=author href=/{n}>Ann {n}</a>" for n in range(7))),
        ("author", "<a rel=author href=/x>Read more</a>"),
        ("author", "<a rel=author href=/x>250 posts by Ann</a>"),
        ("rating", f"<div>{LAMP}</div><div class=related><i class=stars>4.5 out of 5</i></div>"),
        ("rating", f"<div>{LAMP}<p class=rating>4 of 10 customers</p></div>"),
        ("rating", "<i class=stars>4.5 out of 5</i>"),
        ("review count", f"<div>{LAMP}<p class=reviews>All 12 reviews of this seller</p></div>"),
        ("availability", f"<div>{LAMP}<p class=stock>Check stores near you</p></div>"),
        ("availability", f"<div>{LAMP}<p>In stock</p></div>"),
        ("starts", "<a href='https://evil.example/?dates=20260504T190000/x'>x</a>"),
        (
            "starts",
            "<a href='https://calendar.google.com/calendar/render?dates=20260504/20260505'>x",
        ),
        ("ends", "<a href='https://calendar.google.com/calendar/render?dates=20260504T190000'>x"),
        ("starts", PAIR + PAIR),
        ("starts", f"<div>{DAY}</div><section><p><time datetime=2026-03-05>5</time></section>"),
        ("ends", "<p>Updated <time datetime=2026-03-04>4</time><time datetime=2026-03-05>5</time>"),
    ],
)
def test_what_stands_around_it_says_nothing(name: str, body: str) -> None:
    assert shown(body, name) == []


@pytest.mark.parametrize("around", ["<table><td>", "<ul><li>", "<a href=/b>"])
def test_a_page_laid_out_in_one_cell_is_read_once_and_not_for_each_of_its_times(
    around: str,
) -> None:
    page = f"{around}{f'{DAY} and more words ' * 5_000}"
    started = time.process_time()

    assert shown(page, "published") == []

    assert time.process_time() - started < 2.0
