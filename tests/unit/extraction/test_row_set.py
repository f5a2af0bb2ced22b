"""What rows that are elements hold besides what selectors find: items of vocabularies, and labels."""

import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Source
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import Extracted, extract
from crawler.sites.builtin import BUILT_IN
from tests.unit.document.pages import ld_json, make_rules, make_snapshot

CONCERT = RecordType(
    name="concert",
    schema_version="concert.v1",
    schema_types=("Event",),
    key=("url",),
    fields=(
        FieldSpec(
            "name",
            is_required=True,
            rules=("jsonld:$.name", "microdata:$.name", "rdfa:$.name", "microformats:$.name"),
        ),
        FieldSpec(
            "starts_at",
            FieldKind.DATE,
            rules=(
                "jsonld:$.startDate",
                "microdata:$.startDate",
                "rdfa:$.startDate",
                "microformats:$.startDate",
                "label:date",
            ),
        ),
        FieldSpec("venue", rules=("microdata:$.location.name", "label:venue")),
        FieldSpec(
            "price", FieldKind.PRICE, rules=("microdata:$.offers.price", "label:Ticket price")
        ),
        FieldSpec("url", FieldKind.URL, rules=("microdata:$.url",)),
    ),
)
KINDS = {spec.name: spec.kind for spec in CONCERT.fields}
EVENT = 'itemscope itemtype="https://schema.org/Event"'
ROWS = make_rules(CONCERT, RecordRules(type="concert", each="li"))


def read(body: str, rules: Rules = ROWS, page_kind: PageKind = PageKind.LISTING) -> Extracted:
    snapshot = make_snapshot(body, page_kind=page_kind)
    return extract(Document(snapshot), snapshot, rules)


def values(extracted: Extracted, name: str) -> list[JsonValue]:
    return [candidate.values[name] for candidate, _ in extracted.records]


ITEMS = {
    "an item in each row": (
        f'<li><div {EVENT}><b itemprop="name">A</b><i itemprop="startDate">2026-05-03</i></div></li>'
        f'<li><div {EVENT}><b itemprop="name">B</b><i itemprop="startDate">2026-05-04</i></div></li>'
    ),
    "rows that are items": (
        f'<li {EVENT}><b itemprop="name">A</b><time itemprop="startDate" datetime="2026-05-03">3 May'
        f'</time></li><li {EVENT}><b itemprop="name">B</b><meta itemprop="startDate" '
        'content="2026-05-04"></li>'
    ),
    "items around one row each": (
        f'<div {EVENT}><li><b itemprop="name">A</b></li><i itemprop="startDate">2026-05-03</i></div>'
        f'<div {EVENT}><li><b itemprop="name">B</b></li><i itemprop="startDate">2026-05-04</i></div>'
    ),
    "RDFa": (
        '<ul vocab="https://schema.org/"><li typeof="Event"><b property="name">A</b>'
        '<i property="startDate">2026-05-03</i></li><li typeof="Event"><b property="name">B</b>'
        '<i property="startDate">2026-05-04</i></li></ul>'
    ),
    "Microformats": (
        '<li class="h-event"><b class="p-name">A</b><time class="dt-start">2026-05-03</time></li>'
        '<li class="h-event"><b class="p-name">B</b><time class="dt-start">2026-05-04</time></li>'
    ),
    "a microdata name and a label": (
        f'<li {EVENT}><b itemprop="name">A</b><p>Date: 2026-05-03</p></li>'
        f'<li {EVENT}><b itemprop="name">B</b><p>Date: 2026-05-04</p></li>'
    ),
}


@pytest.mark.parametrize("body", ITEMS.values(), ids=ITEMS)
def test_the_item_of_a_row_gives_its_values_and_each_is_derived_again(body: str) -> None:
    extracted = read(body)

    assert values(extracted, "name") == ["A", "B"]
    assert values(extracted, "starts_at") == ["2026-05-03", "2026-05-04"]
    derivation = Derivation(make_snapshot(body, page_kind=PageKind.LISTING))
    found = [
        (KINDS[name], field)
        for candidate, _ in extracted.records
        for name, field in candidate.fields.items()
        if field.value is not None and field.evidence is not None
    ]
    again = [derivation.derive(kind, field.evidence) for kind, field in found if field.evidence]
    assert again == [field.value for _, field in found]


def test_without_rows_in_the_site_file_every_item_of_a_listing_is_a_record() -> None:
    extracted = read(ITEMS["rows that are items"], make_rules(CONCERT))

    assert values(extracted, "name") == ["A", "B"]


