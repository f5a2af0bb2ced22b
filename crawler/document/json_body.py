"""A JSON response: its bytes become a value, or the reason why not."""

import re
from dataclasses import dataclass
from json import JSONDecodeError

from pydantic import JsonValue

from crawler.contracts.snapshot import Snapshot
from crawler.document.data import Flaw
from crawler.document.encoding import decode
from crawler.document.strict_json import RefusedError, parse

MAX_CHANGES = 20
_MARK = b"\xef\xbb\xbf"
_GUARD = re.compile(rb"\s*(?:\)\]\}'?,?|(?:while|for)\s*\((?:1|;;)\)\s*;|throw 1;\s*<[^>]*>)\s*")
"""What is put before JSON so that it is no script."""


@dataclass(frozen=True, slots=True)
class JsonBody:
    value: JsonValue = None
    start: int = 0
    """Where the value begins, in bytes."""
    is_utf8: bool = True
    repairs: tuple[str, ...] = ()
    flaw: Flaw | None = None
    problem: str = ""


def read_json(snapshot: Snapshot) -> JsonBody:
    """Return the value of the body, as UTF-8 (RFC 8259, 8.1) unless its bytes are none."""
    start = len(_MARK) if snapshot.body.startswith(_MARK) else 0
    guard = _GUARD.match(snapshot.body, start)
    start, repairs = (guard.end(), ["guard before it dropped"]) if guard else (start, [])
    text, is_utf8 = _decode(snapshot, start)
    if not is_utf8:
        repairs.append(f"read as {snapshot.encoding.name}")
    try:
        value, changes = parse(text, strict=False)
    except JSONDecodeError as error:
        flaw = Flaw.CUT if _is_cut(error) else Flaw.BROKEN
        return JsonBody(flaw=flaw, problem=f"no JSON: {error.msg} at character {error.pos}")
    except (RefusedError, RecursionError) as error:
        return JsonBody(flaw=Flaw.BROKEN, problem=f"refused: {str(error)[:200]}")
    return JsonBody(value, start, is_utf8, (*repairs, *changes[:MAX_CHANGES]))


def _decode(snapshot: Snapshot, start: int) -> tuple[str, bool]:
    try:
        return snapshot.body[start:].decode("utf-8").lstrip(), True
    except UnicodeDecodeError:
        return decode(snapshot.body[start:], snapshot.encoding).lstrip("\ufeff \t\r\n"), False


def _is_cut(error: JSONDecodeError) -> bool:
    """Whether more was to come: the text ends inside a value."""
    is_open = error.msg.startswith("Unterminated string")
    return is_open or error.pos >= len(error.doc.rstrip())
