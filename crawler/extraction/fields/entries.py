"""Lists: texts line by line, the steps of an instruction, the names of people."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.markup import read_lines, read_prose
from crawler.extraction.fields.reading import Context, Unreadable, shorten
from crawler.extraction.fields.text import read_text

MAX_DEPTH = 6
MAX_ENTRIES = 1_000
STEP_KEYS = ("text", "itemListElement", "steps", "item", "description")
"""Where a step, a section or a list of either says what to do; the first that is there counts."""
_NUMBERED = re.compile(r"\W*\w*\W*\d+\W*")
_SPACE_BEFORE_COMMA = re.compile(r"\s+,(?=\s|$)")
_BULLET = re.compile(r"^[*\u2022\u25cf\u25aa\u25a2\u2610\u00b7\u2013-]\s+(?=\S)")
"""What marks an entry in plain text; a star right before a word refers to a note."""
_GLUED = re.compile(r"(?<=[a-zà-ÿ)\d]{2}[.!])(?=[A-ZÀ-Ý][a-zà-ÿ]+[ ,])")
"""Where a line break was lost between two sentences."""
MIN_GLUED = 2
_DOUBLE_BRACKETS = re.compile(r"\(\(([^()]*)\)\)")
_BYLINE = re.compile(
    r"^(?:(?:(?:[Rr]ecipe|[Ww]ritten|[Pp]osted|[Ss]tory|[Tt]ext|[Ww]ords)\s+)?[Bb]y:?\s+(?=[A-Z])"
    r"|(?:[Aa]uthor|[Aa]utor|[Aa]uteur|[Aa]utore|[Vv]on|[Pp]ar|[Pp]or|[Dd]oor):\s*|(?:von|par|por|door|af|av)\s+(?=[A-Z])"
    r"|(?:Von|Par|Por|Door)\s+(?=[A-Z]\S+\s+[A-Z]))"
)
"""``Von Miller`` is a name; ``Von Max Miller`` says who wrote it."""
_WEB = ("http://", "https://", "www.")


def read_entries(raw: JsonValue, context: Context) -> list[JsonValue] | Missing | Unreadable:
    """Read one entry of a list; text of several lines is several entries."""
    if isinstance(raw, dict):
        raw = raw.get("@value") or read_amount(raw, "name") or raw
    if isinstance(raw, str):
        return _or_absent(list(map(tidy, read_lines(raw, context))))
    text = read_text(raw, context)
    return text if isinstance(text, Missing | Unreadable) else [text]


def read_amount(raw: dict[str, JsonValue], *behind: str) -> str:
    """Return the value of an amount with its unit and what stands *behind*, as one would say it."""
    parts = (raw.get(key) for key in ("value", "unitText", *behind))
    return " ".join(
        str(part) for part in parts if isinstance(part, str | int | float) and part != ""
    )


def read_yield(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if isinstance(raw, dict) and "@value" not in raw:
        raw = read_amount(raw) or raw
    return read_text(raw, context)


def tidy(line: str) -> str:
    """Return *line* without the scars of a form: a comma apart from its word, brackets in brackets."""
    plain = _BULLET.sub("", line)
    return _DOUBLE_BRACKETS.sub(r"(\1)", _SPACE_BEFORE_COMMA.sub(",", plain))


def read_steps(raw: JsonValue, context: Context) -> list[JsonValue] | Missing | Unreadable:
    """Read steps and sections; a title that its text does not begin with is an entry of its own."""
    if isinstance(raw, bool | int | float):
        return Unreadable(RejectReason.INVALID_VALUE, f"no instruction: {shorten(raw)}")
    return _or_absent(list(_steps(raw, context, 0))[:MAX_ENTRIES])


def _steps(raw: JsonValue, context: Context, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if isinstance(raw, str):
        lines = read_lines(raw, context)
        yield from (_BULLET.sub("", line) for line in _part(lines))
    elif isinstance(raw, list):
        for entry in raw:
            yield from _steps(entry, context, depth + 1)
    elif isinstance(raw, dict):
        yield from _step(raw, context, depth)


def _part(lines: list[str]) -> list[str]:
    """Take a text apart that was several lines before its breaks were lost."""
    parts = _GLUED.split(lines[0]) if len(lines) == 1 else []
    return parts if len(parts) > MIN_GLUED else lines


def _step(raw: dict[str, JsonValue], context: Context, depth: int) -> Iterator[str]:
    keys = ("@value", *STEP_KEYS)
    found = ([*_steps(raw[key], context, depth + 1)] for key in keys if raw.get(key))
    said = next(filter(None, found), [])
    name = raw.get("name") or raw.get("Name")
    title = read_prose(name, context) if isinstance(name, str) else ""
    if title and not (said and _says_no_more(title, said[0])):
        yield title
    yield from said


def _says_no_more(title: str, text: str) -> bool:
    """Whether a title is the beginning of its text, or only the number of the step."""
    opening = title.rstrip(".\u2026 ").casefold()
    return text.casefold().startswith(opening) or _NUMBERED.fullmatch(title[:40]) is not None


def read_prose_text(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    if isinstance(raw, dict) and isinstance(raw.get("@value"), str):
        raw = raw["@value"]
    if isinstance(raw, str):
        return read_prose(raw, context) or Missing.ABSENT
    return read_text(raw, context)


def read_names(raw: JsonValue, context: Context) -> list[JsonValue] | Missing | Unreadable:
    """Read a name, or whoever bears it; the address of a profile is no name."""
    if isinstance(raw, dict) and "@value" not in raw:
        return read_names(_named(raw), context)
    if isinstance(raw, list):
        return _join([read_names(entry, context) for entry in raw[:MAX_ENTRIES]])
    text = read_prose_text(raw, context)
    if isinstance(text, Missing | Unreadable):
        return text
    return Missing.NOT_FOUND if text.lower().startswith(_WEB) else [_BYLINE.sub("", text)]


def _named(raw: dict[str, JsonValue]) -> JsonValue:
    """Return the name, put together from its parts where it stands in parts."""
    name = raw.get("name") or raw.get("legalName") or raw.get("alternateName")
    if isinstance(name, dict) and "@value" not in name:
        return None
    parts = [raw.get(key) for key in ("givenName", "familyName")]
    return name or " ".join(part for part in parts if isinstance(part, str)) or None


def _join(readings: list[list[JsonValue] | Missing | Unreadable]) -> list[JsonValue] | Missing:
    names = [name for reading in readings if isinstance(reading, list) for name in reading]
    return names or Missing.ABSENT


def _or_absent(entries: list[str]) -> list[JsonValue] | Missing:
    return list(entries) or Missing.ABSENT
