from dataclasses import asdict, replace

from crawler.contracts.evidence import Evidence, FieldValue, Missing, Source
from crawler.contracts.export import (
    PROVENANCE,
    RESERVED,
    STANDING,
    collection_document,
    record_line,
    record_provenance,
    record_values,
)
from crawler.contracts.record import Record, Standing, Status
from crawler.sites.builtin import BUILT_IN

EVIDENCE = Evidence(
    source=Source.CSS,
    capture_id="urn:uuid:1",
    digest="d" * 64,
    locator="/html/body/h2",
    raw="A",
    rule="css:h2",
    rule_version="r1",
    span_reason="no byte offsets",
)
RECORD = Record(
    site="board",
    source_id="fixture:board",
    type="notice",
    key="n-1",
    version=2,
    schema_version="board.v1",
    extractor_version="7",
    rule_version="r1",
    capture_id="urn:uuid:1",
    snapshot_sha256="d" * 64,
    observed_at="2026-09-10T18:30:05.123456Z",
    url="https://board.example/1",
    content_hash="c" * 64,
    session=None,
    fields={
        "id": FieldValue("n-1", EVIDENCE),
        "office": FieldValue(None, None, Missing.NOT_FOUND),
    },
)


def test_a_line_holds_values_then_provenance_then_evidence() -> None:
    line = record_line(RECORD)

    assert list(line) == ["id", "office", *reversed(RESERVED)]
    assert (line["id"], line["office"]) == ("n-1", None)
    assert line["provenance"] == record_provenance(RECORD)
    assert line["evidence"] == {"id": asdict(EVIDENCE), "office": {"missing": Missing.NOT_FOUND}}


def test_provenance_names_everything_but_the_fields() -> None:
    assert {*PROVENANCE, "fields", "standing"} == set(asdict(RECORD))
    assert record_provenance(RECORD)["version"] == 2


def test_no_built_in_field_hides_a_reserved_name() -> None:
    names = {spec.name for record_type in BUILT_IN.values() for spec in record_type.fields}

    assert names.isdisjoint(RESERVED)


def test_a_collection_is_one_document_for_a_snapshot() -> None:
    other = replace(RECORD, key="n-2", fields={"id": FieldValue("n-2", EVIDENCE)})

    document = collection_document([RECORD, other])

    records = document.pop("records")
    assert document == {
        "schema_version": "board.v1",
        "source_id": "fixture:board",
        "snapshot_sha256": "d" * 64,
        "observed_at": "2026-09-10T18:30:05.123456Z",
        "extractor_version": "7",
    }
    assert [record_values(each) for each in (RECORD, other)] == [
        {name: value for name, value in record.items() if name != "evidence"} for record in records
    ]
    assert records[0]["evidence"] == record_line(RECORD)["evidence"]


def test_a_record_says_what_the_cycles_say_of_it() -> None:
    vanished = replace(RECORD, standing=Standing(Status.VANISHED, 3, is_cycle_complete=True))

    assert record_line(vanished)["provenance"] == {
        **record_provenance(RECORD),
        "status": "vanished",
        "cycle": 3,
        "cycle_complete": True,
    }
    assert set(record_provenance(vanished)) == {*PROVENANCE, *STANDING}


def test_a_document_names_records_that_have_vanished_where_any_has() -> None:
    seen = replace(RECORD, key="n-2", standing=Standing(Status.UNCHANGED, 3))
    vanished = replace(RECORD, standing=Standing(Status.VANISHED, 3))

    assert collection_document([seen, vanished])["vanished"] == ["n-1"]
    assert "vanished" not in collection_document([seen])
