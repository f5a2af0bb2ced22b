"""Mend JSON that strict parsing refuses, without ever guessing where a value ends.

Each step is a function from text to text; ``jsonld`` tries them in order and names those that
changed something. What none of them makes readable is refused.
"""

import re
from html import unescape

_WRAPPERS = re.compile(
    r"\A(?:\s|\ufeff|<!\[CDATA\[|<!--+|/\*.*?\*/|//[^\n{\[<]*(?=[\n{\[<]))+", re.DOTALL
)
_WRAPPER_ENDS = ("//", "*/", "/*", "-->", "]]>", "]]&gt;")
MAX_WRAPPER_ENDS = 8
_BLANK = " \t\r\n"
_ENTITY = re.compile(r"&(?:quot|#34|#x22|#034);", re.IGNORECASE)
_PLAIN = re.compile(r"[^\"{}\[\]/<]+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_STRING_STEP = re.compile(r"[^\"\\]*")
_LEADING_ZERO = re.compile(r"(:\s*)(0\d+)(?=\s*(?:,|\Z))")
_NO_VALUE = re.compile(r":(\s*)(?=,|\Z)")
_KEY_AHEAD = r"\"(?:[^\"\\\n]|\\.){1,200}\"\s*:"
_ENDS_KEY = re.compile(r"\s*:")
_ENDS_MEMBER = re.compile(r"\s*(?:[}]|,\s*(?:[}]|//|/\*|<!--|" + _KEY_AHEAD + r")|\Z)")
_ENDS_ELEMENT = re.compile(r"\s*(?:\]|,\s*(?:[\"{\[\]\d-]|true|false|null|//|/\*|<!--)|\Z)")
_VALID_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})")


def strip_wrappers(text: str) -> str:
    """Drop a byte order mark and the comment or CDATA marks around the block."""
    opened = _WRAPPERS.sub("", text, count=1)
    if not opened or opened[0] not in "{[":
        return text
    bare = _strip_wrapper_end(opened)
    return text if bare == text.strip(_BLANK) else bare


def _strip_wrapper_end(text: str) -> str:
    bare = text.rstrip(_BLANK)
    for _ in range(MAX_WRAPPER_ENDS):
        end = next((end for end in _WRAPPER_ENDS if bare.endswith(end)), None)
        if end is None:
            break
        bare = bare.removesuffix(end).rstrip(_BLANK + "-")
    return bare


def strip_terminator(text: str) -> str:
    """Drop the semicolon of a JavaScript statement."""
    bare = text.rstrip(_BLANK + ";")
    return bare if ";" in text[len(bare) :] else text


def unescape_once(text: str) -> str:
    """Decode HTML entities when the quotes themselves are written as entities."""
    return unescape(text) if '"' not in text and _ENTITY.search(text) else text


def mend_syntax(text: str) -> str:
    """Mend comments, trailing commas, missing values, leading zeros, bad escapes, bare quotes.

    A bare quote ends a string only where what follows fits the place: ``:`` behind a key, ``}`` or
    ``, "key":`` behind a member, ``]`` or ``,`` and a value behind an element.
    """
    return _Mender(text).mend()


class _Mender:
    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._out: list[str] = []
        self._open: list[str] = []

    def mend(self) -> str:
        while self._position < len(self._text):
            self._step(self._text[self._position])
        return "".join(self._out)

    def _step(self, character: str) -> None:
        if character == '"':
            self._copy_string()
        elif character in "{[":
            self._open.append(character)
            self._emit(character)
        elif character in "}]":
            self._close(character)
        elif character in "/<":
            self._skip_comment()
        else:
            self._copy_plain()

    def _emit(self, piece: str) -> None:
        self._out.append(piece)
        self._position += len(piece)

    def _close(self, character: str) -> None:
        while self._out and not self._out[-1].strip():
            self._out.pop()
        if self._out and self._out[-1].rstrip().endswith(","):
            self._out[-1] = self._out[-1].rstrip()[:-1]
        if self._out and self._out[-1].rstrip().endswith(":"):
            self._out.append("null")
        if self._open:
            self._open.pop()
        self._emit(character)

    def _skip_comment(self) -> None:
        comment = _COMMENT.match(self._text, self._position)
        if comment is None:
            self._emit(self._text[self._position])
        else:
            self._position = comment.end()

    def _copy_plain(self) -> None:
        plain = _PLAIN.match(self._text, self._position)
        piece = plain[0] if plain else self._text[self._position]
        self._position += len(piece)
        self._out.append(_NO_VALUE.sub(_null_unless_last, _LEADING_ZERO.sub(r'\1"\2"', piece)))

    def _copy_string(self) -> None:
        ends = self._ending()
        self._out.append('"')
        self._position += 1
        while self._position < len(self._text):
            self._emit(_STRING_STEP.match(self._text, self._position)[0])  # type: ignore[index]
            if self._position >= len(self._text):
                return
            if self._text[self._position] == "\\":
                self._copy_escape()
            elif ends.match(self._text, self._position + 1):
                self._emit('"')
                return
            else:
                self._out.append('\\"')
                self._position += 1

    def _copy_escape(self) -> None:
        escape = _VALID_ESCAPE.match(self._text, self._position)
        if escape:
            self._emit(escape[0])
        else:
            self._position += 1  # as JavaScript reads it: the character itself

    def _ending(self) -> re.Pattern[str]:
        if not self._open or self._open[-1] == "[":
            return _ENDS_ELEMENT
        before = next((piece.rstrip() for piece in reversed(self._out) if piece.strip()), "")
        return _ENDS_KEY if before.endswith(("{", ",")) else _ENDS_MEMBER


def _null_unless_last(match: re.Match[str]) -> str:
    """Fill ``"width": ,`` with null; a colon at the end of a piece has its value in the next."""
    return match[0] if match.end() == len(match.string) else f": null{match[1]}"
