"""A zone as CommonMark, with GitHub's tables. One pass with a stack: depth costs no recursion."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler.extraction.content.inline import (
    absolute_link,
    clean,
    code_span,
    escape,
    escape_line_start,
    fence_for,
)
from crawler.extraction.content.node import Node
from crawler.extraction.content.prose import INLINE
from crawler.extraction.content.table import grid_of, is_data

_INLINE = INLINE | {"img", "math"}
"""Both stand within a line, and neither is running text."""
_STRONG = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~"}
_LISTS = frozenset({"ul", "ol"})
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_SPACES = re.compile(r"[ \t\r\n\f\v\u00a0]+")
_PARAGRAPH_BREAK = re.compile(" ?\x01(?: ?\x01)+ ?")
_BREAK = "\x01"  # no character of a page: clean() takes it out
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:)[-\s]?([\w+#.-]{1,20})")
MAX_INDENT = 40
"""Containers that indent; what is nested deeper is written at this depth."""


@dataclass(slots=True)
class _Mark:
    """An inline element that is open: what is written from *start* on belongs to it."""

    node: Node
    start: int
    href: str | None = None
    is_spent: bool = False
    """A link is written once, on the first of the blocks that it holds."""


@dataclass(slots=True)
class _Container:
    """A list item or a quote: what begins its first line, and what begins the others."""

    first: str
    rest: str
    is_begun: bool = False


@dataclass(slots=True)
class Writer:
    base_url: str
    with_images: bool = False
    lines: list[str] = field(default_factory=list)
    buffer: list[str] = field(default_factory=list)
    marks: list[_Mark] = field(default_factory=list)
    containers: list[_Container] = field(default_factory=list)
    lists: list["_List"] = field(default_factory=list)
    heading: int = 0
    is_flat: bool = False
    """Inside a table's cell: one line, without blocks."""
    is_tight: bool = False

    def write(self, zone: Node) -> None:
        stack: list[tuple[Node, int]] = [(zone, 0)]
        self._enter(zone)
        while stack:
            node, at = stack.pop()
            if at >= len(node.parts):
                self._leave(node)
                continue
            stack.append((node, at + 1))
            part = node.parts[at]
            if isinstance(part, Node) and part.is_removed:
                self.buffer.append(" ")
            elif isinstance(part, str):
                self.buffer.append(escape(clean(part)))
            elif not self._write_whole(part):
                self._enter(part)
                stack.append((part, 0))
        self.flush()

    def _write_whole(self, node: Node) -> bool:
        """Write a node that is not written part by part; False for any other."""
        writer = _WHOLE.get(node.tag)
        return writer is not None and writer(self, node)

    def _enter(self, node: Node) -> None:
        tag = node.tag
        if tag in _INLINE:
            if tag == "a":
                href = absolute_link(self.base_url, node.get("href"))
                self.marks.append(_Mark(node, len(self.buffer), href))
            elif tag in _STRONG:
                self.marks.append(_Mark(node, len(self.buffer)))
            return
        if self.is_flat:
            self.buffer.append(" ")
            return
        self.flush()
        begin = _BEGIN.get(tag)
        if begin is not None:
            begin(self, node)

    def _leave(self, node: Node) -> None:
        tag = node.tag
        if tag in _INLINE:
            if self.marks and self.marks[-1].node is node:
                self._close(self.marks.pop())
            return
        if self.is_flat:
            self.buffer.append(" ")
            return
        self.flush()
        end = _END.get(tag)
        if end is not None:
            end(self, node)

    def _close(self, mark: _Mark) -> None:
        """Put the marks of an inline element around what it wrote."""
        inner = "".join(self.buffer[mark.start :])
        text = inner.strip()
        if not text or (mark.href is None and mark.node.tag == "a") or mark.is_spent:
            return
        lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
        del self.buffer[mark.start :]
        if mark.href is not None:
            mark.is_spent = True
            wrapped = self._link(_one_line(text), mark.href)
        else:
            sign = _STRONG[mark.node.tag]
            wrapped = text if text.startswith(sign[0]) or self.heading else f"{sign}{text}{sign}"
        self.buffer.append(f"{lead}{wrapped}{trail}")

    def _link(self, text: str, href: str) -> str:
        if self.buffer and self.buffer[-1].endswith("!"):
            self.buffer[-1] = self.buffer[-1][:-1] + "\\!"
        return f"[{_escape_brackets(text)}]({href})"

    def flush(self) -> None:
        """End the paragraph, with the inline elements that are still open closed and reopened."""
        for mark in reversed(self.marks):
            self._close(mark)
        text = _SPACES.sub(" ", "".join(self.buffer)).strip(f" {_BREAK}")
        self.buffer.clear()
        for mark in self.marks:
            mark.start = 0
        if not text:
            return
        if self.heading:
            self.emit(["#" * self.heading + " " + text.replace(_BREAK, " ")])
            return
        for paragraph in _PARAGRAPH_BREAK.split(text):
            lines = [escape_line_start(line.strip()) for line in paragraph.split(_BREAK)]
            lines = [line for line in lines if line]
            self.emit([line + "  " for line in lines[:-1]] + lines[-1:])

    def emit(self, lines: list[str]) -> None:
        """Write the lines of one block inside the open containers."""
        if not lines:
            return
        containers = self.containers[:MAX_INDENT]
        begins = any(not each.is_begun for each in containers)
        if self.lines and not (begins and self.is_tight):
            self.lines.append("".join(each.rest for each in containers if each.is_begun).rstrip())
        prefix = "".join(each.rest if each.is_begun else each.first for each in containers)
        for each in containers:
            each.is_begun = True
        rest = "".join(each.rest for each in containers)
        self.lines.append(prefix + lines[0])
        self.lines.extend((rest + line) if line else rest.rstrip() for line in lines[1:])
        self.is_tight = False

    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")


