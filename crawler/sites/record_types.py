"""Record types: the built-in ones and those declared in ``types/`` beside the site files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from crawler.contracts.errors import Problem, SiteConfigError
from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.site.section import Rule
from crawler.sites.builtin import BUILT_IN
from crawler.sites.source import find_name_problems, list_files
from crawler.sites.typed import Draft, read_model, unknown
from crawler.sites.yaml import read_yaml

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

NAME = r"^[a-z][a-z0-9_]{0,63}$"
Name = Annotated[str, Field(pattern=NAME)]
SchemaType = Annotated[str, Field(pattern=r"^[A-Z][A-Za-z0-9]{0,99}$")]


class _Declaration(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class FieldDeclaration(_Declaration):
    """One field of a record type."""

    kind: FieldKind = Field(default=FieldKind.TEXT, description="How its text is read.")
    doc: str = Field(
        min_length=1, description="What it means; of a date, which event it is the date of."
    )
    required: bool = False
    rules: tuple[Rule, ...] = Field(
        default=(), description="Where its value stands on any site, first with a value wins."
    )


class TypeDeclaration(_Declaration):
    """One file of ``types/``."""

    name: str = Field(pattern=NAME, description="Equals the file's stem.")
    schema_version: str = Field(min_length=1, max_length=100)
    schema_types: tuple[SchemaType, ...] = Field(
        default=(), description="schema.org types whose JSON-LD describes such a record."
    )
    key: tuple[Name, ...] = Field(
        min_length=1, description="Fields that identify a record within its site."
    )
    doc: str = ""
    fields: dict[Name, FieldDeclaration] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class TypeCatalog:
    """The usable record types, and what is wrong with the others, by name."""

    types: dict[str, RecordType]
    problems: dict[str, tuple[Problem, ...]]


def load_types(sites_dir: Traversable) -> TypeCatalog:
    """Return the built-in types and those of ``types/`` in *sites_dir*, which need not exist."""
    types = dict(BUILT_IN)
    problems: dict[str, tuple[Problem, ...]] = {}
    folder = sites_dir / "types"
    files = list_files(folder) if folder.is_dir() else []
    misnamed = find_name_problems(files)
    for file in files:
        try:
            _refuse(problem for problem in misnamed if problem.path == file.path)
            types[file.stem] = parse_type(file.read(), file.path, file.stem)
        except SiteConfigError as error:
            problems[file.stem] = (*problems.get(file.stem, ()), *error.problems)
    return TypeCatalog(types, problems)


def _refuse(problems: Iterator[Problem]) -> None:
    if found := tuple(problems):
        raise SiteConfigError(found)


def parse_type(data: bytes, path: str, stem: str) -> RecordType:
    """Return the type that a file declares; raise SiteConfigError with all of its problems."""
    draft = read_model(read_yaml(data, path), TypeDeclaration, path)
    if isinstance(draft.data, dict):
        _check(draft, stem)
    if draft.model is None or draft.problems:
        raise draft.error()
    return _record_type(draft.model)


def _check(draft: Draft[TypeDeclaration], stem: str) -> None:
    data = draft.data
    assert isinstance(data, dict)
    fields, name, key = data.get("fields"), data.get("name"), data.get("key")
    if isinstance(name, str) and name != stem:
        draft.report(("name",), f"expected {stem!r}, the stem of the file; found {name!r}")
    if stem in BUILT_IN:
        draft.report(("name",), f"expected a name of its own; {stem!r} is built in")
    if not isinstance(fields, dict):
        return
    for index, field in enumerate(key if isinstance(key, list) else ()):
        if isinstance(field, str) and field not in fields:
            draft.report(("key", index), unknown("field", field, fields))


def _record_type(declared: TypeDeclaration) -> RecordType:
    return RecordType(
        name=declared.name,
        schema_version=declared.schema_version,
        schema_types=declared.schema_types,
        key=declared.key,
        fields=tuple(
            FieldSpec(name, field.kind, field.doc, field.required, field.rules)
            for name, field in declared.fields.items()
        ),
        doc=declared.doc,
    )
