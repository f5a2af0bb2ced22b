"""Between values and the text a database keeps: JSON, never pickle."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Generic, TypeVar

from pydantic import JsonValue, TypeAdapter
from pydantic_core import PydanticSerializationError

from crawler.contracts.collection import Collection, ListedPage
from crawler.contracts.evidence import FieldValue
from crawler.contracts.page import PageReport
from crawler.contracts.record import Rejection
from crawler.contracts.retry import RetryDecision
from crawler.contracts.snapshot import Hop
from crawler.ledger.volatile import strip_tokens

T = TypeVar("T")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))
_ESCAPED = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def storable(text: str) -> str:
    """Replace NUL (PostgreSQL refuses it) and lone surrogates (UTF-8 has none) by U+FFFD."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def canonical_json(value: Any) -> str:
    """Return the one JSON text of *value*; lone surrogates survive as escapes."""
    text = _CANONICAL.encode(value)
    if text.isascii() or not _UNSTORABLE.search(text):
        return text
    return _ESCAPED.encode(value)


def hash_content(values: Mapping[str, JsonValue], volatile: Iterable[str] = ()) -> str:
    """Return what tells two versions of a record apart: their values, not their evidence.

    Fields named *volatile* do not count, nor do signatures and sessions in URLs.
    """
    left_out = frozenset(volatile)
    kept = {name: strip_tokens(value) for name, value in values.items() if name not in left_out}
    return hashlib.sha256(canonical_json(kept).encode()).hexdigest()


def name_record(site: str, type_: str, key: str) -> str:
    """Return the primary key of a record, the same on every machine."""
    return hashlib.sha256(canonical_json([site, type_, key]).encode()).hexdigest()[:32]


def shorten(name: str) -> str:
    """Return as much of a fingerprint or record id as tells the items of a cycle apart.

    64 bits: of a million items, two are the same with a chance of 3 in 100 million.
    """
    return name[:16]


class _JsonText(Generic[T]):
    """Turns values of one type into JSON text and back."""

    def __init__(self, type_: Any) -> None:
        self._adapter: TypeAdapter[T] = TypeAdapter(type_)

    def dump(self, value: T) -> str:
        try:
            return self._adapter.dump_json(value).decode()
        except PydanticSerializationError:  # a lone surrogate
            return canonical_json(_plain(value))

    def load(self, text: str) -> T:
        return self._adapter.validate_python(json.loads(text))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value


FIELDS = _JsonText[dict[str, FieldValue]](dict[str, FieldValue])
REJECTION = _JsonText[Rejection](Rejection)
DECISION = _JsonText[RetryDecision](RetryDecision)
LISTED_PAGE = _JsonText[ListedPage](ListedPage)
COLLECTIONS = _JsonText[tuple[Collection, ...]](tuple[Collection, ...])
HOPS = _JsonText[tuple[Hop, ...]](tuple[Hop, ...])
HEADERS = _JsonText[tuple[tuple[str, str], ...]](tuple[tuple[str, str], ...])


def summarise_report(report: PageReport) -> str:
    """Return what a page said beside its records, which are kept on their own."""
    return canonical_json(
        {
            "verdict": {"kind": report.verdict.kind, "evidence": report.verdict.evidence},
            "expected_count": report.expected_count,
            "candidates": len(report.candidates),
            "links": len(report.links),
            "notes": report.notes,
            "readiness": report.readiness,
        }
    )
