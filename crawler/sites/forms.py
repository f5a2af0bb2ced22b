"""What each declared type is called, and how its text is read: tables, one line per form."""

import re
import types
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel, JsonValue
from pydantic.fields import FieldInfo

from crawler.contracts.site.collect import SitemapPlace
from crawler.contracts.site.section import (
    HttpUrl,
    JsonPath,
    PagePart,
    RowRule,
    Rule,
    Selector,
    UrlGlob,
)
from crawler.sites.addresses import PLACE_WORDS, URL_WORDS, find_place_fault, find_url_fault
from crawler.sites.globs import GLOB_WORDS, find_glob_fault
from crawler.sites.selectors import (
    RULE_WORDS,
    find_json_path_fault,
    find_part_fault,
    find_row_fault,
    find_rule_fault,
    find_selector_fault,
)


@dataclass(frozen=True, slots=True)
class Form:
    """What text of one declared form is called, and how it is checked."""

    words: str
    find_fault: Callable[[str], str | None]
    may_stand_alone: bool = False
    """A single one may be written where a list of them is declared."""


FORMS: tuple[tuple[object, Form], ...] = (
    (Rule, Form(RULE_WORDS, find_rule_fault, may_stand_alone=True)),
    (Selector, Form("a CSS selector", find_selector_fault)),
    (PagePart, Form("a CSS selector, or loaded: with a JSONPath", find_part_fault)),
    (RowRule, Form("a CSS selector, or jsonld: or loaded: with a JSONPath", find_row_fault)),
    (JsonPath, Form("a JSONPath (RFC 9535) such as $.items[*]", find_json_path_fault)),
    (UrlGlob, Form(GLOB_WORDS, find_glob_fault, may_stand_alone=True)),
    (HttpUrl, Form(URL_WORDS, find_url_fault)),
    (SitemapPlace, Form(PLACE_WORDS, find_place_fault, may_stand_alone=True)),
)


def _read_date(text: str) -> str | None:
    # fromisoformat would take 20270630 and 2027-W26-3 as well.
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _read_whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII) else None


def _read_number(text: str) -> float | None:
    is_number = re.fullmatch(r"[+-]?\d{1,18}(\.\d{1,18})?([eE][+-]?\d{1,2})?", text, re.ASCII)
    return float(text) if is_number else None


def _read_truth(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


LEAVES: dict[object, tuple[str, Callable[[str], JsonValue]]] = {
    str: ("text", lambda text: text),
    date: ("a date such as 2027-06-30", _read_date),
    int: ("a whole number", _read_whole),
    float: ("a number", _read_number),
    bool: ("true or false", _read_truth),
}

PATTERN_WORDS = {
    r"^(openai|anthropic):[^\s:]\S{0,199}$": "openai:NAME or anthropic:NAME",
    r"^[^\s=&?#/*]+\*?$": "the name of a query parameter, which a * may end",
    r"^[^\s=&?#]+$": "the name of a query parameter",
    r"^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*){0,9}$": "the name of a script variable such as "
    "app.isReady",
    r"^(path|last_segment|segment:[1-9]\d?|query:[^\s=&?#]{1,100})$": "path, last_segment, "
    "segment:N or query:NAME",
    r"^[A-Za-z_][\w.-]{0,99}$": "the name of an attribute such as data-id",
    r"[^\s*]": "a title such as '* | Garden Jazz', in which a * stands for any text",
    r"^[a-z]{2}(-[A-Z]{2})?$": "a language such as de, or one with its country such as en-US",
    r"^\d+[smhd]$": "a number with a unit (s, m, h or d) such as 12h or 7d",
    r"^[a-z][a-z0-9_]{0,63}$": "a name of lower-case letters, digits and '_', letter first",
    r"^[a-z0-9][a-z0-9_-]{0,63}$": "a name of at most 64 lower-case letters, digits, '-' and '_'",
    r"^[a-z0-9][a-z0-9_-]{0,99}$": "a name of lower-case letters, digits, '-' and '_'",
    r"^[A-Z][A-Za-z0-9]{0,99}$": "the name of a schema.org type without prefix, such as Event",
}

MESSAGES = {
    "string_too_short": "expected text that is not empty",
    "string_too_long": "expected at most {max_length} characters",
    "greater_than": "expected more than {gt}",
    "greater_than_equal": "expected at least {ge}",
    "less_than_equal": "expected at most {le}",
    "too_short": "expected at least {min_length} of them, found {actual_length}",
    "too_long": "expected at most {max_length} of them, found {actual_length}",
}


def form_of(annotation: object) -> Form | None:
    """Return the form of text that *annotation* declares, optional or not."""
    inner = _without_none(annotation)
    return next((form for declared, form in FORMS if inner is declared), None)


def bare_of(annotation: object) -> object:
    """Return *annotation* without its constraints and without None."""
    inner = _without_none(annotation)
    return get_args(inner)[0] if get_origin(inner) is Annotated else inner


def _without_none(annotation: object) -> object:
    if get_origin(annotation) not in {Union, types.UnionType}:
        return annotation
    inner = tuple(arg for arg in get_args(annotation) if arg is not types.NoneType)
    return Union[inner] if len(inner) > 1 else inner[0]  # noqa: UP007 - of what is known only here


def leaf_of(bare: object) -> tuple[str, Callable[[str], JsonValue]]:
    """Return what a scalar of this type is called, and what reads it (None: it is not one)."""
    choices = _choices_of(bare)
    if not choices:
        return LEAVES[bare]
    return " or ".join(choices), lambda text: text if text in choices else None


def _choices_of(bare: object) -> tuple[str, ...]:
    if get_origin(bare) is Literal:
        return get_args(bare)
    if get_origin(bare) in {Union, types.UnionType}:
        return tuple(choice for each in get_args(bare) for choice in _choices_of(each))
    if isinstance(bare, type) and issubclass(bare, StrEnum):
        return tuple(bare)
    return ()


def words_of(info: FieldInfo) -> str:
    """Return what is expected of a field, in words for the author of the file."""
    return f"{describe(info.annotation)}{f' ({info.description})' if info.description else ''}"


def describe(annotation: object) -> str:
    form, bare = form_of(annotation), bare_of(annotation)
    if form:
        return form.words
    if isinstance(bare, type) and issubclass(bare, BaseModel):
        return f"a mapping with the keys {', '.join(bare.model_fields)}"
    if get_origin(bare) is tuple:
        return f"a list, each entry {describe(get_args(bare)[0])}"
    if get_origin(bare) is dict:
        return "a mapping by name"
    return leaf_of(bare)[0]
