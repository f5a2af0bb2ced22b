import pytest

from crawler.contracts.outcome import RejectReason
from crawler.contracts.snapshot import PageKind
from tests.unit.document.pages import (
    ld_json,
    make_bulletins,
)
from tests.unit.extraction.reading import only, read

PROBLEMS = {
    "invalid date": ('"releaseDate":"2026-02-30"', RejectReason.INVALID_DATE, "released"),
    "invalid number": ('"offers":{"price":"a lot"}', RejectReason.INVALID_VALUE, "price"),
    "invalid address": ('"url":"javascript:x"', RejectReason.INVALID_VALUE, "url"),
}


@pytest.mark.parametrize(("pair", "reason", "field"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_value_that_cannot_be_read_is_a_problem_of_its_field(
    pair: str, reason: RejectReason, field: str
) -> None:
    ((candidate, (problem,)),) = read(ld_json(f'{{"@type":"Product","name":"A",{pair}}}')).records

    assert (problem.reason, problem.field) == (reason, field)
    assert candidate.fields[field].value is None
    assert candidate.fields[field].evidence is not None


@pytest.mark.parametrize("noise", ["?PHPSESSID=a1", "?utm_source=mail&fbclid=2", ";jsessionid=9"])
def test_what_makes_no_other_page_makes_no_other_record(noise: str) -> None:
    candidate = only(read(ld_json({"@type": "Product", "name": "A", "url": f"/a{noise}"})))

    assert candidate.key == "https://example.com/a"
    assert candidate.values["url"] == f"https://example.com/a{noise}"


def test_a_node_that_is_repeated_word_for_word_is_one_record() -> None:
    node = {"@type": "Product", "name": "A", "url": "/a"}

    extracted = read(ld_json(node, node), page_kind=PageKind.LISTING)

    assert len(extracted.records) == 1
    assert any("repeated" in note for note in extracted.notes)


def test_rows_without_a_key_are_told_apart_by_what_they_say() -> None:
    extracted = read("<article><h2>A</h2></article><article></article>", make_bulletins())

    assert [candidate.key for candidate, _ in extracted.records] == [
        "https://example.com/p/1#A",
        "https://example.com/p/1#row-2",
    ]


def test_nodes_without_an_address_are_told_apart_by_their_names() -> None:
    body = ld_json([{"@type": "Product", "name": name} for name in ("A", "B")])

    extracted = read(body, page_kind=PageKind.LISTING)

    keys = [candidate.key for candidate, _ in extracted.records]
    assert keys == ["https://example.com/p/1#A", "https://example.com/p/1#B"]
