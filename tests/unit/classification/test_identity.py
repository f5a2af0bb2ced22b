import time
from dataclasses import replace

import pytest

from crawler.classification.identity import find_wrong_document, fits, read_part
from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.site.access import Identity, UrlPart
from crawler.contracts.snapshot import Hop
from crawler.document.document import Document
from tests.unit.classification.builders import make_snapshot

URL = "https://www.example.com/item?id=5"
CANONICAL = Identity(canonical=True)


@pytest.mark.parametrize(
    ("link", "is_right"),
    [
        (URL, True),
        ("http://example.com/item?id=5", True),
        ("https://www.example.com/item/?id=5#top", True),
        ("/item?utm_source=x&id=5", True),
        ("/item?id=6", False),
        ("/item", False),
        ("/login", False),
        ("https://other.example/item?id=5", False),
    ],
)
def test_the_canonical_link_must_name_the_page(link: str, is_right: bool) -> None:
    snapshot = make_snapshot(f'<link rel="canonical" href="{link}"><p>a', URL)
    verdict = find_wrong_document(Document(snapshot), snapshot, CANONICAL)
    assert (verdict is None) is is_right


def test_a_page_without_a_canonical_link_passes() -> None:
    snapshot = make_snapshot()
    assert find_wrong_document(Document(snapshot), snapshot, CANONICAL) is None


def test_a_redirect_target_may_name_itself() -> None:
    snapshot = make_snapshot('<link rel=canonical href="/new"><p>a', URL, "https://example.com/new")
    assert find_wrong_document(Document(snapshot), snapshot, CANONICAL) is None


def test_the_selector_must_match() -> None:
    snapshot = make_snapshot("<h1 class=programme>Programme</h1>")
    document = Document(snapshot)
    assert find_wrong_document(document, snapshot, Identity(selector="h1.programme")) is None
    verdict = find_wrong_document(document, snapshot, Identity(selector="h1.other"))
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.WRONG_DOCUMENT, Reason.WRONG_DOCUMENT)
    assert "h1.other" in verdict.evidence[0]


def test_nothing_declared_means_nothing_wrong() -> None:
    snapshot = make_snapshot('<link rel="canonical" href="/other">')
    assert find_wrong_document(Document(snapshot), snapshot, Identity()) is None


DETAIL = "https://example.com/events/5"
WAYS: dict[str, tuple[str, tuple[int, ...], bool]] = {
    "renamed": ("/happenings/five", (301,), True),
    "renamed for the moment": ("/happenings/five", (302,), True),
    "more of the same address": ("/events/5/blue-train", (302,), True),
    "a session and back": ("/events/5", (302, 302), True),
    "the section took over for good": ("/events", (301,), True),
    "back to the section": ("/events/", (302,), False),
    "to the home page": ("/", (301,), False),
    "to the home page of a language": ("/de-at/", (302,), False),
    "to the home page by its file": ("/index.php", (301, 301), False),
    "late, by a script": ("/offers", (200,), False),
    "late, after a status": ("/offers", (302, 200), False),
}


