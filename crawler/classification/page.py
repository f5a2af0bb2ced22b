"""A response as the first half of the verdict sees it: status, headers and bytes, no tree."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from crawler.contracts.snapshot import Representation, Snapshot

WINDOW = 64 * 1024
"""Bytes of a body that are looked through: pages put in place of another are small."""

_TITLE = re.compile(rb"<title\b[^>]*>([^<]{0,2000})", re.IGNORECASE)
_UNSEEN = re.compile(
    rb"<(script|style|title|noscript|template|svg)\b.*?(?:</\1\s*>|\Z)"
    rb"|<!--.*?(?:-->|\Z)|<[^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
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
    _memo: dict[str, bytes] = field(init=False, repr=False, compare=False, default_factory=dict)

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
        if "window" not in self._memo:
            self._memo["window"] = _lowered_window(self.body)
        return self._memo["window"]

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


def _lowered_window(body: bytes) -> bytes:
    head = body[:WINDOW]
    if encoding := _UTF16.get(head[:2]):
        head = head[2:].decode(encoding, "replace").encode()
    return head.lower()


def read_title(window: bytes) -> str:
    """Return the first title in a window, lower-case, in one line."""
    found = _TITLE.search(window)
    text = html.unescape(found[1].decode("utf-8", "replace")) if found else ""
    return " ".join(text.split()).lower()


def count_words(window: bytes) -> int:
    """Return roughly how many words of a window a reader would see."""
    return len(_UNSEEN.sub(b" ", window).split())


def has_visible_text(body: bytes) -> bool:
    """False for a page of nothing but tags, scripts and hidden parts; stops at the first word."""
    position = 0
    while True:
        gap = body.find(b"<", position)
        text = body[position : gap if gap >= 0 else len(body)]
        if text.strip():
            return True
        if gap < 0:
            return False
        unseen = _UNSEEN.match(body, gap)
        position = unseen.end() if unseen else gap + 1
