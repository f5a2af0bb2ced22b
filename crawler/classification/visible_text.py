"""What a reader would see of a page, without a tree: enough to tell a notice from a document."""

import re

SLIGHT_WORDS = 250
"""A page with more words than this has content of its own, whatever it quotes."""
BIG = 32 * 1024
SLIGHT_WORDS_IF_BIG = 120
"""Bytes above which a page counts as slight with fewer words only: notices are small."""
SCANNED = 256 * 1024
"""Bytes that are looked through for words; a page with fewer in them is taken to have content."""
MANY = 1_000_000
LONGEST_WORD = 15
"""Bytes that a word has at most on average: scripts without spaces have words, too."""

_STEP = 48
_UNSEEN = re.compile(
    rb"<(?:[/a-mo-ru-zA-MO-RU-Z][^>]*(?:>|\Z)"
    rb"|(?P<raw>(?i:script|style|title|noscript|template|svg)\b)"
    rb"[^<]*(?:<(?!/(?i:(?P=raw)))[^<]*)*(?:</[^>]*>?|\Z)"
    rb"|!--[^-]*(?:-(?!->)[^-]*)*(?:-->|\Z)"
    rb"|[^>]*(?:>|\Z))"
)
"""A tag, a comment, or an element that is not seen; the tags that begin none of these come first,
for speed. Every branch matches up to its end or that of the markup, so nothing is read twice."""


def read_words(markup: bytes, most: int) -> list[bytes]:
    """Return the words of *markup* in order; the reading stops soon after *most* of them."""
    words: list[bytes] = []
    rest = markup
    while rest and len(words) <= most:
        parts = _UNSEEN.split(rest, maxsplit=_STEP)
        is_last = len(parts) < 2 * _STEP + 1
        seen = parts[::2] if is_last else parts[:-1:2]
        words += b" ".join(seen).split()
        rest = b"" if is_last else parts[-1]
    return words


def count_words(markup: bytes, most: int = 10_000) -> int:
    """Return roughly how many words a reader would see; stops counting soon after *most*."""
    return weigh_words(read_words(markup, most))


def weigh_words(words: list[bytes]) -> int:
    """Return how many words these amount to in a script that parts them by spaces."""
    return max(len(words), sum(map(len, words)) // LONGEST_WORD)


def most_words_of_slight(size: int) -> int:
    """Return the words up to which a page of *size* bytes counts as one with little to read."""
    return SLIGHT_WORDS if size <= BIG else SLIGHT_WORDS_IF_BIG


def has_visible_text(body: bytes) -> bool:
    """False for a page of nothing but tags, scripts and hidden parts; stops at the first word."""
    return bool(read_words(body, 0))
