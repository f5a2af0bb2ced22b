"""Sitemaps (sitemaps.org 0.9): XML, addresses in lines of text, feeds, and robots files that name
sitemaps; packed as gzip files or not.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from crawler.contracts.snapshot import Snapshot
from crawler.document.data import Flaw
from crawler.document.encoding import decide_encoding, decode
from crawler.document.feed import read_feed
from crawler.document.sniff import is_written_as, starts_as_xml_feed
from crawler.document.unpacking import Unpacked, is_packed, unpack
from crawler.document.url import ROBOTS_PATH

MAX_ENTRIES = 50_000
MAX_BYTES = 50 * 2**20
"""Of a sitemap, unpacked; both limits are those of sitemaps.org."""
MAX_ELEMENTS = 1_000_000
"""Twenty for each of so many entries; one of the size allowed could hold ten million."""
MAX_LOOSE = 1_000_000
MAX_LAYERS = 2
"""A file that is packed already is packed once more by servers that pack whatever they send."""
PIECE = 1 << 16

_NAMED = r"(?:[\w.-]+:)?(?:urlset|sitemapindex)"
_END = re.compile(rf"</{_NAMED}\s*>|<{_NAMED}\b[^<>]*/>", re.IGNORECASE)
_LOOSE = re.compile(
    r"(<!\[CDATA\[(?:.*?\]\]>|.*\Z))|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});)",
    re.IGNORECASE | re.DOTALL,
)
"""An ampersand that begins no entity of XML itself, which is one of an address; CDATA has others."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SITEMAP_LINE = re.compile(r"[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """One entry: an address as it is written there, and what is said of it."""

    url: str
    """Empty where the entry names none."""
    is_sitemap: bool = False
    modified: str = ""
    """The text of ``lastmod``."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What could be read of a sitemap, or the problem that kept it from being read."""

    places: tuple[Place, ...] = ()
    total: int = 0
    """Entries there are: ``places`` holds the first ``MAX_ENTRIES``."""
    is_whole: bool = True
    """False when it was given up before the end; a repair may say why."""
    repairs: tuple[str, ...] = ()
    flaw: Flaw | None = None
    problem: str = ""


def read_sitemap(snapshot: Snapshot) -> Sitemap:
    """Return the entries in the order of the source."""
    unpacked = _unpack_layers(snapshot.body)
    if unpacked.flaw is not None:
        return Sitemap(flaw=unpacked.flaw, problem=unpacked.problem)
    body = unpacked.body
    if is_packed(body) or not is_written_as(snapshot.representation, body):
        return Sitemap(flaw=Flaw.FOREIGN, problem="no sitemap in the gzip file")
    if starts_as_xml_feed(body):
        return _read_feed(replace(snapshot, body=body))
    text = _read_text(body, snapshot).lstrip("\ufeff \t\r\n")
    if text.startswith("<"):
        return _read_xml(text)
    is_robots = urlsplit(snapshot.requested_url).path == ROBOTS_PATH
    return _read_lines(_robots_places(text) if is_robots else _text_places(text))


def _unpack_layers(body: bytes) -> Unpacked:
    if len(body) > MAX_BYTES:
        return Unpacked(flaw=Flaw.TOO_LARGE, problem=f"more than {MAX_BYTES} bytes")
    unpacked = Unpacked(body)
    for _ in range(MAX_LAYERS):
        if unpacked.flaw is None and is_packed(unpacked.body):
            unpacked = unpack(unpacked.body, MAX_BYTES)
    return unpacked


def _read_text(body: bytes, snapshot: Snapshot) -> str:
    """Sitemaps are UTF-8, whatever they or the server say; only what is not is looked into."""
    if b"\0" not in body:
        try:
            return body.decode()
        except UnicodeDecodeError:
            pass
    return decode(body, decide_encoding(body, snapshot.headers))


def _read_feed(snapshot: Snapshot) -> Sitemap:
    data = read_feed(snapshot)
    if data.flaw is not None:
        return Sitemap(flaw=data.flaw, problem=data.problem)
    views = [entry.node.value for entry in data.entries]
    places = tuple(
        Place(str(view.get("link") or ""), modified=str(view.get("updated") or ""))
        for view in views
        if isinstance(view, dict)
    )
    return Sitemap(places, len(places), repairs=data.repairs)


def _read_lines(found: Iterator[Place]) -> Sitemap:
    places = tuple(islice(found, MAX_ENTRIES))
    return Sitemap(places, len(places) + sum(1 for _ in found))


def _text_places(text: str) -> Iterator[Place]:
    return (Place(line.strip()) for line in text.splitlines() if line.strip())


def _robots_places(text: str) -> Iterator[Place]:
    lines = map(_SITEMAP_LINE.match, text.splitlines())
    return (Place(line[1], is_sitemap=True) for line in lines if line)


def _read_xml(text: str) -> Sitemap:
    if not _END.search(text):
        return Sitemap(flaw=Flaw.CUT, problem="the sitemap has no end")
    tidied, repairs = _tidy(text)
    if tidied is None:
        return Sitemap(
            flaw=Flaw.TOO_LARGE, problem=f"more than {MAX_LOOSE} ampersands and CDATA sections"
        )
    source = tidied.encode("utf-8", "replace")
    try:
        found = _parse(source, recover=False)
        return replace(found, repairs=(*repairs, *found.repairs))
    except etree.XMLSyntaxError as error:
        mended = f"mended: {' '.join(str(error).split())[:200]}"
    found = _parse(source, recover=True)
    return replace(found, repairs=(*repairs, mended, *found.repairs))


def _tidy(text: str) -> tuple[str | None, tuple[str, ...]]:
    """Return XML in which only XML's own entities are referred to, and what was done to it.

    None in its place for more work than any sitemap is worth. So no entity that the document declares is ever used, and an address keeps what a parser that
    recovers would leave out of it.
    """
    tidied, ampersands = _escape_loose(text)
    if tidied is None:
        return None, ()
    tidied, controls = _CONTROL.subn("\ufffd", tidied)
    notes = ((ampersands, "ampersands written out"), (controls, "control characters"))
    return tidied, tuple(f"{count} {what}" for count, what in notes if count)


def _escape_loose(text: str) -> tuple[str | None, int]:
    """Return None in its place where there is too much of it."""
    escaped = 0

    def escape(found: re.Match[str]) -> str:
        nonlocal escaped
        if found[1] is not None:
            return found[1]
        escaped += 1
        return "&amp;"

    tidied, looked_at = _LOOSE.subn(escape, text, MAX_LOOSE + 1)
    return tidied if looked_at <= MAX_LOOSE else None, escaped


def _parse(source: bytes, *, recover: bool) -> Sitemap:
    """Read entry by entry, and forget each: memory does not grow with their number.

    Raises XMLSyntaxError, unless it may *recover*.
    """
    parser = etree.XMLPullParser(
        events=("end",),
        encoding="utf-8",
        recover=recover,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    reader = _EntryReader()
    for start in range(0, len(source), PIECE):
        parser.feed(source[start : start + PIECE])
        for _, element in parser.read_events():
            reader.take(element)
        if reader.elements > MAX_ELEMENTS:
            return reader.report()
    parser.close()
    for _, element in parser.read_events():
        reader.take(element)
    return reader.report()


class _EntryReader:
    """Gathers the entries of a tree that grows, and prunes it."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.total = 0
        self.elements = 0
        self.is_root_ended = False

    def report(self) -> Sitemap:
        excess = (f"more than {MAX_ELEMENTS} elements",) if self.elements > MAX_ELEMENTS else ()
        return Sitemap(tuple(self.places), self.total, self.is_root_ended, excess)

    def take(self, element: etree._Element) -> None:
        self.elements += 1
        parent = element.getparent()
        if parent is None:
            self.is_root_ended = True
            return
        kind = KINDS.get(_local(str(element.tag)))
        if kind is not None:
            self._add(kind, element)
            element.clear()
        if parent.getparent() is None:
            element.clear()
            while element.getprevious() is not None:
                del parent[0]

    def _add(self, kind: Callable[[etree._Element], Place], element: etree._Element) -> None:
        self.total += 1
        if len(self.places) < MAX_ENTRIES:
            self.places.append(kind(element))


def _read_page(element: etree._Element) -> Place:
    return Place(_child(element, "loc"), modified=_child(element, "lastmod"))


def _read_part(element: etree._Element) -> Place:
    return Place(_child(element, "loc"), is_sitemap=True, modified=_child(element, "lastmod"))


KINDS: dict[str, Callable[[etree._Element], Place]] = {"url": _read_page, "sitemap": _read_part}


def _child(element: etree._Element, name: str) -> str:
    """Return the text of the first child of that name in the entry's own namespace, if it has one.

    So the address of an image (``image:loc``) or of another language is never that of the page.
    """
    tag = str(element.tag)
    wanted = tag[: -len(_local(tag))] + name
    found = next((child for child in element if child.tag == wanted), None)
    return "" if found is None or len(found) else (found.text or "").strip()


def _local(tag: str) -> str:
    """Return a name without namespace, or without a prefix that nothing declares."""
    return tag.rpartition("}")[2].rpartition(":")[2]
