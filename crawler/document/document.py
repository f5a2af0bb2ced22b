"""One page as markup, text or tree; each is made when it is first asked for, and once."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from html import escape, unescape
from itertools import islice
from typing import TypeAlias

from cssselect import SelectorError
from lxml import etree
from parsel.csstranslator import HTMLTranslator

from crawler.contracts.snapshot import Encoding, Snapshot
from crawler.document.encoding import decode, decode_part
from crawler.document.ldjson import LdJsonBlock, find_ld_json_blocks
from crawler.document.loaded import Loaded
from crawler.document.scan import Tag, iter_tags, read_attributes
from crawler.document.text import inner_text, normalize_space, opening, own_text
from crawler.document.tree import Tree, parse_tree
from crawler.document.url import resolve_url

Node: TypeAlias = etree._Element
Match: TypeAlias = etree._Element | str | float | bool

_NOT_ASCII_BASED = re.compile(r"utf[-_]?(16|32|7)|iso2022|hz", re.IGNORECASE)
_UNSEEN = re.compile(rb"<(?:script|style|template|title|textarea|!--)", re.IGNORECASE)
_OPENING = re.compile(
    rb">(?!\s*<)[^a-z0-9<>&\x80-\xff]*"
    rb"(\d+|[a-z]+(?:[&\x80-\xff][^<>]{0,40}|\s+[a-z][&\x80-\xff][^<>]{0,40}|\s+[a-z]{2})?"
    rb"|[&\x80-\xff][^<>]{0,40})"
)
"""What a text in lower case opens with; more of it where that may be letters too."""
OUTLINE = (b"script", b"meta", b"title", b"base", b"link", b"h1")
MAX_OUTLINE = 50_000


def owner_of(match: Match) -> Node | None:
    """Return the element that a match is, or whose text or attribute it is; None for a scalar."""
    if isinstance(match, etree._Element):
        return match
    parent: Node | None = getattr(match, "getparent", lambda: None)()
    is_tail = getattr(match, "is_tail", False)  # the text belongs to the element around the tail
    return parent.getparent() if parent is not None and is_tail else parent


class BadSelectorError(ValueError):
    """A selector or expression of a site file that cannot be read or evaluated."""


class Document:
    """The page of a snapshot. Nothing is parsed before a node is asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._body = snapshot.body
        self._encoding: Encoding = snapshot.encoding
        self.url = snapshot.final_url
        self._snapshots = snapshot.loaded
        self._searches: dict[bytes, bool] = {}

    @cached_property
    def text(self) -> str:
        """The whole source as text."""
        return decode(self._body, self._encoding)

    @cached_property
    def has_byte_offsets(self) -> bool:
        """Offsets in ``markup`` are offsets in the body."""
        return _NOT_ASCII_BASED.match(self._encoding.name) is None

    @cached_property
    def markup(self) -> bytes:
        """The source in bytes whose ASCII part can be scanned for tags."""
        return self._body if self.has_byte_offsets else self.text.encode("utf-8", "replace")

    @cached_property
    def loaded(self) -> Loaded:
        """The JSON that the page's scripts loaded."""
        return Loaded(self._snapshots)

    @cached_property
    def bare(self) -> bytes:
        """``markup`` without what its scripts hold, for searches that spare a parse."""
        pieces, position = [], 0
        for tag in self.outline:
            if tag.name == b"script" and tag.is_closed and tag.content_end is not None:
                pieces.append(self.markup[position : tag.end])
                position = tag.content_end
        return b"".join((*pieces, self.markup[position:]))

    @cached_property
    def bare_text(self) -> str:
        """``bare`` as text."""
        return self._decode(self.bare)

    @cached_property
    def openings(self) -> frozenset[str]:
        """What ``opening`` gives of each text between two tags."""
        source = self.lowered if self._is_utf_8 else self._lowered_text.encode("utf-8", "replace")
        openings = set(_OPENING.findall(b">" + source))
        plain = {each for each in openings if each.isalnum()}
        texts = (unescape(each.decode("utf-8", "ignore")) for each in openings - plain)
        return frozenset((*map(bytes.decode, plain), *map(opening, texts)))

    @cached_property
    def lowered(self) -> bytes:
        """``bare`` with its ASCII letters in lower case."""
        return self.bare.lower()

    def holds(self, text: bytes) -> bool:
        """Whether ``lowered`` holds a text, which is looked for once."""
        if text not in self._searches:
            self._searches[text] = text in self.lowered
        return self._searches[text]

    def mentions(self, words: Iterable[str]) -> bool:
        """Whether the source holds one of these lower-case words outside of scripts, in whatever case."""
        if self._is_utf_8:
            return any(self.holds(each) for word in words for each in _spellings(word))
        return any(word in self._lowered_text for word in words)

    @cached_property
    def _is_utf_8(self) -> bool:
        return not self.has_byte_offsets or self._encoding.name.lower() in {"utf-8", "utf8"}

    @cached_property
    def _lowered_text(self) -> str:
        return self.bare_text.lower()

    def decode_markup(self, start: int, end: int) -> str:
        """Return a part of ``markup`` as text."""
        return self._decode(self.markup[start:end])

    def _decode(self, part: bytes) -> str:
        if self.has_byte_offsets:
            return decode_part(part, self._encoding)
        return part.decode("utf-8", "replace")

    def ld_json_blocks(self) -> Sequence[LdJsonBlock]:
        """Return the JSON-LD script blocks, broken ones included, without a parse."""
        return self._ld_json_blocks

    @cached_property
    def _ld_json_blocks(self) -> tuple[LdJsonBlock, ...]:
        return find_ld_json_blocks(self.outline, self.decode_markup)

    @cached_property
    def _tree(self) -> Tree:
        return parse_tree(self.text)

    @property
    def is_parsed(self) -> bool:
        """Someone has asked for a node."""
        return "_tree" in self.__dict__

    @property
    def root(self) -> Node | None:
        """The root element; None for a source without any element or text."""
        return self._tree.root

    @property
    def is_too_deep(self) -> bool:
        """The parser gave up at its limit of nested elements: what it returned is a fragment."""
        return self._tree.is_too_deep

    def css(self, selector: str, within: Node | None = None) -> list[Node]:
        """Return the elements that match a CSS selector, below *within* or anywhere.

        Raises BadSelectorError.
        """
        matches = self.xpath(_xpath_of(selector), within)
        return [match for match in matches if isinstance(match, etree._Element)]

    def xpath(self, expression: str, within: Node | None = None) -> list[Match]:
        """Return what an XPath expression selects; a string, number or boolean as one match.

        Text and attribute matches are lxml's smart strings, for ``path_of``.
        Raises BadSelectorError.
        """
        context = self.root if within is None else within
        compiled = _compiled(expression)
        if context is None:
            return []
        try:
            found = compiled(context)
        except (etree.XPathError, ValueError) as error:
            raise BadSelectorError(f"{expression}: {error}") from error
        return list(found) if isinstance(found, list) else [found]

    def query(self, expression: etree.XPath) -> list[Node]:
        """Return the elements that an expression selects on the page."""
        return [] if self.root is None else list(expression(self.root))

    def text_of(self, node: Node) -> str:
        """Return what a reader sees of *node*: scripts left out, blocks apart, spaces collapsed."""
        return inner_text(node)

    def own_text_of(self, node: Node) -> str:
        """Return the text directly inside *node*, without that of its child elements."""
        return own_text(node)

    def find_text(self, text: str) -> tuple[int, int] | None:
        """Return the byte offsets of a text that readers see, where the source holds it once.

        None where it stands several times, in pieces, or only inside of a tag or a script.
        """
        spellings = {text, escape(text, quote=False)}
        try:
            wanted = {each.encode(self._encoding.name) for each in spellings}
        except (LookupError, UnicodeEncodeError):
            return None
        found = [
            (start, start + len(each))
            for each in wanted
            if (start := self._body.find(each)) >= 0 and self._body.find(each, start + 1) < 0
        ]
        if len(found) != 1 or sum(each in self._body for each in wanted) != 1:
            return None
        opening = self._body.rfind(b"<", 0, found[0][0])
        is_in_tag = self._body.rfind(b">", 0, found[0][0]) < opening
        is_unseen = _UNSEEN.match(self._body, opening) if opening >= 0 else None
        return None if is_in_tag or is_unseen else found[0]

    def path_of(self, match: Match) -> str:
        """Return the absolute path of an element, attribute or text node; empty for a scalar."""
        if isinstance(match, etree._Element):
            return str(match.getroottree().getpath(match))
        owner = owner_of(match)
        if owner is None:
            return ""
        path = self.path_of(owner)
        name = getattr(match, "attrname", None)
        return f"{path}/@{name}" if name else f"{path}/text()"

    @cached_property
    def outline(self) -> tuple[Tag, ...]:
        """The few tags that say what the page is; one scan, far cheaper than a parse."""
        return tuple(islice(iter_tags(self.markup, *OUTLINE), MAX_OUTLINE))

    @cached_property
    def title(self) -> str:
        """The text of the first ``<title>``; empty without one. Needs no parse."""
        tag = next((tag for tag in self.outline if tag.name == b"title" and not tag.is_end), None)
        if tag is None or tag.content_end is None:
            return ""
        return normalize_space(unescape(self.decode_markup(tag.end, tag.content_end)))

    @cached_property
    def base_url(self) -> str:
        """What relative links are resolved against (HTML, 2.4.3). Needs no parse."""
        for tag in self.outline:
            href = read_attributes(tag.attributes).get("href") if tag.name == b"base" else None
            if href is not None:
                return resolve_url(self.url, unescape(href)) or self.url
        return self.url

    @cached_property
    def canonical_url(self) -> str | None:
        """The canonical link, absolute; None without a usable one. Needs no parse."""
        for tag in self.outline:
            if tag.name != b"link":
                continue
            attributes = read_attributes(tag.attributes)
            if "canonical" in unescape(attributes.get("rel", "")).lower().split():
                return resolve_url(self.base_url, unescape(attributes.get("href", "")))
        return None


@lru_cache(maxsize=4096)
def _spellings(word: str) -> tuple[bytes, ...]:
    """Return a word in UTF-8 in the cases that pages write it, ASCII letters in lower case."""
    cases = (word, word.capitalize(), word.upper())
    return tuple(dict.fromkeys(each.encode().lower() for each in cases))


@lru_cache(maxsize=1024)
def _xpath_of(selector: str) -> str:
    try:
        return str(HTMLTranslator().css_to_xpath(selector))
    except (SelectorError, RecursionError) as error:
        raise BadSelectorError(f"{selector}: {error}") from error


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> etree.XPath:
    try:
        return etree.XPath(expression)
    except (etree.XPathError, ValueError) as error:
        raise BadSelectorError(f"{expression}: {error}") from error
