"""Fingerprints of what was in force: equal for equal meaning, on every machine and day."""

import hashlib
import json
from dataclasses import asdict

from pydantic import BaseModel, JsonValue

from crawler.contracts.record import RecordType
from crawler.contracts.site.config import Authorization


def hash_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def hash_json(value: JsonValue) -> str:
    """Return the SHA-256 of *value* in one spelling, whatever the order of its keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hash_bytes(text.encode())


def hash_authorization(authorization: Authorization) -> str:
    return hash_json(authorization.model_dump(mode="json"))


def hash_rules(record_type: RecordType, **sections: BaseModel) -> str:
    """Return the version of everything that decides a reading: 16 hex digits."""
    spelled: dict[str, JsonValue] = {
        name: section.model_dump(mode="json") for name, section in sections.items()
    }
    type_ = _spell_type(record_type, with_docs="model" in sections)
    return hash_json({**spelled, "record_type": type_})[:16]


def _spell_type(record_type: RecordType, *, with_docs: bool) -> JsonValue:
    """What a field means to people changes how it is read only where a model is told."""
    spelled = asdict(record_type)
    del spelled["doc"]
    for field in () if with_docs else spelled["fields"]:
        del field["doc"]
    return spelled