@pytest.mark.parametrize(("final", "statuses", "is_right"), WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("says_its_name", [True, False])
def test_where_a_redirect_leads_may_not_be_another_page(
    final: str, statuses: tuple[int, ...], is_right: bool, says_its_name: bool
) -> None:
    link = f'<link rel=canonical href="{final}">' if says_its_name else ""
    snapshot = make_snapshot(f"{link}<p>a", DETAIL, f"https://example.com{final}")
    snapshot = replace(snapshot, redirects=tuple(Hop(DETAIL, status) for status in statuses))
    assert (find_wrong_document(Document(snapshot), snapshot, CANONICAL) is None) is is_right


@pytest.mark.parametrize("home", ["/", "/en/", "/index.html"])
def test_a_home_page_that_was_asked_for_may_be_found_at_another(home: str) -> None:
    snapshot = make_snapshot("<p>a", "https://example.com/index.html", f"https://example.com{home}")
    assert find_wrong_document(Document(snapshot), snapshot, CANONICAL) is None


def test_a_late_redirect_to_a_page_that_names_what_was_asked_for_is_right() -> None:
    snapshot = make_snapshot(f'<link rel=canonical href="{DETAIL}">', DETAIL, DETAIL + "?ready=1")
    snapshot = replace(snapshot, redirects=(Hop(DETAIL, 200),))
    assert find_wrong_document(Document(snapshot), snapshot, CANONICAL) is None


TITLES = [
    ("Blue Train | Garden Jazz", "* | Garden Jazz", True),
    ("Blue  Train\n| GARDEN jazz", "* | Garden Jazz", True),
    ("Blue Train", "Blue Train", True),
    ("Programme: Blue Train, live", "Programme*Train*", True),
    ("a-b", "a*b", True),
    ("Garden Jazz", "* | Garden Jazz", False),
    ("Blue Train | Garden Jazz | Log in", "* | Garden Jazz", False),
    ("Blue Train live", "Blue Train", False),
    ("aba", "aba*aba", False),
    ("", "Blue Train", False),
]


@pytest.mark.parametrize(("title", "pattern", "is_right"), TITLES)
def test_the_title_must_fit(title: str, pattern: str, is_right: bool) -> None:
    snapshot = make_snapshot(f"<title>{title}</title><p>a")
    verdict = find_wrong_document(Document(snapshot), snapshot, Identity(title=pattern))
    assert (verdict is None) is is_right
    assert verdict is None or pattern in verdict.evidence[0]


def test_no_pattern_takes_longer_than_its_title_is_long() -> None:
    started = time.process_time()
    assert not fits("a" * 100_000, "a*" * 249 + "b")
    assert time.process_time() - started < 0.5


PARTS = [
    ("https://example.com/shop/blue-train-5.html?x=1", "last_segment", "blue-train-5"),
    ("https://example.com/shop/5/", "last_segment", "5"),
    ("https://example.com/shop/v1.2/", "last_segment", "v1.2"),
    ("https://example.com/shop/caf%C3%A9", "path", "shop/café"),
    ("https://example.com/shop/5/reviews", "segment:2", "5"),
    ("https://example.com/shop", "segment:2", ""),
    ("https://example.com/item?id=5&id=6", "query:id", "6"),
    ("https://example.com/item", "query:id", ""),
    ("https://example.com/", "last_segment", ""),
]


@pytest.mark.parametrize(("url", "part", "expected"), PARTS)
def test_a_part_of_a_url_is_named(url: str, part: str, expected: str) -> None:
    assert read_part(url, part) == expected


REPEATED = [
    ("<b class=no>No. 5</b>", UrlPart(part="query:id", selector="b.no"), True),
    ("<b class=no>No. 15</b>", UrlPart(part="query:id", selector="b.no"), False),
    ("<b class=no>7</b><b class=no>5</b>", UrlPart(part="query:id", selector="b"), True),
    ("<p>5", UrlPart(part="query:id", selector="b"), False),
    ("<b data-id=5>x", UrlPart(part="query:id", selector="b", attribute="data-id"), True),
    ("<b data-id=6>5", UrlPart(part="query:id", selector="b", attribute="data-id"), False),
    ("<b>5", UrlPart(part="query:id", selector="b", attribute="data-id"), False),
    ("<h1>The Item</h1>", UrlPart(part="last_segment", selector="h1"), True),
    ("<b>x", UrlPart(part="query:page", selector="b"), True),
]


@pytest.mark.parametrize(("html", "rule", "is_right"), REPEATED)
def test_an_element_must_repeat_the_part_of_the_url(
    html: str, rule: UrlPart, is_right: bool
) -> None:
    snapshot = make_snapshot(html, URL, "https://www.example.com/item?id=15")
    verdict = find_wrong_document(Document(snapshot), snapshot, Identity(url_part=rule))
    assert (verdict is None) is is_right
    assert verdict is None or verdict.reason is Reason.WRONG_DOCUMENT


def test_a_part_in_a_script_without_spaces_is_found_inside_of_words() -> None:
    snapshot = make_snapshot("<h1>在东京的活动</h1>", "https://example.com/%E4%B8%9C%E4%BA%AC")
    identity = Identity(url_part=UrlPart(part="last_segment", selector="h1"))
    assert find_wrong_document(Document(snapshot), snapshot, identity) is None
