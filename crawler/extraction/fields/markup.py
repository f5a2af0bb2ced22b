"""Text that holds markup: the markup goes, the lines it makes stay."""

import re
from html import unescape

from crawler.document.text import BLOCKS, normalize_space
from crawler.extraction.fields.reading import Context
from crawler.extraction.fields.text import INLINE, clean_text, decode_entities

_UNSEEN = re.compile(r"<(script|style)\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(
    rf"</?(?P<name>{'|'.join(sorted(BLOCKS, key=len, reverse=True))}|{INLINE})(?=[\s/>])[^<>]*>",
    re.IGNORECASE,
)
_DECODED = Context("", has_entities=False, is_machine_written=True)
_LINE_END = re.compile(r"[\r\n\v\f\x85\u2028\u2029]+")


def read_lines(raw: str, context: Context) -> list[str]:
    """Return the lines of *raw*, cleaned; those that say nothing are dropped."""
    text = decode_entities(raw) if context.has_entities else raw
    if "<" in text and _TAG.search(text):
        text = unescape(_TAG.sub(_line_end, _UNSEEN.sub("", _LINE_END.sub(" ", text))))
    parts = [text] if text.isprintable() else _LINE_END.split(text)
    return [line for part in parts if (line := clean_text(part, _DECODED))]


def read_prose(raw: str, context: Context) -> str:
    """Return *raw* without its markup, on one line."""
    return normalize_space(" ".join(read_lines(raw, context)))


def _line_end(tag: re.Match[str]) -> str:
    return "\n" if tag["name"].lower() in BLOCKS else ""
