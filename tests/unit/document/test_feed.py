import pytest
from pydantic import JsonValue

from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import Representation
from crawler.document.data import Data, Flaw
from crawler.document.open_data import open_data
from tests.unit.document.pages import make_snapshot

HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


def read(body: str | bytes, url: str = "https://news.example/feed/") -> Data:
    snapshot = make_snapshot(body, url=url, headers=HEADERS, representation=Representation.FEED)
    return open_data(snapshot, Collect())


def rss(item: str, head: str = "") -> str:
    return f'{head}<rss version="2.0"><channel><item>{item}</item></channel></rss>'


def atom(entry: str, attributes: str = "") -> str:
    return f'<feed xmlns="http://www.w3.org/2005/Atom"{attributes}><entry>{entry}</entry></feed>'


def json_feed(item: str) -> str:
    return f'{{"version": "https://jsonfeed.org/version/1.1", "items": [{item}]}}'


def value(body: str, name: str) -> JsonValue:
    (entry,) = read(body).entries
    assert isinstance(entry.node.value, dict)
    return entry.node.value.get(name)


VALUES: dict[str, tuple[str, str, JsonValue]] = {
    "markup in a title": (
        rss("<title>A &lt;b&gt;b&lt;/b&gt; &amp;amp; c</title>"),
        "title",
        "A b & c",
    ),
    "a sign in a title": (rss("<title>1 &lt; 2</title>"), "title", "1 < 2"),
    "no title": (rss("<link>/a</link>"), "title", None),
    "publication is no change": (rss("<pubDate>x</pubDate>"), "updated", None),
    "change is no publication": (atom("<updated>2026-03-04</updated>"), "published", None),
    "text of a date as it stands": (
        rss("<pubDate>Tue, 3 Mar 2026 9:05 EST</pubDate>"),
        "published",
        "Tue, 3 Mar 2026 9:05 EST",
    ),
    "content is no summary": (atom("<content>all</content>"), "summary", None),
    "content beside a summary": (
        atom("<summary>short</summary><content>all</content>"),
        "content",
        "all",
    ),
    "base of a relative link": (
        atom('<link href="b.html"/>', ' xml:base="https://other.example/a/"'),
        "link",
        "https://other.example/a/b.html",
    ),
    "id that is an address": (
        rss("<guid>https://a.example/1</guid>"),
        "link",
        "https://a.example/1",
    ),
    "id that is empty": (rss("<guid></guid>"), "link", None),
    "id that is none": (rss("<guid>17</guid>"), "link", None),
    "several authors": (
        atom("<author><name>A</name></author><author><name>B</name></author>"),
        "authors",
        ["A", "B"],
    ),
    "author behind an address": (
        rss("<author>ann@a.museum (Ann Lee)</author>"),
        "authors",
        ["Ann Lee"],
    ),
    "author before an address": (
        rss("<author>Ann Lee &lt;ann@a.example&gt;</author>"),
        "authors",
        ["Ann Lee"],
    ),
    "picture in an enclosure": (
        rss('<enclosure url="/p.png" type="image/png"/>'),
        "image",
        "/p.png",
    ),
    "sound in an enclosure": (rss('<enclosure url="/p.mp3" type="audio/mpeg"/>'), "image", None),
    "other vocabulary": (
        rss('<ev:startdate xmlns:ev="http://purl.org/rss/1.0/modules/event/">2026</ev:startdate>'),
        "ev_startdate",
        "2026",
    ),
    "JSON feed, publication": (json_feed('{"date_published": "2026-03"}'), "published", "2026-03"),
    "JSON feed, address": (json_feed('{"url": "/a"}'), "link", "/a"),
    "JSON feed, no address": (json_feed('{"id": "https://a.example"}'), "link", None),
    "JSON feed, authors": (json_feed('{"authors": [{"name": "A"}, {}]}'), "authors", ["A"]),
}


@pytest.mark.parametrize(("body", "name", "expected"), VALUES.values(), ids=VALUES)
def test_a_value_is_what_the_entry_says_and_no_other(
    body: str, name: str, expected: JsonValue
) -> None:
    assert value(body, name) == expected


def test_a_title_that_was_markup_is_kept_as_it_stood() -> None:
    data = read(rss("<title>A &lt;b&gt;b&lt;/b&gt;</title>"))

    assert data.raws["entries", 0, "title"] == "A <b>b</b>"


FLAWS = {
    "cut": ('<rss version="2.0"><channel><item><title>a', Flaw.CUT),
    "cut behind an entry": (atom("<id>a</id>").removesuffix("</feed>"), Flaw.CUT),
    "no feed": ("<html></rss></html>", Flaw.BROKEN),
    "entries without an end": (
        '<rss version="2.0"><channel><item><title>a<item><title>b</channel></rss>',
        Flaw.BROKEN,
    ),
    "tags that cross": (
        '<rss version="2.0"><channel><item><link>/a</item></link></channel></rss>',
        Flaw.BROKEN,
    ),
    "JSON that is cut": (json_feed('{"id": "a"')[:-2], Flaw.CUT),
    "JSON without items": ('{"version": "https://jsonfeed.org/version/1"}', Flaw.UNANSWERED),
    "entities in a wide encoding": (
        rss("<title>&a;</title>", '<!DOCTYPE r [<!ENTITY a "x">]>').encode("utf-16"),
        Flaw.BROKEN,
    ),
}


@pytest.mark.parametrize(("body", "flaw"), FLAWS.values(), ids=FLAWS)
def test_a_feed_that_is_not_whole_gives_no_entries(body: str | bytes, flaw: Flaw) -> None:
    data = read(body)

    assert (data.flaw, data.entries) == (flaw, ())
    assert data.problem


@pytest.mark.parametrize(
    "declared",
    [
        f'<!ENTITY a0 "ha">{LAUGHS}<!ENTITY x "&a9;">',
        '<!ENTITY x SYSTEM "file:///etc/hostname">',
        f'<!ENTITY x "{"y" * 10_000}">',
    ],
    ids=["billion laughs", "file", "long"],
)
def test_no_declared_entity_is_expanded(declared: str) -> None:
    title = value(rss("<title>a&x;b</title>", f"<!DOCTYPE r [{declared}]>"), "title")

    assert isinstance(title, str)
    assert len(title) < 10


def test_bytes_that_are_a_path_are_not_opened() -> None:
    assert read(b"/etc/hostname </rss>").flaw is Flaw.BROKEN


def test_a_feed_that_is_called_html_needs_no_mending() -> None:
    assert read(rss("<title>a</title>")).repairs == ()


def test_a_paged_feed_says_where_it_goes_on() -> None:
    body = atom("<id>a</id>").replace("<entry>", '<link rel="next" href="?page=2"/><entry>')

    assert read(body).next_url == "?page=2"
