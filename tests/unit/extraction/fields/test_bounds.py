"""Readers take hostile text in their stride."""

from time import process_time

import pytest

from crawler.contracts.record import FieldKind
from crawler.extraction.fields.kinds import READERS
from tests.unit.extraction.fields.contexts import JSONLD, VISIBLE

SIZE = 20_000
HOSTILE = {
    "digits": "1" * SIZE,
    "digits, then a letter": "1" * SIZE + "a",
    "groups": "1.234" * SIZE,
    "spaces between digits": "1 " * SIZE,
    "signs": "$" * SIZE,
    "amounts": "$5 was " * SIZE,
    "brackets": "(" * SIZE,
    "tags that never end": "<p " * SIZE,
    "scripts that never end": "<script>" * SIZE,
    "entities": "&amp;" * SIZE,
    "letters": "a" * SIZE,
    "words": "1 h and " * SIZE,
    "dashes": "-" * SIZE,
    "line ends": "a\n" * SIZE,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("kind", FieldKind)
def test_a_reader_ends_soon_whatever_it_is_given(kind: FieldKind, text: str) -> None:
    started = process_time()

    for context in (JSONLD, VISIBLE):
        READERS[kind](text, context)
        READERS[kind]({"name": text, "text": text}, context)

    assert process_time() - started < 1