NO_LEAKS: dict[str, tuple[str, str, list[JsonValue]]] = {
    "a row without a property of its neighbour": (
        (f'<li {EVENT}><b itemprop="name">A</b></li>'
        f'<li {EVENT}><b itemprop="name">B</b><i itemprop="startDate">2026-05-04</i></li>'),
        "starts_at",
        [None, "2026-05-04"],
    ),
    "a reference to something outside of all rows": (
        ('<p id="d"><i itemprop="startDate">2026-05-03</i></p>'
        f'<li {EVENT} itemref="d"><b itemprop="name">A</b></li>'
        f'<li {EVENT} itemref="d"><b itemprop="name">B</b></li>'),
        "starts_at",
        ["2026-05-03", "2026-05-03"],
    ),
    "a reference into another row": (
        (f'<li {EVENT} itemref="d"><b itemprop="name">A</b></li>'
        f'<li {EVENT}><b itemprop="name">B</b><i id="d" itemprop="startDate">2026-05-04</i></li>'),
        "starts_at",
        [None, "2026-05-04"],
    ),
    "two items in one row": (
        (f'<li><p {EVENT}><b itemprop="name">A</b></p><p {EVENT}><b itemprop="name">X</b></p></li>'
        f'<li {EVENT}><b itemprop="name">B</b></li>'),
        "name",
        [None, "B"],
    ),
    "one item around two rows": (
        f'<div {EVENT}><b itemprop="name">A</b><li>1</li><li>2</li></div>',
        "name",
        [None, None],
    ),
    "an item of another type": (
        '<li itemscope itemtype="https://schema.org/Person"><b itemprop="name">A</b></li>',
        "name",
        [None],
    ),
    "an item inside of that of the row": (
        (f'<li {EVENT}><b itemprop="name">A</b><p itemprop="subEvent" {EVENT}>'
        '<b itemprop="name">Break</b></p></li>'),
        "name",
        ["A"],
    ),
    "a price that is struck through": (
        (f'<li {EVENT}><b itemprop="name">A</b><span itemprop="offers" itemscope>'
        '<s><b itemprop="price">20</b></s></span></li>'),
        "price",
        [None],
    ),
    "labels of two rows": (
        "<li><p>Date: 2026-05-03</p><p>Venue: Hall</p></li><li><p>Date: 2026-05-04</p></li>",
        "venue",
        ["Hall", None],
    ),
    "a label at the end of a row": (
        "<li><p>Date</p></li><li>2026-05-04</li>",
        "starts_at",
        [None, None],
    ),
    "a label outside of the rows": (
        "<p>Date: 2026-05-03</p><li>A</li>",
        "starts_at",
        [None],
    ),
    "another label": (
        "<li><p>Old ticket price: $20</p><p>Ticket price: $15</p></li>",
        "price",
        [15],
    ),
    "a value that is struck through": (
        ("<li><p>Ticket price: <s>$20</s></p></li><li><p>Venue: <del>Hall</del> Barn</p></li>"
        '<li><div class="old-price"><p>Ticket price: $20</p></div></li>'),
        "price",
        [None, None, None],
    ),
    "a value that replaced another in its line": (
        "<li><p>Venue: <del>Hall</del> Barn</p></li>",
        "venue",
        [None],
    ),
    "something struck through in another line": (
        "<li>Venue: Barn<br><s>Canteen</s></li>",
        "venue",
        ["Barn"],
    ),
    "a value that is hidden": (
        '<li><p hidden>Ticket price: $20</p><p>Venue: Barn</p></li>',
        "price",
        [None],
    ),
    "two labels alike that differ": (
        "<li><p>Ticket price: $20</p><p>Ticket price: $30</p></li>",
        "price",
        [None],
    ),
    "rows inside of a form": (
        "<form><li><p>Venue: Barn</p></li></form>",
        "venue",
        ["Barn"],
    ),
    "a form inside of a row": (
        "<li><form><p>Venue: Barn</p></form></li>",
        "venue",
        [None],
    ),
    "a definition list": (
        "<li><dl><dt>Venue</dt><dd>Barn</dd><dt>Ticket price</dt><dd>$5</dd></dl></li>",
        "price",
        [5],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "name", "wanted"), NO_LEAKS.values(), ids=NO_LEAKS)
def test_a_row_has_what_stands_in_it_and_nothing_of_another(
    body: str, name: str, wanted: list[JsonValue]
) -> None:
    assert values(read(body), name) == wanted


def test_a_label_that_the_site_file_names_must_have_a_value_that_holds() -> None:
    rules = make_rules(
        CONCERT, RecordRules(type="concert", each="li", fields={"price": ("label:Ticket price",)})
    )

    ((_, (problem,)),) = read("<li><p>Ticket price: <s>$20</s></p></li>", rules).records

    assert (problem.field, problem.reason) == ("price", RejectReason.UNSUPPORTED_EVIDENCE)


def test_an_item_of_another_name_than_the_json_ld_of_the_row_says_nothing_of_it() -> None:
    row = f'<li><div {EVENT}><b itemprop="name">B</b><i itemprop="startDate">2026-05-04</i></div>'
    body = row + ld_json({"@type": "Event", "name": "A"}) + "</li>"

    ((candidate, _),) = read(body).records

    assert (candidate.values["name"], candidate.values["starts_at"]) == ("A", None)


