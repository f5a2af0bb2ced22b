"""The link to the next part of a listing, found by what pages call it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import parse_qsl, urldefrag, urlsplit

from crawler.discovery.next_words import ARROWS, MORE_WORDS, NEXT_WORDS
from crawler.document.document import Document, Node
from crawler.document.url import resolve_url

MAX_ANCHORS = 10_000
MAX_TEXT = 60
MAX_PARENTS = 6
MAX_NAMED = 500
MAX_AROUND = 12
_REL_NEXT = re.compile(rb"""\brel\s*=\s*["']?[^"'<>]{0,100}\bnext\b""", re.IGNORECASE)

_NEXT_NAMES = re.compile(
    r"(?:^|[-_])next(?:$|[-_]?(?:page|link|posts?|postslink|btn|button|a|arrow)?$)"
    r"|^next[a-z]*link$|nextpage|page[-_]?next|pagenext|(?:^|[-_])(?:load|show|view)-?more"
    r"|(?:^|[-_])older(?:$|[-_])",
    re.IGNORECASE,
)
_SLIDES = re.compile(
    r"carousel|slide|slick|swiper|owl-|gallery|lightbox|calendar|mini", re.IGNORECASE
)
_OTHERS = re.compile(r"(?:^|[-_])(?:comments?|reviews?)(?:$|[-_])|disqus", re.IGNORECASE)
_DATES = re.compile(r"calendar|\b(?:week|month|day|date|year)=", re.IGNORECASE)
_FILES = re.compile(r"\.(?:pdf|docx?|xlsx?|pptx?|zip|ics|jpe?g|png|gif)$", re.IGNORECASE)
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_CURRENT = re.compile(r"^(?:is-?)?(?:active|selected)$|current", re.IGNORECASE)
_MARKED = "//*[@aria-current='page' or {}]".format(
    " or ".join(f"contains(@class, '{word}')" for word in ("urrent", "active", "selected"))
)
_OFF = frozenset({"disabled", "is-disabled", "inactive"})
_PAGE_PARAMETER = re.compile(
    r"^(?:p|pg|page|paged|seite|pagina|pagenum(?:ber)?|page_?no)$", re.IGNORECASE
)
_PAGE_PATH = re.compile(
    r"/(?:page|p|seite|pagina|strana|stranica)[/-]?([0-9]{1,6})(?:/|$|\.)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link of the page that could lead to its next part."""

    node: Node
    url: str
    text: str
    """Lower-case, as a reader sees it; alternative text where it is an image."""

    @property
    def is_plain_link(self) -> bool:
        return self.node.tag == "a"


Rule = Callable[[Document, tuple[Anchor, ...]], Anchor | None]


def find_next_page(document: Document) -> tuple[str, str] | None:
    """Return the address of the next part and the name of the rule that found it."""
    anchors = tuple(_iter_anchors(document))
    for name, rule in RULES:
        found = rule(document, anchors)
        if found is not None:
            return found.url, f"auto:{name}"
    return None


def find_continuing(document: Document) -> str | None:
    """Return the address of the next part where it counts on from that of the page, too: what a rule
    finds alone may be an item.
    """
    anchors = tuple(each for each in _iter_anchors(document) if not is_of_others(each.node))
    found = (rule(document, anchors) for _, rule in RULES)
    return next((each.url for each in found if each and _is_told(each.url, document.url)), None)


def _is_told(url: str, listing: str) -> bool:
    is_other = _DATES.search(url) or _FILES.search(urlsplit(url).path)
    return not is_other and continues(url, listing)


def find_ignored_next(document: Document) -> str | None:
    """Return what the page itself names as the next one (``rel=next``); None for itself.

    For listings that lead nowhere by the rules of the site file: reads no more than it must.
    """
    if not _REL_NEXT.search(document.markup):
        return None
    here = urldefrag(document.url).url
    for node in document.css("a[rel~=next][href], link[rel~=next][href]")[:10]:
        url = resolve_url(document.base_url, node.get("href") or "")
        if url and urldefrag(url).url != here and _is_same_host(url, here):
            return urldefrag(url).url[:MAX_NAMED]
    return None


def _iter_anchors(document: Document) -> Iterator[Anchor]:
    here = urldefrag(document.url).url
    nodes = document.xpath("//a[@href] | //link[@rel and @href]")
    for node in islice(nodes, MAX_ANCHORS):
        assert isinstance(node, Node)
        url = resolve_url(document.base_url, node.get("href") or "")
        bare = url and urldefrag(url).url
        if bare and bare != here and _is_same_host(bare, here) and not is_aside(node):
            yield Anchor(node, bare, _read_text(document, node))


def _is_same_host(url: str, other: str) -> bool:
    hosts = [(urlsplit(each).hostname or "").removeprefix("www.") for each in (url, other)]
    return hosts[0] == hosts[1]


def is_aside(node: Node) -> bool:
    """A control of a slide show or a calendar, one that is off, or the way back."""
    if "prev" in _tokens(node, "rel") or node.get("data-slide") is not None or _is_off(node):
        return True
    return any(_SLIDES.search(name) for each in _with_parents(node) for name in _names(each))


def is_of_others(node: Node) -> bool:
    """Whether it stands in what readers say, or beside the listing: both have parts of their own."""
    around = (node, *islice(node.iterancestors(), MAX_AROUND))
    return any(
        each.tag == "aside" or any(_OTHERS.search(name) for name in _names(each))
        for each in around
        if each.tag not in {"body", "html"}
    )


def _is_off(node: Node) -> bool:
    """Whether a link leads nowhere any more, as on the last page."""
    parent = node.getparent()
    around = [each for each in (node, parent) if each is not None]
    return any(
        each.get("aria-disabled") == "true" or not _OFF.isdisjoint(_tokens(each, "class"))
        for each in around
    )


def _read_text(document: Document, node: Node) -> str:
    text = document.text_of(node).strip() or " ".join(
        value for image in node.iter("img") if (value := image.get("alt"))
    )
    return " ".join(text.lower().split())[: MAX_TEXT + 1]


def _find_rel(_: Document, anchors: tuple[Anchor, ...]) -> Anchor | None:
    return next((each for each in anchors if "next" in _tokens(each.node, "rel")), None)


def _find_worded(_: Document, anchors: tuple[Anchor, ...]) -> Anchor | None:
    plain = (each for each in anchors if each.is_plain_link)
    return next((each for each in plain if _says(each, NEXT_WORDS)), None)


def _find_more(document: Document, anchors: tuple[Anchor, ...]) -> Anchor | None:
    plain = (each for each in anchors if each.is_plain_link and _says(each, MORE_WORDS))
    return next((each for each in plain if continues(each.url, document.url)), None)


def _says(anchor: Anchor, words: frozenset[str]) -> bool:
    labels = (anchor.node.get(name) or "" for name in ("aria-label", "title"))
    texts = (anchor.text, *(label[: MAX_TEXT + 1].lower() for label in labels))
    return any(strip_edges(text) in words for text in texts)


def strip_edges(label: str) -> str:
    """Return a label without the arrows, dots and spaces around it."""
    return _EDGES.sub("", label)


def continues(url: str, listing: str) -> bool:
    is_same_path = urlsplit(url).path == urlsplit(listing).path
    return number_in(url) is not None or (is_same_path and bool(urlsplit(url).query))


def _find_named(_: Document, anchors: tuple[Anchor, ...]) -> Anchor | None:
    return next((each for each in anchors if each.is_plain_link and _is_named(each)), None)


def _is_named(anchor: Anchor) -> bool:
    around = (anchor.node, anchor.node.getparent())
    is_short = len(anchor.text) <= 30
    return is_short and any(
        _NEXT_NAMES.search(name) for node in around if node is not None for name in _names(node)
    )


def _find_arrow(_: Document, anchors: tuple[Anchor, ...]) -> Anchor | None:
    by_text = {
        each.text: each
        for each in reversed(anchors)
        if each.is_plain_link and not _DATES.search(each.url)
    }
    return next((by_text[arrow] for arrow in ARROWS if arrow in by_text), None)


def _find_number(document: Document, anchors: tuple[Anchor, ...]) -> Anchor | None:
    """The link whose text is the number behind that of this page."""
    numbered = {
        int(each.text): each
        for each in reversed(anchors)
        if each.is_plain_link and re.fullmatch(r"[0-9]{1,6}", each.text)
    }
    current = _find_current(document) or number_in(document.url)
    if current is None and 2 in numbered and _is_part(numbered[2]):
        current = 1
    following = numbered.get(current + 1) if current is not None else None
    return following if following is not None and _is_part(following) else None


def _is_part(anchor: Anchor) -> bool:
    """Its address names the number too: a year or a rating does so only by chance."""
    names_it = anchor.text in re.findall(r"[0-9]+", anchor.url.partition("//")[2])
    return names_it and not _DATES.search(anchor.url)


def _find_current(document: Document) -> int | None:
    marked = document.xpath(_MARKED)
    for node in islice(marked, 100):
        assert isinstance(node, Node)
        if any(map(_CURRENT.search, _names(node))) or node.get("aria-current"):
            text = strip_edges(document.text_of(node)[: MAX_TEXT + 1])
            if re.fullmatch(r"[0-9]{1,6}", text):
                return int(text)
    return None


def number_in(url: str) -> int | None:
    parts = urlsplit(url)
    for name, value in parse_qsl(parts.query[:2_000]):
        if _PAGE_PARAMETER.match(name) and re.fullmatch(r"[0-9]{1,6}", value):
            return int(value)
    found = _PAGE_PATH.search(parts.path)
    return int(found[1]) if found else None


def _with_parents(node: Node) -> Iterator[Node]:
    yield node
    yield from islice(node.iterancestors(), MAX_PARENTS)


def _names(node: Node) -> list[str]:
    return [*(node.get("class") or "").split()[:20], node.get("id") or ""]


def _tokens(node: Node, name: str) -> list[str]:
    return (node.get(name) or "").lower().split()


RULES: tuple[tuple[str, Rule], ...] = (
    ("rel", _find_rel),
    ("name", _find_named),
    ("word", _find_worded),
    ("more", _find_more),
    ("arrow", _find_arrow),
    ("number", _find_number),
)
"""First what was meant for programs, last what only suggests itself."""
