import pytest

from crawler.classification.transfer import find_truncation
from crawler.contracts.outcome import Kind
from crawler.contracts.snapshot import Representation
from tests.unit.classification.builders import make_page

HTML, FEED = Representation.HTML, Representation.FEED
WHOLE: list[tuple[Representation, bytes]] = [
    (HTML, b"<!doctype html><html><body><p>a</p></body></html>\n"),
    (HTML, b"<html><body><p>a</BODY >"),
    (HTML, b"<html><body><p>a</body></html><!-- served in 3 ms -->"),
    (HTML, b"<!doctype html><title>a</title><p>root and paragraph need no end"),
    (HTML, b"<main><article>a</article></main>"),
    (HTML, b"<p>1 < 2"),
    (HTML, b""),
    (Representation.RENDERED_DOM, b"<html><body>made here"),
    (Representation.SCREENSHOT, b"\x89PNG <a"),
    (HTML, "\ufeff<html><body>half".encode("utf-16-le")),
    (FEED, b"<?xml version='1.0'?><rss><channel></channel></rss>\n"),
    (FEED, b'\xef\xbb\xbf{"version": "https://jsonfeed.org/version/1.1"}'),
    (Representation.JSON, b"[1, 2]\n"),
    (Representation.CALENDAR, b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
]
HALF: list[tuple[Representation, bytes, str]] = [
    (HTML, b"<html><body>half", "no </html>"),
    (HTML, b"<body class=a><main><p>half</p>", "no </body>"),
    (HTML, b'<main><a href="/hal', "ends inside of a tag"),
    (HTML, b"<main><p>a</p></ma", "ends inside of a tag"),
    (FEED, b"<rss><channel><item></item>", "does not end with </rss>"),
    (FEED, b'{"version": "https://jsonfeed.org/version/1.1", "items": [', "does not end with }"),
    (Representation.JSON, b"[{}, {}", "does not end with ]"),
    (Representation.CALENDAR, b"BEGIN:VCALENDAR\r\nEND:VEV", "does not end with END:VCALENDAR"),
]


@pytest.mark.parametrize(("representation", "body"), WHOLE)
def test_a_body_that_shows_its_end_is_whole_even_where_only_the_connection_ended_it(
    representation: Representation, body: bytes
) -> None:
    page = make_page(body, flags=("partial",), representation=representation)
    assert find_truncation(page) is None


@pytest.mark.parametrize(("representation", "body", "missing"), HALF)
def test_a_body_that_only_the_connection_ended_needs_an_end_of_its_own(
    representation: Representation, body: bytes, missing: str
) -> None:
    page = make_page(body, flags=("partial",), representation=representation)
    verdict = find_truncation(page)
    assert verdict is not None
    assert (verdict.kind, verdict.evidence) == (Kind.TRUNCATED, ("partial", missing))


@pytest.mark.parametrize(("representation", "body", "_"), HALF)
def test_a_body_of_the_length_that_was_announced_is_taken_as_it_is(
    representation: Representation, body: bytes, _: str
) -> None:
    assert find_truncation(make_page(body, representation=representation)) is None


def test_a_body_that_is_short_by_leave_of_its_site_is_whole() -> None:
    assert find_truncation(make_page(flags=("short",))) is None
    assert find_truncation(make_page(flags=("dataloss",))) is not None
