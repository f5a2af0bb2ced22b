"""Mend the syntax of JSON as people and templates write it, without guessing where a value ends.

What is mended: comments, markup and odd white space between the tokens; commas that are missing,
doubled or trailing; missing values; keys without quotes; other quotes than ``"``; bare quotes in
a string; escapes and numbers that JSON has not; a missing or superfluous end. What still is no JSON
then is refused by who parses it.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

_START = re.compile(r"[{\[](?=\s*(?:[\"'\u201c\u201d{}\[\]/<,]|[A-Za-z_$@\d-]))")
_FIRST_KEY = re.compile(r"\{\s*([\"'\u201c\u201d]?)")
_PASSED_OVER = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|</?[a-zA-Z][^<>\"]{0,200}/?>", re.DOTALL
)
_WORD = re.compile(r"[A-Za-z_$@][\w$@]*(?::(?=\w)[\w$]*)?")
_WORDS = {"undefined": "null", "None": "null", "True": "true", "False": "false"}
_NUMBER = re.compile(r"[+-]?(?:\d|\.\d)[\w.]*(?:[eE][+-]\d+)?")
_WITH_COMMAS = re.compile(r"-?\d[\d.]*(?:,\d[\d.]*)+(?=\s*(?:[,}]|\Z))")
"""What can be one number only behind a colon."""
_SPACE = r"[\s\x00\u200b\ufeff]*"
_DOUBLE, _SINGLE = '"\u201c\u201d\u201e', "'\u2018\u2019"
_CLOSERS = {'"': '"', "'": "'"}
_CLOSERS |= dict.fromkeys(_DOUBLE[1:], _DOUBLE) | dict.fromkeys(_SINGLE[1:], _SINGLE)
_IN_STRING = re.compile(rf"[^\\{_DOUBLE}{_SINGLE}]*")
_COLON_AHEAD = re.compile(rf"{_SPACE}:")
_VALID_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})")
_BYTE_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})")


def mend_syntax(text: str) -> str:
    """Return the first value of *text*, or those of a sequence, as JSON if that can be had.

    A quote ends a string only where what follows fits the place: ``:`` behind a key, ``}`` or
    ``, "key":`` behind a member, ``]`` or ``,`` and a value behind an element.
    """
    start = _START.search(text)
    return _Mender(text, start.start()).mend() if start else text


@dataclass(frozen=True, slots=True)
class _Endings:
    """What follows the quote that ends a key, a member or an element."""

    key: re.Pattern[str]
    member: re.Pattern[str]
    element: re.Pattern[str]


@lru_cache(maxsize=4)
def _endings(first_quote: str) -> _Endings:
    """*first_quote* opens the first key of the text; none where its keys are bare."""
    quotes = _DOUBLE if first_quote in _DOUBLE and first_quote else _DOUBLE + _SINGLE
    key = rf"[{quotes}](?:[^{quotes}\\\n]|\\.){{1,200}}[{quotes}]{_SPACE}:"
    if not first_quote:
        key = rf"(?:{key}|[A-Za-z_$@][\w$]{{0,200}}{_SPACE}:)"
    comment, markup = r"//|/\*|<!--", rf"(?:</?[a-zA-Z][^<>\"]{{0,50}}>{_SPACE})*"
    return _Endings(
        key=_COLON_AHEAD,
        member=re.compile(
            rf"{_SPACE}(?:[}}]|,{_SPACE}(?:[,}}]|{comment}|{markup}{key})|\Z)|\s{_SPACE}{key}"
        ),
        element=re.compile(
            rf"{_SPACE}(?:\]|,{_SPACE}(?:[{quotes}{{\[\],\d-]|true|false|null|{comment})|\Z)"
        ),
    )


class _Mender:
    def __init__(self, text: str, start: int) -> None:
        first_key = _FIRST_KEY.search(text, start)
        self._endings = _endings(first_key[1] if first_key else '"')
        self._text = text
        self._position = start
        self._out: list[str] = []
        self._open: list[str] = []
        self._opened = Counter[str]()
        """How often each stands in ``_open``."""
        self._last_opening = max(map(text.rfind, '{["'))
        self._has_bare_quotes = False

    def mend(self) -> str:
        while self._position < len(self._text):
            self._step(self._text[self._position])
            if not self._open and self._position > self._last_opening:
                break
        return "".join(self._out) + self._missing_end()

    def _step(self, character: str) -> None:
        if character in _CLOSERS:
            self._separate()
            self._copy_string(_CLOSERS[character])
        elif character in "{[":
            self._separate()
            self._open.append(character)
            self._opened[character] += 1
            self._emit(character, 1)
        elif character in "}]":
            self._close("{" if character == "}" else "[")
        elif character == ",":
            self._copy_comma()
        elif not self._skip():
            self._copy_rest(character)

    @property
    def _last(self) -> str:
        return self._out[-1][-1] if self._out else ""

    def _emit(self, piece: str, consumed: int) -> None:
        if piece:
            self._out.append(piece)
        self._position += consumed

    def _separate(self) -> None:
        """Put the comma that is missing between two values."""
        if self._open and self._last not in "{[,:":
            self._out.append(",")

    def _copy_comma(self) -> None:
        if self._last == ":":
            self._out.append("null")
        self._emit("," if self._last not in "{[," else "", 1)

    def _close(self, opener: str) -> None:
        self._position += 1
        if not self._opened[opener]:
            return
        self._complete()
        top = ""
        while top != opener:
            top = self._open.pop()
            self._opened[top] -= 1
            self._out.append("}" if top == "{" else "]")

    def _complete(self) -> None:
        if self._last == ",":
            self._out.pop()
        if self._last == ":":
            self._out.append("null")

    def _skip(self) -> bool:
        """Pass over a comment or markup."""
        passed = _PASSED_OVER.match(self._text, self._position)
        if passed:
            self._position = passed.end()
        return passed is not None

    def _copy_rest(self, character: str) -> None:
        if word := _WORD.match(self._text, self._position):
            is_key = bool(_COLON_AHEAD.match(self._text, word.end())) and self._last in "{,"
            self._emit(f'"{word[0]}"' if is_key else _WORDS.get(word[0], word[0]), len(word[0]))
        elif number := self._number_ahead():
            self._emit(_write_number(number[0]), len(number[0]))
        elif character.isspace() or not character.isprintable():
            self._position += 1
        else:
            self._emit(character, 1)

    def _number_ahead(self) -> re.Match[str] | None:
        with_commas = _WITH_COMMAS.match(self._text, self._position) if self._last == ":" else None
        return with_commas or _NUMBER.match(self._text, self._position)

    def _copy_string(self, closers: str) -> None:
        ends = self._ending()
        self._emit('"', 1)
        while self._position < len(self._text):
            plain = _IN_STRING.match(self._text, self._position)[0]  # type: ignore[index]
            self._emit(plain, len(plain))
            if self._position >= len(self._text):
                return
            character = self._text[self._position]
            if character == "\\":
                self._copy_escape()
            elif character not in closers:
                self._emit('\\"' if character == '"' else character, 1)
            elif ends.match(self._text, self._position + 1):
                self._emit('"', 1)
                return
            else:
                self._has_bare_quotes = True
                self._emit('\\"' if character == '"' else character, 1)

    def _copy_escape(self) -> None:
        if escape := _VALID_ESCAPE.match(self._text, self._position):
            self._emit(escape[0], len(escape[0]))
        elif byte := _BYTE_ESCAPE.match(self._text, self._position):
            self._emit(rf"\u00{byte[1]}", len(byte[0]))
        else:
            self._position += 1  # as JavaScript reads it: the character itself

    def _ending(self) -> re.Pattern[str]:
        if not self._open or self._open[-1] == "[":
            return self._endings.element
        return self._endings.key if self._last in "{," else self._endings.member

    def _missing_end(self) -> str:
        """Where a quote stands bare, the text may as well end inside a string."""
        is_whole = bool(self._open) and self._last in '"}]' and not self._has_bare_quotes
        if not is_whole or not _is_cut(self._text):
            return ""
        return "".join("}" if opener == "{" else "]" for opener in reversed(self._open))


def _write_number(written: str) -> str:
    """Return a number as JSON has it; one with commas or zeros before it as the text it is."""
    number = written.removeprefix("+").removesuffix(".")
    number = re.sub(r"^(-?)\.", r"\g<1>0.", number)
    is_text = "," in number or re.match(r"-?0\d", number)
    return f'"{number}"' if is_text else number


def _is_cut(text: str) -> bool:
    """Whether the end is missing rather than one inside, which its indentation would show."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) < 2 or _indent(lines[-1]) > _indent(lines[0])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
