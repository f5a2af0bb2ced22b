"""A response as the first half of the verdict sees it: status, headers and bytes, no tree."""
# ruff: noqa: RUF001 - letters and signs that look like Latin ones are meant

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from crawler.classification.visible_text import (
    MANY,
    SCANNED,
    most_words_of_slight,
    read_words,
    weigh_words,
)
from crawler.contracts.snapshot import Representation, Snapshot
from crawler.document.encoding import decide_encoding, decode_part

T = TypeVar("T")

WINDOW = 64 * 1024
"""Bytes of a body that are looked through: pages put in place of another are small."""

_HEADING = re.compile(
    rb"<(title|h[12])\b[^>]*>([^<]*(?:<(?!/?(?:title|h[12])\b)[^<]*)*)", re.IGNORECASE
)
_TAG = re.compile(r"<[^>]*>?")
_SEPARATOR = re.compile(r"\s+[|·•:»«—–/-]+\s+|\s*[|»—]\s*|:\s+")
MOST_HEADINGS = 4
LONGEST_HEADING = 400
MOST_WORDS = 400
MOST_TEXT = 8 * 1024
"""Words and bytes that are looked through for what a page says."""
_EDGES = " .!?…,:;()[]-"
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One response. ``body`` is content-decoded; headers are pairs in the order received."""

    url: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    flags: tuple[str, ...] = ()
    """``truncated``, ``dataloss``, ``partial``, ``too_large``, as the transport reported them."""
    representation: Representation = Representation.HTML
    _first: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _memo: dict[str | bytes, Any] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        first: dict[str, str] = {}
        for name, value in self.headers:
            first.setdefault(name.lower(), value)
        object.__setattr__(self, "_first", first)

    def header(self, name: str) -> str:
        """Return the first value of a header, empty without one; *name* in lower case."""
        return self._first.get(name, "")

    @property
    def window(self) -> bytes:
        """The beginning of the body in lower case, in an encoding whose ASCII can be searched."""
        return self._once("window", lambda page: page._readable[:WINDOW].lower())

    @property
    def is_slight(self) -> bool:
        """There is little to read: a notice, a form or a shell rather than a document."""
        return self.word_count <= most_words_of_slight(len(self.body))

    @property
    def word_count(self) -> int:
        """Roughly how many words a reader sees; ``MANY`` for any number that is not slight."""
        return self._once("word count", _count_words)

    @property
    def text(self) -> str:
        """The first words a reader sees, and below them the headlines; lower-case."""
        return self._once("text", _read_text)

    @property
    def headlines(self) -> tuple[str, ...]:
        """The title, the first headings, and parts of the title; lower-case, each in one line."""
        return self._once("headlines", _read_headlines)

    @property
    def _words(self) -> list[bytes]:
        """The words a reader sees, all of them where the page is slight."""
        return self._once(
            "words",
            lambda page: read_words(page._readable[:SCANNED], most_words_of_slight(len(page.body))),
        )

    @property
    def _readable(self) -> bytes:
        """The body, in an encoding whose ASCII can be searched."""
        return self._once("readable", _make_readable)

    def _once(self, name: str | bytes, make: "Callable[[FetchedPage], T]") -> T:
        if name not in self._memo:
            self._memo[name] = make(self)
        value: T = self._memo[name]
        return value

    def holds(self, gate: bytes) -> bool:
        """Whether the window holds a byte string; looked for once, however often it is asked."""
        return self._once(gate, lambda page: gate in page.window)

    def has_header(self, name: str) -> bool:
        return name in self._first


def page_of(snapshot: Snapshot) -> FetchedPage:
    """Return the response that a snapshot holds, to be judged again."""
    return FetchedPage(
        snapshot.final_url,
        snapshot.status,
        snapshot.headers,
        snapshot.body,
        snapshot.flags,
        snapshot.representation,
    )


def _make_readable(page: FetchedPage) -> bytes:
    encoding = _UTF16.get(page.body[:2])
    if encoding is None:
        return page.body
    return page.body[2 : 2 * WINDOW].decode(encoding, "replace").encode()


def _count_words(page: FetchedPage) -> int:
    count = weigh_words(page._words)
    is_whole = len(page.body) <= SCANNED and count <= most_words_of_slight(len(page.body))
    return count if is_whole else MANY


def _read_text(page: FetchedPage) -> str:
    words = _plain(page, b" ".join(page._words[:MOST_WORDS])[:MOST_TEXT])
    return "\n".join((words, *page.headlines))


def _read_headlines(page: FetchedPage) -> tuple[str, ...]:
    found = _HEADING.finditer(page._readable, 0, WINDOW)
    texts = [
        (tag[1], _plain(page, tag[2][:LONGEST_HEADING])) for tag in islice(found, MOST_HEADINGS)
    ]
    wholes = [text for _, text in texts]
    parts = [
        part for name, text in texts if name.lower() == b"title" for part in _SEPARATOR.split(text)
    ]
    return tuple(dict.fromkeys(text.strip(_EDGES) for text in (*wholes, *parts) if text))


def _plain(page: FetchedPage, markup: bytes) -> str:
    """Return a piece of the page as text. An undeclared encoding is worth a guess only when the
    piece is no UTF-8.
    """
    try:
        text = markup.decode()
    except UnicodeDecodeError:
        text = decode_part(markup, decide_encoding(page.body[:WINDOW], page.headers))
    text = html.unescape(_TAG.sub(" ", text)).replace("\u2019", "'")
    return " ".join(text.split()).lower()
