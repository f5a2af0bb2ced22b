"""Elements that are written whole: code, images, formulas, breaks. False: part by part."""

import re
from collections.abc import Callable

from crawler.extraction.content.inline import absolute_link, clean, code_span, escape, fence_for
from crawler.extraction.content.node import Node
from crawler.extraction.content.writer import BREAK, Writer, escape_brackets

_CODE = frozenset({"code", "kbd", "samp", "tt"})
_EDGE = "\ufdd0"
"""No character of any text."""
_EDGES = re.compile(f"(?:\n?{_EDGE})+\n?")
_RAISED = str.maketrans(
    "0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
)
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:)[-\s]?([\w+#.-]{1,20})")


def _write_break(writer: Writer, node: Node) -> bool:
    writer.buffer.append(" " if writer.is_flat else BREAK)
    return True


def _write_rule(writer: Writer, node: Node) -> bool:
    writer.flush()
    return True


def _write_image(writer: Writer, node: Node) -> bool:
    if not writer.with_images:
        return True
    sources = (node.get(name) for name in ("data-src", "data-original", "data-lazy-src", "src"))
    links = (absolute_link(writer.base_url, each) for each in sources if each)
    source = next((link for link in links if link), None)
    if source is not None:
        alt = escape_brackets(escape(clean(" ".join(node.get("alt").split()))))
        writer.buffer.append(f"![{alt}]({source})")
    return True


def _write_code(writer: Writer, node: Node) -> bool:
    text = " ".join(clean(node.text()).split())
    if text:
        shown = code_span(text)
        writer.buffer.append(shown.replace("|", "\\|") if writer.is_flat else shown)
    return True


def _write_math(writer: Writer, node: Node) -> bool:
    notes = (each for each in node.walk() if each.get("encoding") == "application/x-tex")
    note = next(notes, None)
    if note is None:
        return False
    writer.buffer.append("$" + escape(" ".join(clean(note.text()).split())) + "$")
    return True


def _write_pre(writer: Writer, node: Node) -> bool:
    text = clean(node.text(_EDGE)).replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    text = _EDGES.sub("\n", text).removeprefix("\n").rstrip()
    if not text.strip():
        return True
    if writer.is_flat:
        writer.buffer.append(code_span(" ".join(text.split())).replace("|", "\\|"))
        return True
    writer.flush()
    fence = fence_for(text)
    writer.emit([fence + _language(node), *text.split("\n"), fence])
    return True


def _write_raised(writer: Writer, node: Node) -> bool:
    """Write figures raised behind a figure as such: ``10<sup>6</sup>`` is no 106."""
    text = node.text().strip()
    before = writer.buffer[-1][-1:] if writer.buffer else ""
    if not (before.isdigit() and text.isascii() and text.isdigit()):
        return False
    writer.buffer.append(text.translate(_RAISED))
    return True


def _language(pre: Node) -> str:
    for node in (pre, *pre.children):
        found = _LANGUAGE.search(node.get("class"))
        if found:
            return found[1].lower()
    return ""


WHOLE: dict[str, Callable[[Writer, Node], bool]] = {
    "br": _write_break,
    "hr": _write_rule,
    "img": _write_image,
    "pre": _write_pre,
    "math": _write_math,
    "sup": _write_raised,
    **dict.fromkeys(_CODE, _write_code),
}
