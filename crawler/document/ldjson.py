"""Find the JSON-LD script blocks of a page without building a tree."""

from collections.abc import Callable
from dataclasses import dataclass
from html import unescape

from crawler.document.scan import Tag, iter_tags, read_attributes

MAX_BLOCKS = 1_000


@dataclass(frozen=True, slots=True)
class LdJsonBlock:
    """The content of one script block; ``span`` counts bytes of the scanned markup."""

    index: int
    span: tuple[int, int]
    text: str
    is_closed: bool


def find_ld_json_blocks(
    markup: bytes, decode_markup: Callable[[int, int], str]
) -> tuple[LdJsonBlock, ...]:
    """Return the first ``MAX_BLOCKS`` blocks in document order."""
    if not _mentions(markup):
        return ()
    blocks: list[LdJsonBlock] = []
    for tag in iter_tags(markup, b"script"):
        if not tag.is_end and _is_ld_json(tag) and tag.content_end is not None:
            span = (tag.end, tag.content_end)
            blocks.append(LdJsonBlock(len(blocks), span, decode_markup(*span), tag.is_closed))
            if len(blocks) == MAX_BLOCKS:
                break
    return tuple(blocks)


def _mentions(markup: bytes) -> bool:
    """Whether the type can be there at all, its plus sign escaped or not."""
    lowered = markup.lower()
    return b"ld+" in lowered or b"ld&" in lowered


def _is_ld_json(tag: Tag) -> bool:
    if not _mentions(tag.attributes):
        return False
    return is_ld_json_type(unescape(read_attributes(tag.attributes).get("type", "")))


def is_ld_json_type(written: str) -> bool:
    """Compare the MIME essence of a type attribute, whatever its case and parameters."""
    return written.partition(";")[0].strip().lower() == "application/ld+json"
