import pytest

from crawler.document.document import Document
from tests.unit.document.pages import make_snapshot

TYPES = {
    "plain": ('type="application/ld+json"', True),
    "unquoted": ("type=application/ld+json", True),
    "entities": ('type="application&#x2F;ld&#x2B;json"', True),
    "parameters": ('type="application/ld+json; charset=utf-8"', True),
    "upper case": ('type="Application/LD+JSON"', True),
    "other attributes": ('class="y" type="application/ld+json" data-x', True),
    "another type": ('type="application/json" id="ld+json"', False),
    "no type": ('data-type="application/ld+json"', False),
}


@pytest.mark.parametrize(("attributes", "is_found"), TYPES.values(), ids=TYPES)
def test_blocks_are_told_by_the_essence_of_their_type(attributes: str, is_found: bool) -> None:
    document = Document(make_snapshot(f"<script {attributes}>1</script>"))

    assert bool(document.ld_json_blocks()) is is_found


def test_span_counts_bytes_of_the_document() -> None:
    body = '<p>é</p><script type="application/ld+json">{"a": "ü"}</script>'.encode()

    (block,) = Document(make_snapshot(body)).ld_json_blocks()

    assert body[slice(*block.span)] == '{"a": "ü"}'.encode()


def test_a_block_in_utf_16_is_read_too() -> None:
    source = '<script type="application/ld+json">{"a": "ü"}</script>'
    document = Document(make_snapshot(source.encode("utf-16")))

    assert [block.text for block in document.ld_json_blocks()] == ['{"a": "ü"}']
    assert not document.has_byte_offsets


def test_no_block_costs_a_parse() -> None:
    document = Document(make_snapshot('<script type="application/ld+json">1</script>'))

    assert len(document.ld_json_blocks()) == 1
    assert not document.is_parsed


def test_only_the_first_thousand_blocks_are_read() -> None:
    document = Document(make_snapshot('<script type="application/ld+json">1</script>' * 1_500))

    assert len(document.ld_json_blocks()) == 1_000
