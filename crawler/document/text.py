"""The text of nodes as a reader sees it."""

import re
from collections.abc import Callable, Iterator

from lxml import etree

UNSEEN = frozenset({"script", "style", "template", "noscript"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "optgroup",
        "option",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
"""Elements that begin a new line: their text never runs into that of their neighbours."""
_APART = frozenset({"a", "abbr", "data", "label", "span", "time"})
"""Elements that a page lays out like blocks where it writes no white space between them."""
_BREAK = "\x1e"
_JOINT = "\x1f"
_RUN_TOGETHER = re.compile(
    rf"(?<=[^\W\d_A-Z]){_JOINT}(?=[A-Z\d])|(?<=[\d.,]){_JOINT}(?=[A-Z])"
    rf"|(?<=[A-Z]{{2}}){_JOINT}(?=[A-Z]{{2}})"
)
"""``Hall`` and ``12 Main St``: what hardly anybody writes in one. ``$30`` and ``99`` stay together."""
_OPENING = re.compile(r"[\W_]*(\d+|[^\W\d_]+(?:\s+[^\W\d_]{2})?)")
_ZERO_WIDTH = re.compile("[\u200b\ufeff]")
MAX_NUMBER = 30
_NUMBER_END = re.compile(r"\d[\d.,']*?(?P<decimals>[.,]\d{1,2})?$")
_HUNDREDTHS = re.compile(r"\d{2}(?!\d)")


def normalize_space(text: str) -> str:
    """Collapse runs of white space, zero-width ones included, and trim."""
    if "\u200b" in text or "\ufeff" in text:
        text = _ZERO_WIDTH.sub(" ", text)
    return " ".join(text.split())


def opening(text: str) -> str:
    """Return the first word of a text in lower case, whatever signs stand before it, and two letters of
    the second where nothing but a space parts them."""
    found = _OPENING.match(text)
    return " ".join(found[1].casefold().split()) if found else ""


def inner_text(node: etree._Element) -> str:
    """Return the text of *node* and its descendants, normalised."""
    return normalize_space(join_pieces(_pieces(node, " ")))


def block_text(node: etree._Element) -> str:
    """Return the text of *node* like ``inner_text``, each block on a line of its own."""
    lines = map(normalize_space, join_pieces(_pieces(node, _BREAK)).split(_BREAK))
    return "\n".join(line for line in lines if line)


def short_text(node: etree._Element, most: int) -> str | None:
    """Return the same of a node that has at most so many characters; None for any other."""
    left = most
    for _, _, text in walk(node):
        left -= len("".join(text.split())) if text else 0
        if left < 0:
            return None
    text = inner_text(node)
    return text if len(text) <= most else None


def text_without(node: etree._Element, is_left_out: Callable[[etree._Element], bool]) -> str:
    """Return the text of *node* like ``inner_text``, but for some elements inside of it."""
    return normalize_space(join_pieces(_pieces(node, " ", is_left_out)))


def amount_text(node: etree._Element, is_left_out: Callable[[etree._Element], bool]) -> str:
    """Return the same of an amount of money.

    Figures of two elements are never one number: two raised behind whole units are hundredths
    (``19<sup>99</sup>``), others stand apart.
    """
    joined = ""
    for piece in _pieces(node, " ", is_left_out):
        if piece == _JOINT:
            continue
        if joined[-1:].isdigit() and piece[:1].isdigit():
            joined += _between_figures(joined, piece)
        joined += piece
    return normalize_space(joined)


def _between_figures(before: str, behind: str) -> str:
    number = _NUMBER_END.search(before[-MAX_NUMBER:])
    if number is None or number["decimals"] or not _HUNDREDTHS.match(behind):
        return " "
    return "," if "." in number[0] else "."


def _pieces(
    node: etree._Element,
    separator: str,
    is_left_out: Callable[[etree._Element], bool] | None = None,
) -> list[str]:
    pieces: list[str] = []
    for element, _, text in walk(node, is_left_out):
        if element.tag in BLOCKS:
            pieces.append(separator)
        if text and pieces and not isinstance(element.tag, str):
            pieces[-1] += text  # a comment parts nothing
        elif text:
            pieces.append(text)
    return pieces


def walk(
    root: etree._Element, is_left_out: Callable[[etree._Element], bool] | None = None
) -> Iterator[tuple[etree._Element, bool, str | None]]:
    """Yield each element at its start (True) and at its end, with the text behind it for ``join_pieces``.

    Of what is left out, and of comments, there is but the end. Far cheaper than lxml's own walk.
    """
    if isinstance(root.tag, str):
        yield root, True, _text_inside(root)
    around = [(root, iter(root))]
    while around:
        element, children = around[-1]
        for child in children:
            if isinstance(child.tag, str) and not (is_left_out and is_left_out(child)):
                yield child, True, _text_inside(child)
                if len(child):
                    around.append((child, iter(child)))
                    break
            yield child, False, _text_behind(child)
        else:
            around.pop()
            yield element, False, _text_behind(element) if around else None


def _text_inside(element: etree._Element) -> str | None:
    return None if element.tag in UNSEEN else element.text


def _text_behind(element: etree._Element) -> str | None:
    """Return the text between an element and the next one."""
    tail = element.tail
    if tail or element.tag not in _APART:
        return tail
    following = element.getnext()
    return _JOINT if following is not None and following.tag in _APART else None


def join_pieces(pieces: list[str]) -> str:
    """Return the text; what two elements say is kept apart where it would run together."""
    text = "".join(pieces)
    return _RUN_TOGETHER.sub(" ", text).replace(_JOINT, "") if _JOINT in text else text


def own_text(node: etree._Element) -> str:
    """Return the text directly inside *node*, pieces between child elements apart, normalised."""
    pieces = [node.text or ""]
    for child in node:
        separator = " " if isinstance(child.tag, str) else ""
        pieces += [separator, child.tail or ""]
    return normalize_space("".join(pieces))
