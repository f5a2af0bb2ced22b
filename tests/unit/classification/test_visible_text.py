"""Words as a reader would count them, at a bounded cost."""

import time

import pytest

from crawler.classification.page import FetchedPage
from crawler.classification.visible_text import MANY, count_words, has_visible_text, read_words
from tests.unit.classification.builders import ARTICLE, make_page


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (b"<p>One two</p> three", [b"One", b"two", b"three"]),
        (b"<SCRIPT>if (a < b) { c() }</SCRIPT>one", [b"one"]),
        (b"<style>p > a {}</style><title>T</title>one", [b"one"]),
        (b"<!-- a <b> -- c -->one", [b"one"]),
        (b"<noscript>Enable <b>it</b></noscript>one", [b"one"]),
        (b"<svg><text>x</text></svg>one", [b"one"]),
        (b"<scripture>one</scripture>", [b"one"]),
        (b"<script>never closed", []),
        (b"a < b", [b"a"]),
        (b"", []),
    ],
)
def test_only_what_is_seen_is_read(markup: bytes, words: list[bytes]) -> None:
    assert read_words(markup, 100) == words


def test_the_reading_stops_soon_after_enough_words() -> None:
    markup = b"<p>word</p>" * 10_000
    assert 50 < len(read_words(markup, 50)) < 200


def test_words_without_spaces_count_too() -> None:
    assert count_words("会議は火曜日に開かれた。".encode() * 20) > 40


@pytest.mark.parametrize(
    ("page", "is_slight"),
    [
        (make_page("<p>Hello</p>"), True),
        (make_page(b""), True),
        (make_page(ARTICLE), False),
        (make_page("<script>" + "x" * 40_000 + "</script>" + "<i>word</i> " * 150), False),
        (make_page("<i>word</i> " * 150), True),
        (make_page("<script>" + "x" * 300_000 + "</script>"), False),
    ],
    ids=["notice", "empty", "article", "big page", "small page", "unread to its end"],
)
def test_a_page_with_little_to_read_is_slight(page: FetchedPage, *, is_slight: bool) -> None:
    assert page.is_slight is is_slight
    assert (page.word_count < MANY) is is_slight


HOSTILE = [
    b"<" * 200_000, b"<script " * 50_000, b"<!--" * 50_000, b"<script><" * 50_000, b"-" * 300_000,
    b"<!" + b"-" * 300_000, b"<svg></script " * 30_000, b"<h1><h2 " * 40_000, b"<title>" * 40_000,
]  # fmt: skip


@pytest.mark.parametrize("markup", HOSTILE, ids=lambda markup: markup[:12].decode())
def test_hostile_markup_costs_little(markup: bytes) -> None:
    page = make_page(markup, 403)
    started = time.process_time()
    has_visible_text(markup)
    assert page.text is not None
    assert page.headlines is not None
    assert time.process_time() - started < 1.0
