"""Text that cannot be taken for Markdown marks, and links that lead to the web only."""

import re
from urllib.parse import quote

from crawler.document.url import resolve_url

# Characters that are not seen, reorder what is seen, or smuggle text (Unicode tags, fillers).
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff\U0001d173-\U0001d17a\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]"
)
# A joiner is part of emoji and of the scripts of south and west Asia; elsewhere it is not seen.
_IDLE_JOINER = re.compile(
    "(?<![\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\u2190-\U0001faff])[\u200c\u200d]"
)
_SUSPECT = re.compile("[^\x09\x0a\x0c\x0d\x20-\x7e\xa0-\xac\xae-\u033f]")

_MARKS = re.compile(
    r"""\\(?=[!-/:-@\[-`{-~])"""
    r"|`"
    r"|\*(?=\S)|(?<=\S)\*"
    r"|(?<![^\W_])_(?=\S)|(?<=\S)_(?![^\W_])"
    r"|\](?=[(\[])"
    r"|~(?=~)"
    r"|<(?=[a-zA-Z/!?])"
    r"|&(?=\#?\w{1,32};)"
)
_ANY_MARK = re.compile(r"[\\`*_~<&]|\]")
_LINE_START = re.compile(r"\#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|~{3}")
_RULE_CHARACTERS = frozenset(" \t:|-=*_")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_DEFINITION = re.compile(r"\[[^\]]{1,999}\]:")
_URL_UNSAFE = re.compile(r"[\s<>()\\`*_\[\]|\"']")


def clean(text: str) -> str:
    """Return *text* without the characters that no reader sees."""
    if _SUSPECT.search(text) is None:
        return text
    return _IDLE_JOINER.sub("", _UNSEEN.sub("", text))


def escape(text: str) -> str:
    """Return *text* such that CommonMark shows it as it is, apart from the start of a line."""
    if _ANY_MARK.search(text) is None:
        return text
    return _MARKS.sub(lambda found: "\\" + found[0], text)


def escape_line_start(line: str) -> str:
    """Return a line of running text that begins no block of its own."""
    if not line or line[0] not in "#>-+*=~|:_[0123456789":
        return line
    if _LINE_START.match(line) or _DEFINITION.match(line) or _RULE_CHARACTERS.issuperset(line):
        return "\\" + line
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if line[0].isdigit() else line


def absolute_link(base: str, reference: str) -> str | None:
    """Return where a link leads, safe between parentheses; None for what is not on the web."""
    url = resolve_url(base, reference)
    if url is None or len(url) > 2083:
        return None
    return _URL_UNSAFE.sub(lambda found: quote(found[0], safe="_*"), clean(url))


def code_span(text: str) -> str:
    """Return *text* as code, in more backticks than it holds in a row."""
    runs = re.findall(r"`+", text)
    fence = "`"
    while fence in runs:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fence_for(text: str) -> str:
    """Return a fence longer than any run of backticks in *text*."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    return "`" * (longest + 1)