def test_the_evidence_of_a_label_leads_into_its_row() -> None:
    _, (second, _) = read(NO_LEAKS["labels of two rows"][0]).records

    evidence = second.fields["starts_at"].evidence
    assert evidence is not None
    assert evidence.source is Source.LABEL
    assert evidence.locator == "/html/body/li[2]/p/line[1]/from[6]"


HEAD = "<tr><th>Date</th><th>Venue</th></tr>"
TABLE = make_rules(CONCERT, RecordRules(type="concert", each="tr + tr, tbody tr"))
COLUMNS: dict[str, tuple[str, list[JsonValue]]] = {
    "header cells": (f"{HEAD}<tr><td>2026-05-03</td><td>Barn</td></tr>", ["2026-05-03"]),
    "a head of the table": (
        (
            "<thead><tr><td>When:</td><td>Where</td></tr></thead>"
            "<tbody><tr><td>2026-05-03</td><td>Barn</td></tr></tbody>"
        ),
        ["2026-05-03"],
    ),
    "a row header": (
        f"{HEAD}<tr><th>2026-05-03</th><td>Barn</td></tr>",
        ["2026-05-03"],
    ),
    "no header cells": ("<tr><td>Date</td><td>Venue</td></tr><tr><td>2026-05-03<td>A</tr>", [None]),
    "a cell too many": (f"{HEAD}<tr><td>2026-05-03</td><td>A</td><td>B</td></tr>", [None]),
    "a cell over two columns": (
        f"{HEAD}<tr><td colspan=2>2026-05-03</td></tr><tr><td>2026-05-04</td><td>B</td></tr>",
        [None, "2026-05-04"],
    ),
    "a cell over two rows": (
        f"{HEAD}<tr><td rowspan=2>2026-05-03</td><td>A</td></tr><tr><td>2026-05-04</td><td>B</td></tr>",
        [None, None],
    ),
    "a label in the row": (
        f"{HEAD}<tr><td>2026-05-03</td><td>Date: 2026-05-04</td></tr>",
        ["2026-05-04"],
    ),
    "an empty cell": (f"{HEAD}<tr><td> </td><td>Barn</td></tr>", [None]),
    "a cell that is struck through": (
        f"{HEAD}<tr><td><s>2026-05-03</s></td><td>Barn</td></tr>",
        [None],
    ),
    "a table in a cell": (
        f"{HEAD}<tr><td>2026-05-03</td><td><table><tr><td>Barn</td></tr></table></td></tr>",
        ["2026-05-03"],
    ),
}


@pytest.mark.parametrize(("rows", "dates"), COLUMNS.values(), ids=COLUMNS)
def test_a_cell_is_called_what_the_head_of_its_column_says(
    rows: str, dates: list[JsonValue]
) -> None:
    body = f"<table>{rows}</table>"
    extracted = read(body, TABLE)

    assert values(extracted, "starts_at") == dates
    derivation = Derivation(make_snapshot(body, page_kind=PageKind.LISTING))
    for candidate, _ in extracted.records:
        field = candidate.fields["starts_at"]
        if field.value is not None:
            assert field.evidence is not None
            assert derivation.derive(FieldKind.DATE, field.evidence) == field.value


def test_the_head_of_a_table_is_no_row_of_values() -> None:
    body = f"<table>{HEAD}<tr><td>2026-05-03</td><td>Barn</td></tr></table>"

    extracted = read(body, make_rules(CONCERT, RecordRules(type="concert", each="tr")))

    assert values(extracted, "venue") == [None, "Barn"]


def test_the_item_that_a_row_is_belongs_to_no_row_inside_of_it() -> None:
    other = f'<p {EVENT}><b itemprop="name">X</b></p>'
    body = (
        f'{other}<li {EVENT}><b itemprop="name">A</b><ul><li><p>Date: 2026-05-03</p></li></ul></li>'
    )

    assert values(read(body), "name") == ["A", None]


TIMES: dict[str, tuple[str, list[JsonValue]]] = {
    "one in each row": (
        "<li><time datetime=2026-05-03>3 May</time></li><li><time datetime=2026-05-04></time></li>",
        ["2026-05-03", "2026-05-04"],
    ),
    "in one row": ("<li>A</li><li><time datetime=2026-05-04></time></li>", [None, "2026-05-04"]),
    "of the page": ("<time datetime=2026-05-04>4 May</time><li>A</li>", [None]),
    "two in a row": (
        "<li><time datetime=2026-07-03></time> <b><time datetime=2026-06-04></time></b></li>",
        [None],
    ),
    "of publication": ('<li><time class="published" datetime=2026-05-03></time></li>', [None]),
    "struck through": ("<li><s><time datetime=2026-05-03>3 May</time></s></li>", [None]),
}


@pytest.mark.parametrize(("body", "dates"), TIMES.values(), ids=TIMES)
def test_what_elements_show_is_looked_for_in_the_row(body: str, dates: list[JsonValue]) -> None:
    event = make_rules(BUILT_IN["event"], RecordRules(type="event", each="li"))

    assert values(read(body, event), "starts_at") == dates
