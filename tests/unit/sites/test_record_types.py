from pathlib import Path

import pytest

from crawler.contracts.errors import Problem, SiteConfigError
from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.sites.builtin import BUILT_IN
from crawler.sites.record_types import load_types, parse_type

DATASET = """
name: dataset
schema_version: 1.10
schema_types: [Dataset]
key: [doi]
doc: Published data.
fields:
  doi: {doc: The persistent name., required: true, rules: "jsonld:$.identifier"}
  issued:
    kind: date
    doc: When this version was published.
    rules: ["jsonld:$.datePublished", "css:time::attr(datetime)"]
"""


def problems_of(text: str, stem: str = "dataset") -> tuple[Problem, ...]:
    with pytest.raises(SiteConfigError) as caught:
        parse_type(text.encode(), f"types/{stem}.yaml", stem)
    return caught.value.problems


def types_dir(sites_dir: Path, **files: str) -> Path:
    folder = sites_dir / "types"
    folder.mkdir()
    for stem, text in files.items():
        (folder / f"{stem}.yaml").write_text(text)
    return folder


def test_a_type_is_read_from_its_file() -> None:
    assert parse_type(DATASET.encode(), "types/dataset.yaml", "dataset") == RecordType(
        name="dataset",
        schema_version="1.10",
        schema_types=("Dataset",),
        key=("doi",),
        doc="Published data.",
        fields=(
            FieldSpec(
                "doi", FieldKind.TEXT, "The persistent name.", True, ("jsonld:$.identifier",)
            ),
            FieldSpec(
                "issued",
                FieldKind.DATE,
                "When this version was published.",
                False,
                ("jsonld:$.datePublished", "css:time::attr(datetime)"),
            ),
        ),
    )


def test_all_problems_of_a_type_are_named_at_once() -> None:
    text = """
name: dataset2
schema_types: ["https://schema.org/Dataset"]
key: [doy, Doi]
fields:
  doi: {kind: datum, doc: x}
  issued: {kind: date}
  Big: {doc: x}
  url: {doc: x, rules: [page:title]}
"""

    assert [(problem.line, problem.field) for problem in problems_of(text)] == [
        (2, "schema_version"),
        (2, "name"),
        (3, "schema_types[0]"),
        (4, "key[1]"),
        (4, "key[0]"),
        (6, "fields.doi.kind"),
        (7, "fields.issued.doc"),
        (8, "fields.Big"),
        (9, "fields.url.rules[0]"),
    ]


def test_a_field_must_say_what_it_means() -> None:
    (problem,) = problems_of(DATASET.replace("doc: When this version was published.", ""))

    assert problem.field == "fields.issued.doc"
    assert "of a date, which event it is the date of" in problem.message


def test_a_key_must_name_a_field() -> None:
    (problem,) = problems_of(DATASET.replace("key: [doi]", "key: [dio]"))

    assert problem.message == "unknown field 'dio'; did you mean doi?"


def test_a_built_in_type_cannot_be_replaced() -> None:
    (problem,) = problems_of(DATASET.replace("name: dataset", "name: event"), stem="event")

    assert problem.message == "expected a name of its own; 'event' is built in"


def test_the_built_in_types_need_no_folder(tmp_path: Path) -> None:
    catalog = load_types(tmp_path)

    assert catalog.types == BUILT_IN
    assert catalog.problems == {}


def test_a_broken_type_leaves_the_others_usable(tmp_path: Path) -> None:
    types_dir(tmp_path, dataset=DATASET, tender="name: [")

    catalog = load_types(tmp_path)

    assert set(catalog.types) == {*BUILT_IN, "dataset"}
    assert set(catalog.problems) == {"tender"}


def test_a_type_in_two_files_is_not_used(tmp_path: Path) -> None:
    folder = types_dir(tmp_path, dataset=DATASET)
    (folder / "dataset.yml").write_text(DATASET)

    catalog = load_types(tmp_path)

    assert set(catalog.types) == set(BUILT_IN)
    assert len(catalog.problems["dataset"]) == 2
