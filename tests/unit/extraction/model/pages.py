"""Pages with a rule that asks a model, and its answers."""

import json
from typing import Any

from crawler.contracts.page import PageReport
from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.rules import Rules
from crawler.contracts.site.model import ModelRules
from crawler.contracts.site.record import RecordRules
from crawler.interpretation.page import interpret
from crawler.sites.config import Sections, build_rules
from tests.unit.document.pages import make_snapshot

MODEL = "openai:test-model"
FIELDS = {
    "name": FieldKind.TEXT,
    "price": FieldKind.PRICE,
    "published": FieldKind.DATE,
    "seats": FieldKind.COUNT,
    "authors": FieldKind.NAMES,
    "blurb": FieldKind.PROSE,
}
TYPE = RecordType(
    name="show",
    schema_version="show.v1",
    schema_types=("Event",),
    key=("name",),
    fields=tuple(
        FieldSpec(
            name, kind, f"What {name} means.", name == "name", ("css:h1",) if name == "name" else ()
        )
        for name, kind in FIELDS.items()
    ),
)


def make_model_rules(*asked: str, zone: str | None = "main", **limits: object) -> Rules:
    """Return rules under which these fields are asked for, without any other rule."""
    return build_rules(
        "shows",
        RecordRules(
            type="show", fields={name: (f"model:the {name} of the show",) for name in asked}
        ),
        TYPE,
        Sections(model=ModelRules.model_validate({"name": MODEL, "zone": zone, **limits})),
    )


def page_of(main: str, around: str = "") -> str:
    return (
        f"<html><head><title>Blue Night</title></head><body><main><h1>Blue Night</h1>{main}"
        f"</main>{around}</body></html>"
    )


def answer_of(**fields: object) -> str:
    """Return an answer in which each field is None, or a (value, quote)."""
    said = {
        name: None if pair is None else {"value": pair[0], "quote": pair[1]}  # type: ignore[index]
        for name, pair in fields.items()
    }
    return json.dumps(said, ensure_ascii=False)


def ask(main: str, *asked: str, around: str = "", **limits: Any) -> PageReport:
    """Return the report on a page before any answer."""
    return interpret(make_snapshot(page_of(main, around)), make_model_rules(*asked, **limits))


def read(main: str, around: str = "", **fields: Any) -> PageReport:
    """Return the report on a page with an answer to all that was asked."""
    return interpret(
        make_snapshot(page_of(main, around)), make_model_rules(*fields), answer_of(**fields)
    )
