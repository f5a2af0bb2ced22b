"""What is written of a page so far: the lines, and the elements that are still open."""

import re
from dataclasses import dataclass, field

from crawler.extraction.content.inline import escape_line_start
from crawler.extraction.content.node import Node

STRONG = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~"}
_SPACES = re.compile(r"[ \t\r\n\f\v\u00a0]+")
_PARAGRAPH_BREAK = re.compile(" ?\x01(?: ?\x01)+ ?")
BREAK = "\x01"  # no character of a page: clean() takes it out
MAX_INDENT = 40
"""Containers that indent; what is nested deeper is written at this depth."""


@dataclass(slots=True)
class Mark:
    """An inline element that is open: what is written from *start* on belongs to it."""

    node: Node
    start: int
    href: str | None = None
    is_spent: bool = False
    """A link is written once, on the first of the blocks that it holds."""


@dataclass(slots=True)
class Container:
    """A list item or a quote: what begins its first line, and what begins the others."""

    first: str
    rest: str
    is_begun: bool = False


@dataclass(slots=True)
class List:
    number: int | None
    """Of the next item; None where items have bullets."""
    is_inner: bool
    """Inside of an item, which it follows without a blank line."""
    is_stray: bool
    """Right inside another list: it belongs to the item before it."""
    is_begun: bool = False


@dataclass(slots=True)
class Writer:
    base_url: str
    with_images: bool = False
    lines: list[str] = field(default_factory=list)
    buffer: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    containers: list[Container] = field(default_factory=list)
    lists: list[List] = field(default_factory=list)
    heading: int = 0
    is_flat: bool = False
    """Inside a table's cell: one line, without blocks."""
    is_tight: bool = False

    def close(self, mark: Mark) -> None:
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
            wrapped = text if self.heading or self._is_marked(mark, text) else _mark(mark, text)
        self.buffer.append(f"{lead}{wrapped}{trail}")

    def _is_marked(self, mark: Mark, text: str) -> bool:
        """Whether the text begins with such a mark, or stands in another element that has it."""
        sign = STRONG[mark.node.tag]
        at = self.marks.index(mark) if mark in self.marks else len(self.marks)
        is_inner = any(STRONG.get(outer.node.tag) == sign for outer in self.marks[:at])
        return is_inner or text.startswith(sign[0])

    def _link(self, text: str, href: str) -> str:
        if self.buffer and self.buffer[-1].endswith("!"):
            self.buffer[-1] = self.buffer[-1][:-1] + "\\!"
        return f"[{escape_brackets(text)}]({href})"

    def flush(self) -> None:
        """End the paragraph, with the inline elements that are still open closed and reopened."""
        for mark in reversed(self.marks):
            self.close(mark)
        text = _SPACES.sub(" ", "".join(self.buffer)).strip(f" {BREAK}")
        self.buffer.clear()
        for mark in self.marks:
            mark.start = 0
        if not text:
            return
        if self.heading:
            self.emit(["#" * self.heading + " " + text.replace(BREAK, " ")])
            return
        for paragraph in _PARAGRAPH_BREAK.split(text):
            lines = [escape_line_start(line.strip()) for line in paragraph.split(BREAK)]
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


def _mark(mark: Mark, text: str) -> str:
    sign = STRONG[mark.node.tag]
    return f"{sign}{text}{sign}"


def _one_line(text: str) -> str:
    return text.replace(BREAK, " ")


def escape_brackets(text: str) -> str:
    """Escape the brackets of a link's text, nested links' own included: links do not nest."""
    return re.sub(r"(?<!\\)([\[\]])", r"\\\1", text)
