import time

import pytest

from crawler.document.document import Document
from crawler.extraction.surroundings import near_heading, read_names, words_of
from tests.unit.document.pages import make_snapshot


def make_document(body: str) -> Document:
    return Document(make_snapshot(body))


@pytest.mark.parametrize(
    "attribute",
    [
        'class="box starRating"',
        "class='box starRating'",
        'CLASS = "box\nstarRating"',
        "id=starRating",
        'class="x" id="the-star-rating_2"',
        "class=StarRating",
    ],
)
def test_names_of_elements_are_known_without_a_parse(attribute: str) -> None:
    document = make_document(f"<p title=price><b {attribute}>x</b> stock")

    assert read_names(document) >= {"star", "rating"}
    assert read_names(document).isdisjoint({"price", "stock"})
    assert not document.is_parsed
    [element] = document.css("b")
    assert words_of(element) <= read_names(document)


def test_names_are_read_in_a_time_that_grows_with_the_size_alone() -> None:
    document = make_document("<p class=" + "class=a " * 200_000)
    started = time.process_time()

    read_names(document)

    assert time.process_time() - started < 1.0


def test_elements_near_the_heading_come_nearest_first_and_once() -> None:
    document = make_document(
        "<main><p id=far></p><section><div><h1>Tea</h1><b id=near></b></div><i id=next></i></main>"
    )

    levels = [[each.get("id", each.tag) for each in level] for level in near_heading(document)]

    assert levels == [["h1", "near"], ["div", "next"], ["far", "section"]]


@pytest.mark.parametrize("headings", ["", "<h1>Tea</h1><h1>Cake</h1>"])
def test_a_page_without_one_heading_has_nothing_near_it(headings: str) -> None:
    document = make_document(f"<main>{headings}<p>x</main>")

    assert list(near_heading(document)) == []
    assert document.is_parsed is bool(headings)
