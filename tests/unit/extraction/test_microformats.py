import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Source
from tests.unit.extraction.test_sources import only, read

TITLE = "<title>Jazz</title>"


@pytest.mark.parametrize(
    ("name", "body", "values"),
    [
        (
            "event",
            "<div class=vevent><h1 class=summary>Jazz</h1><abbr class=dtstart title=2026-03-04T20:00>4/3</abbr><span class='location vcard'><b class=fn>Garden</b></span></div>",
            {"name": "Jazz", "starts_at": "2026-03-04T20:00", "venue": "Garden"},
        ),
        (
            "event",
            "<div class=h-event><h1 class=p-name>Jazz</h1><time class=dt-start datetime=2026-03-04>x</time><span class='p-location h-card'>Garden</span></div>",
            {"name": "Jazz", "starts_at": "2026-03-04", "venue": "Garden"},
        ),
        (
            "recipe",
            "<div class=hrecipe><h1 class=fn>Jazz</h1><p class=ingredient>1 egg</p><p class=ingredient>salt</p><p class=yield>4</p></div>",
            {"name": "Jazz", "ingredients": ["1 egg", "salt"], "yields": "4"},
        ),
        (
            "product",
            "<div class=hproduct><h1 class=fn>Jazz</h1><b class=price>€ 19,00</b></div>",
            {"name": "Jazz", "price": 19},
        ),
        (
            "article",
            "<div class='post hentry'><h1 class=entry-title>Jazz</h1><abbr class=published title=2026-03-04>x</abbr><span class='author vcard'><a class='url fn' href=/a>Ann</a></span></div>",
            {"headline": "Jazz", "published_at": "2026-03-04", "authors": ["Ann"]},
        ),
    ],
)  # fmt: skip
def test_microformats_are_read_by_the_names_of_schema_org(
    name: str, body: str, values: dict[str, JsonValue]
) -> None:
    candidate = only(name, TITLE + body)

    found = {key: candidate.fields[key] for key in values}
    assert {key: field.value for key, field in found.items()} == values
    assert {field.evidence.source for field in found.values() if field.evidence} == {
        Source.MICROFORMATS
    }


def test_a_post_that_the_page_does_not_call_its_own_is_another_one() -> None:
    body = TITLE + "<h1>Jazz</h1><div class=hentry><h2 class=entry-title>Blues</h2></div>"

    _, extracted = read("article", body)

    assert extracted.records == ()


def test_a_class_that_only_contains_the_name_is_none() -> None:
    _, extracted = read("event", TITLE + "<div class=my-h-events><p class=p-name>x</p></div>")

    assert extracted.records == ()
