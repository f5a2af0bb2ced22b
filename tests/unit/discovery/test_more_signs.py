import pytest

from crawler.discovery.more_signs import find_more_sign
from crawler.discovery.more_words import LOAD_MORE
from crawler.document.document import Document
from tests.unit.document.pages import make_snapshot

HERE = "https://example.com/events"
PAGED = "https://example.com/events?page=2"


def sign(source: str, url: str = HERE) -> str | None:
    found = find_more_sign(Document(make_snapshot(f"<body>{source}</body>", url=url)))
    return None if found is None else str(found)


def pager(*inside: str, kind: str = "pagination") -> str:
    return f"<ul class={kind}>{''.join(f'<li>{each}</li>' for each in inside)}</ul>"


def links(*numbers: int) -> tuple[str, ...]:
    return tuple(f'<a href="?page={number}">{number}</a>' for number in numbers)


MARKED = '<a class=active href="?page=2">2</a>'
SHOWN = {
    "numbered links": ("<span>1</span> " + " ".join(links(2, 3)), HERE),
    "numbered links from a page in the middle": (" ".join(links(1, 2, 3)), PAGED),
    "a link to more of the same": ('<a href="?offset=20">More results</a>', HERE),
    "a link to the next one": ('<a href="/events/page/2/">Next \u00bb</a>', HERE),
    "buttons with numbers": (pager("<b>1</b>", "<button>2</button>", "<button>3</button>"), HERE),
    "links without an address": (pager("<span>1</span>", '<a href="#">2</a>'), HERE),
    "a marked page among buttons": (
        pager("<button>1</button>", "<button aria-current=page>2</button>", "<button>3</button>"),
        PAGED,
    ),
    "a marked item": (
        "<ul class=pager><li><a>1</a><li class=active><a>2</a><li><a>3</a></ul>",
        "https://example.com/events/2026",
    ),
    "a range of all": ("<p>Showing <b>1</b>\u2013<b>20</b> of <b>340</b> results</p>", HERE),
    "a range in the middle": ("<p>21 - 40 von 1.340</p>", PAGED),
    "a range in French": ("<p>1 \u00e0 20 sur 75 r\u00e9sultats</p>", HERE),
    "a range of a thousand": ("<p>1-20 of 1,024</p>", HERE),
    "a page of pages": ("<div>Page 1 of 12</div>", HERE),
    "a page of pages in German": ("<div>Seite 2 von 3</div>", HERE),
    "a page of pages with a stroke": ("<div>P\u00e1gina 1/4</div>", HERE),
    "a page of pages in Russian": ("<div>\u0421\u0442\u0440. 1 \u0438\u0437 5</div>", HERE),
    "a page of pages in Japanese": ("<div>1/12\u30da\u30fc\u30b8</div>", HERE),
    "a page of pages in Chinese": ("<div>\u7b2c1\u9875 / \u517112\u9875</div>", HERE),
    "a button": ("<button class=x>Load more</button>", HERE),
    "a button with a sign": ("<div role=button><span>Mehr laden \u2193</span></div>", HERE),
    "a button by its label": ('<button aria-label="Load more events"><svg/></button>', HERE),
    "a link that scripts use": ('<a href="javascript:void(0)">Cargar m\u00e1s</a>', HERE),
    "a button of a form": ("<input type=submit value='Charger plus'>", HERE),
}
NOT_SHOWN = {
    "nothing": ("<p>Programme</p>", HERE),
    "the last numbered page": (" ".join(links(1)) + " <span>2</span>", PAGED),
    "the last page among buttons": (
        pager("<button>1</button>", "<button aria-current=page>2</button>"),
        PAGED,
    ),
    "the last page marked": (
        pager("<a href='#'>1</a>", MARKED),
        "https://example.com/events/2026",
    ),
    "a page of one": (pager("<b>1</b>"), HERE),
    "a page whose number nobody knows": (
        pager("<a href='#'>1</a>", "<a href='#'>2</a>"),
        "https://example.com/events?s=8f2",
    ),
    "slides": (pager("<b>1</b>", "<button>2</button>", kind="swiper-pagination"), HERE),
    "years": ('<a href="/events/2025">2025</a> <a href="/events/2026">2026</a>', HERE),
    "items with a number for a name": ('<a href="/2">2</a> <a href="/3">3</a>', PAGED),
    "days of a month": (
        " ".join(f'<a href="/on/{day}">{day}</a>' for day in range(1, 32)),
        HERE,
    ),
    "the next month": ('<a href="?month=2026-09">Next</a>', HERE),
    "the next article": ('<a href="/news/opening">Next</a>', HERE),
    "agendas by number": (
        '<a href="/files/agenda-1.pdf">1</a> <a href="/files/a-2.pdf">2</a>',
        HERE,
    ),
    "parts of comments": (
        "<div class='comments-pagination'><b class=current>1</b><a href='#c2'>2</a></div>",
        HERE,
    ),
    "parts of reviews": (
        "<div class='reviews'><p class='pagination'><b>1</b><a href='?r=2'>2</a></p></div>",
        HERE,
    ),
    "a link to more comments": (
        "<div id=comments><a class=next href='?page=2'>Next</a></div>",
        HERE,
    ),
    "parts of what stands beside it": (
        "<aside><p class=pagination><b class=current>1</b><a href='?page=2'>2</a></p></aside>",
        HERE,
    ),
    "a double issue": ("<p>Numer 1-2 z 2024</p>", HERE),
    "the last range": ("<p>Showing 321-340 of 340 results</p>", PAGED),
    "the only range": ("<p>1-20 of 20</p>", HERE),
    "a range of days": ("<p>10-12 de 2026</p>", HERE),
    "a range of months": ("<p>10-12/2026</p>", HERE),
    "hours of a day": ("<p>9-17 of 24 hours</p>", HERE),
    "a score": ("<p>4 of 5 stars</p>", HERE),
    "a season": ("<p>Season 1 of 3</p>", HERE),
    "the last page of pages": ("<div>Page 12 of 12</div>", HERE),
    "the only page of pages": ("<div>Seite 1/1</div>", HERE),
    "a page in a sentence": (f"<p>{'On page 1 of 12 we said so. ' * 8}</p>", HERE),
    "more of a text": ("<button>Show more</button><button>Read more</button>", HERE),
    "more filters": ("<button>More</button><button>Mehr anzeigen</button>", HERE),
    "a link to all events": ('<a href="/calendar">Load more events</a>', HERE),
    "a button that is off": ("<button disabled>Load more</button>", HERE),
    "a button that is hidden": (
        "<div style='display: none'><button>Load more</button></div>",
        HERE,
    ),
    "a button of what is beside": ("<aside><button>Load more</button></aside>", HERE),
    "a script": ("<script>let t = 'Page 1 of 12'</script>", HERE),
}


@pytest.mark.parametrize(("source", "url"), SHOWN.values(), ids=SHOWN)
def test_what_shows_that_there_is_more(source: str, url: str) -> None:
    assert sign(source, url) is not None


@pytest.mark.parametrize(("source", "url"), NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_what_does_not(source: str, url: str) -> None:
    assert sign(source, url) is None


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("<p>1-20 of 340</p>", "text '1-20 of 340'"),
        ("<button>Load more</button>", "button 'load more'"),
        (pager("<b>1</b>", "<button>2</button>"), "pager with pages up to 2"),
        ('<a href="?page=2">2</a>', "link to https://example.com/events?page=2"),
    ],
)
def test_a_person_is_told_what_it_was(source: str, told: str) -> None:
    assert sign(source) == told


@pytest.mark.parametrize("words", sorted(LOAD_MORE))
def test_words_are_as_they_are_compared(words: str) -> None:
    assert words == " ".join(words.lower().split())
