import time

import pytest

from crawler.document.document import Document
from crawler.document.text import opening
from crawler.extraction.lines import Lines
from tests.unit.document.pages import make_snapshot


def begins(body: str, word: str) -> tuple[list[str], bool]:
    """Return the lines that begin with the word, and whether the page was parsed for it."""
    document = Document(make_snapshot(body))
    lines = Lines(document)
    numbers = lines.find(frozenset({word}))
    is_parsed = document.is_parsed
    return [lines.all[number].text for number in numbers], is_parsed


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("<p>Venue: Hall</p>", "Venue: Hall"),
        ("Venue: Hall", "Venue: Hall"),
        ("<p>VENUE<b>:</b> Hall</p>", "VENUE: Hall"),
        ("<p>\n  * <b>venue</b> 5", "* venue 5"),
        ("<p>&nbsp;&bull; Venue: Hall</p>", "\u2022 Venue: Hall"),
        ("<p>\U0001f4cd Venue: Hall</p>", "\U0001f4cd Venue: Hall"),
        ("<p><!-- place -->__Venue__</p>", "__Venue__"),
        ("<td>Venue5", "Venue5"),
    ],
)
def test_lines_are_found_by_their_opening(body: str, line: str) -> None:
    assert begins(body, "venue") == ([line], True)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("<h2>Ingr&eacute;dients</h2>", "ingr\u00e9dients"),
        ("<h2>&Eacute;tapes</h2>", "\u00e9tapes"),
        ("<h2>STRASSE</h2>", opening("Stra\u00dfe")),
    ],
)
def test_letters_are_known_however_they_are_written(body: str, word: str) -> None:
    assert len(begins(body, word)[0]) == 1


@pytest.mark.parametrize(
    "body",
    [
        '<p class="venue" title="Venue: Hall">The hall</p>',
        "<script>x = '<p>Venue: Hall</p>'</script><p>The hall</p>",
        "<p>The venue: Hall</p>",
        "<p>Venues: many</p>",
        "<p>Venue and hall</p>",
        "",
    ],
)
def test_nothing_is_parsed_where_no_text_begins_with_the_word(body: str) -> None:
    assert begins(body, "venue") == ([], False)


def test_a_line_opens_with_words_that_tags_part() -> None:
    assert begins("<p>Venue <b>and</b> hall</p>", "venue an") == (["Venue and hall"], True)
    assert begins("<p>Venue <b>and</b> hall</p>", "venue") == ([], True)


HOSTILE = {
    "ends of tags": ">" * 300_000,
    "entities": ">" + "&a;" * 200_000 + "<",
    "letters and entities": ">" + "a&b;" * 150_000,
    "ampersands": ">" + "&" * 500_000,
    "underscores": ">" + "_" * 500_000,
    "unfinished entities": ">" + "&____" * 100_000,
    "spaces": ">" + " " * 500_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_cost_grows_with_the_size_alone(body: str) -> None:
    lines = Lines(Document(make_snapshot(body)))
    started = time.process_time()

    assert not lines.find(frozenset({"venue"}))
    opening(body)

    assert time.process_time() - started < 1.0
