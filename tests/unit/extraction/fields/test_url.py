import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.reading import Context, Unreadable
from crawler.extraction.fields.url import read_image, read_url

JSONLD = Context("https://example.com/a/", has_entities=True, is_machine_written=True)
NODE = Context("https://example.com/a/", has_entities=False, is_machine_written=True)


def test_address_is_absolute_and_entities_are_decoded_in_json_ld_only() -> None:
    assert read_url(" x?a=1&amp;b=2 ", JSONLD) == "https://example.com/a/x?a=1&b=2"
    assert read_url("x?a=1&amp;b=2", NODE) == "https://example.com/a/x?a=1&amp;b=2"


def test_marks_that_no_reader_sees_are_no_part_of_an_address() -> None:
    assert read_url("\u200bhttps://example.com/x\ufeff", JSONLD) == "https://example.com/x"


def test_the_name_of_a_picture_that_is_described_nowhere_is_no_address() -> None:
    assert read_image({"@type": "ImageObject", "@id": "#i"}, JSONLD) is Missing.NOT_FOUND


@pytest.mark.parametrize("raw", ["javascript:x", "data:image/png;base64,AA", 7, ["a"]], ids=repr)
def test_what_is_no_web_address_is_invalid(raw: JsonValue) -> None:
    reading = read_url(raw, JSONLD)

    assert isinstance(reading, Unreadable)
    assert reading.reason is RejectReason.INVALID_VALUE


OBJECTS: dict[str, tuple[JsonValue, str]] = {
    "node of a page": ({"@type": "WebPage", "@id": "x#webpage"}, "x"),
    "node of this page": ({"@type": "WebPage", "@id": "/a/#webpage"}, ""),
    "node with an address": ({"@id": "#w", "url": "x#top"}, "x#top"),
    "link": ({"@id": "x#top", "@value": "X"}, "x#top"),
}


@pytest.mark.parametrize(("raw", "reference"), OBJECTS.values(), ids=OBJECTS)
def test_an_object_has_the_address_of_what_it_describes(raw: JsonValue, reference: str) -> None:
    assert read_url(raw, JSONLD) == f"https://example.com/a/{reference}"


@pytest.mark.parametrize("raw", [{}, {"@type": "WebPage"}, {"@id": "#webpage"}, ""], ids=repr)
def test_an_object_without_an_address_has_none(raw: JsonValue) -> None:
    assert isinstance(read_url(raw, JSONLD), Missing)


IMAGES: dict[str, JsonValue] = {
    "text": "i.jpg",
    "object": {"@type": "ImageObject", "url": "i.jpg"},
    "object with another key": {"@type": "ImageObject", "contentUrl": "i.jpg"},
    "list": ["i.jpg", "j.jpg"],
    "list of objects": [{"url": "i.jpg"}, {"url": "j.jpg"}],
    "list in an object": {"url": ["i.jpg"]},
}


@pytest.mark.parametrize("raw", IMAGES.values(), ids=IMAGES)
def test_first_image_is_read_from_every_form(raw: JsonValue) -> None:
    assert read_image(raw, JSONLD) == "https://example.com/a/i.jpg"


@pytest.mark.parametrize("raw", [None, "", [], {}], ids=repr)
def test_no_image_is_absent(raw: JsonValue) -> None:
    assert read_image(raw, JSONLD) is Missing.ABSENT
