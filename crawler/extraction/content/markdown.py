"""A zone as CommonMark, with GitHub's tables. One pass with a stack: depth costs no recursion."""

import re

from crawler.extraction.content.apart import INLINE
from crawler.extraction.content.blocks import BEGIN, END
from crawler.extraction.content.inline import absolute_link, clean, escape, escape_line_start
from crawler.extraction.content.node import Node
from crawler.extraction.content.table import grid_of, is_data
from crawler.extraction.content.whole import WHOLE
from crawler.extraction.content.writer import STRONG, Mark, Writer

_WITHIN_A_LINE = INLINE | {"img", "math"}
"""The two stand within a line, and neither is running text."""


def write_markdown(zone: Node, base_url: str, *, with_images: bool = False) -> str:
    writer = Writer(base_url, with_images=with_images)
    _walk(writer, zone)
    return writer.text()


def _walk(writer: Writer, zone: Node) -> None:
    stack: list[tuple[Node, int]] = [(zone, 0)]
    _enter(writer, zone)
    while stack:
        node, at = stack.pop()
        if at >= len(node.parts):
            _leave(writer, node)
            continue
        stack.append((node, at + 1))
        part = node.parts[at]
        if isinstance(part, Node) and part.is_removed:
            writer.buffer.append(" ")
        elif isinstance(part, str):
            writer.buffer.append(escape(clean(part)))
        elif not _write_whole(writer, part):
            _enter(writer, part)
            stack.append((part, 0))
    writer.flush()


def _write_whole(writer: Writer, node: Node) -> bool:
    """Write a node that is not written part by part; False for any other."""
    if node.tag == "table":
        return _write_table(writer, node)
    write = WHOLE.get(node.tag)
    return write is not None and write(writer, node)


def _enter(writer: Writer, node: Node) -> None:
    tag = node.tag
    if tag in _WITHIN_A_LINE:
        if tag == "a":
            href = absolute_link(writer.base_url, node.get("href"))
            writer.marks.append(Mark(node, len(writer.buffer), href))
        elif tag in STRONG:
            writer.marks.append(Mark(node, len(writer.buffer)))
        return
    if writer.is_flat:
        writer.buffer.append(" ")
        return
    writer.flush()
    begin = BEGIN.get(tag)
    if begin is not None:
        begin(writer, node)


def _leave(writer: Writer, node: Node) -> None:
    tag = node.tag
    if tag in _WITHIN_A_LINE:
        if writer.marks and writer.marks[-1].node is node:
            writer.close(writer.marks.pop())
        return
    if writer.is_flat:
        writer.buffer.append(" ")
        return
    writer.flush()
    end = END.get(tag)
    if end is not None:
        end(writer, node)


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
    _walk(cell, node)
    text = " ".join(" ".join(cell.lines).split())
    return re.sub(r"(?<!\\)\|", r"\\|", text)
