"""The one parse of a page."""

import re
from dataclasses import dataclass

from lxml import etree

_MARKUP_PIECE = re.compile(r"<[^<>]*>?")


@dataclass(frozen=True, slots=True)
class Tree:
    """What the parser made of a source; no root for one without any element or text."""

    root: etree._Element | None
    is_too_deep: bool
    """The parser gave up at its limit of nested elements: what it returned is a fragment."""


def parse_tree(text: str) -> Tree:
    """Parse HTML; never raises."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    source = _without_nul(text).encode("utf-8", "replace")
    try:
        root = etree.fromstring(source, parser) if source else None
    except etree.XMLSyntaxError:
        root = None
    if root is not None:
        _adopt_followers(root)
    too_deep = any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log)
    return Tree(root, too_deep)


def _without_nul(text: str) -> str:
    """Treat NUL as HTML does: dropped between tags, U+FFFD inside one (13.2.5, 13.2.6.4.7)."""
    if "\x00" not in text:
        return text
    kept = _MARKUP_PIECE.sub(lambda piece: piece[0].replace("\x00", "\ufffd"), text)
    return kept.replace("\x00", "")


def _adopt_followers(root: etree._Element) -> None:
    """Move what stands behind ``</html>`` into the body, as browsers do (13.2.6.4.20).

    libxml2 puts it into a second root beside the first, where no selector finds it.
    """
    body = root.find("body")
    home = root if body is None else body
    for follower in list(root.itersiblings()):
        if isinstance(follower.tag, str):
            inner = follower.find("body") if follower.tag == "html" else None
            _append_content(home, follower if inner is None else inner)


def _append_content(home: etree._Element, source: etree._Element) -> None:
    if source.text and len(home):
        home[-1].tail = (home[-1].tail or "") + source.text
    elif source.text:
        home.text = (home.text or "") + source.text
    home.extend(list(source))
