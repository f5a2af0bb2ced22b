"""Find the JSON-LD script blocks of a page without building a tree."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import unescape

from crawler.document.scan import Tag, read_attributes

MAX_BLOCKS = 1_000


@dataclass(frozen=True, slots=True)
class LdJsonBlock:
    """The content of one script block; ``span`` counts bytes of the scanned markup."""

    index: int
    span: tuple[int, int]
    text: str
    is_closed: bool


def find_ld_json_blocks(
    tags: Iterable[Tag], decode_markup: Callable[[int, int], str]
) -> tuple[LdJsonBlock, ...]:
    """Return the first ``MAX_BLOCKS`` blocks among the tags of a page, in document order."""
    blocks: list[LdJsonBlock] = []
    for tag in tags:
        if tag.name == b"script" and _is_ld_json(tag) and tag.content_end is not None:
            span = (tag.end, tag.content_end)
            blocks.append(LdJsonBlock(len(blocks), span, decode_markup(*span), tag.is_closed))
            if len(blocks) == MAX_BLOCKS:
                break
    return tuple(blocks)


def _is_ld_json(tag: Tag) -> bool:
    attributes = tag.attributes.lower()
    if b"ld+" not in attributes and b"ld&" not in attributes:  # the plus sign may be escaped
        return False
    return is_ld_json_type(unescape(read_attributes(tag.attributes).get("type", "")))


def is_ld_json_type(written: str) -> bool:
    """Compare the MIME essence of a type attribute, whatever its case and parameters."""
    return written.partition(";")[0].strip().lower() == "application/ld+json"
