"""Text of pages, written so that nothing that shows it obeys it."""

import json
import re
from typing import Any

from crawler.contracts.secrets import mask_secrets

STEERING = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""What JSON leaves as it is and a terminal, a line reader or a bidirectional text obeys."""
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet evaluates a cell that begins with one of these (OWASP, CSV Injection)."""


def dump_json(value: Any, *, indent: int | None = None) -> str:
    """Return JSON that reads back exactly, but for credentials in URLs.

    Raises ValueError for NaN and infinities.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, default=str)
    return _escape_steering(mask_secrets(text))


def neutral_cell(value: Any) -> object:
    """Return a CSV cell as a spreadsheet shows it without evaluating it."""
    if value is None or isinstance(value, int | float):
        return "" if value is None else value
    if not isinstance(value, str):
        return dump_json(value)
    text = _escape_steering(CONTROLS.sub("", mask_secrets(value)))
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _escape_steering(text: str) -> str:
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