def _one_line(text: str) -> str:
    return text.replace(_BREAK, " ")


def _escape_brackets(text: str) -> str:
    """Escape the brackets of a link's text, nested links' own included: links do not nest."""
    return re.sub(r"(?<!\\)([\[\]])", r"\\\1", text)


def _begin_heading(writer: Writer, node: Node) -> None:
    writer.heading = int(node.tag[1])


def _end_heading(writer: Writer, node: Node) -> None:
    writer.heading = 0


@dataclass(slots=True)
class _List:
    number: int | None
    """Of the next item; None where items have bullets."""
    is_inner: bool
    """Inside of an item, which it follows without a blank line."""
    is_stray: bool
    """Right inside another list: it belongs to the item before it."""
    is_begun: bool = False


def _begin_list(writer: Writer, node: Node) -> None:
    start = node.get("start").strip()
    number = int(start) if start.isdecimal() and len(start) < 10 else 1
    above = node.parent.tag if node.parent is not None else ""
    outer = writer.lists[-1] if writer.lists else None
    is_stray = outer is not None and outer.is_begun and above in _LISTS
    if is_stray:
        width = "  " if outer is None or outer.number is None else "   "
        writer.containers.append(_Container(width, width, is_begun=True))
    is_inner = is_stray or (above == "li" and outer is not None)
    writer.lists.append(_List(number if node.tag == "ol" else None, is_inner, is_stray))


def _end_list(writer: Writer, node: Node) -> None:
    if writer.lists.pop().is_stray:
        writer.containers.pop()


def _begin_item(writer: Writer, node: Node) -> None:
    if not writer.lists:
        writer.lists.append(_List(None, is_inner=False, is_stray=False))
    items = writer.lists[-1]
    writer.is_tight = items.is_begun or (items.is_inner and items.number in {None, 1})
    items.is_begun = True
    first = "- "
    if items.number is not None:
        first, items.number = f"{items.number}. ", items.number + 1
    writer.containers.append(_Container(first, " " * len(first)))


def _end_container(writer: Writer, node: Node) -> None:
    writer.containers.pop()


def _begin_quote(writer: Writer, node: Node) -> None:
    writer.containers.append(_Container("> ", "> "))


def _write_break(writer: Writer, node: Node) -> bool:
    writer.buffer.append(" " if writer.is_flat else _BREAK)
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
        alt = _escape_brackets(escape(clean(" ".join(node.get("alt").split()))))
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
    text = clean(node.text()).replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    text = text.removeprefix("\n").rstrip()
    if not text.strip():
        return True
    if writer.is_flat:
        writer.buffer.append(code_span(" ".join(text.split())).replace("|", "\\|"))
        return True
    writer.flush()
    fence = fence_for(text)
    writer.emit([fence + _language(node), *text.split("\n"), fence])
    return True


def _language(pre: Node) -> str:
    for node in (pre, *pre.children):
        found = _LANGUAGE.search(node.get("class"))
        if found:
            return found[1].lower()
    return ""


def _write_table(writer: Writer, node: Node) -> bool:
    if writer.is_flat or not is_data(node):
        return False
    writer.flush()
    for caption in node.children:
        if caption.tag == "caption":
            text = _flat(writer, caption)
            writer.emit([escape_line_start(text)] if text else [])
    rows = [[_flat(writer, cell) if cell else "" for cell in row] for row in grid_of(node)]
    rows = [row for row in rows if any(row)]
    if rows:
        writer.emit(_table_lines(rows))
    return True


def _table_lines(rows: list[list[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return lines


def _flat(writer: Writer, node: Node) -> str:
    cell = Writer(writer.base_url, with_images=writer.with_images, is_flat=True)
    cell.write(node)
    text = " ".join(" ".join(cell.lines).split())
    return re.sub(r"(?<!\\)\|", r"\\|", text)


_Step = Callable[[Writer, Node], None]
_HEADINGS = tuple(f"h{level}" for level in range(1, 7))
_BEGIN: dict[str, _Step] = {
    **dict.fromkeys(_HEADINGS, _begin_heading),
    **dict.fromkeys(("ul", "ol"), _begin_list),
    "li": _begin_item,
    "blockquote": _begin_quote,
}
_END: dict[str, _Step] = {
    **dict.fromkeys(_HEADINGS, _end_heading),
    **dict.fromkeys(("ul", "ol"), _end_list),
    **dict.fromkeys(("li", "blockquote"), _end_container),
}
_WHOLE: dict[str, Callable[[Writer, Node], bool]] = {
    "br": _write_break,
    "hr": _write_rule,
    "img": _write_image,
    "pre": _write_pre,
    "math": _write_math,
    "table": _write_table,
    **dict.fromkeys(_CODE, _write_code),
}


def write_markdown(zone: Node, base_url: str, *, with_images: bool = False) -> str:
    writer = Writer(base_url, with_images=with_images)
    writer.write(zone)
    return writer.text()
