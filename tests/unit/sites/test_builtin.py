import pytest

from crawler.contracts.record import FieldKind, RecordType
from crawler.sites.builtin import BUILT_IN
from crawler.sites.builtin_event import EVENT
from crawler.sites.builtin_notice import NOTICE
from crawler.sites.selectors import find_rule_fault


@pytest.mark.parametrize("record_type", BUILT_IN.values(), ids=BUILT_IN)
def test_a_built_in_type_is_one_that_a_file_could_declare(record_type: RecordType) -> None:
    names = [field.name for field in record_type.fields]

    assert len(names) == len(set(names))
    assert set(record_type.key) <= set(names)
    assert all(field.doc for field in record_type.fields)
    assert [
        rule for field in record_type.fields for rule in field.rules if find_rule_fault(rule)
    ] == []


@pytest.mark.parametrize(
    ("record_type", "required"),
    [(EVENT, {"name", "starts_at"}), (NOTICE, {"id", "title", "published"})],
)
def test_a_built_in_type_requires_what_makes_it_one(
    record_type: RecordType, required: set[str]
) -> None:
    assert {field.name for field in record_type.fields if field.is_required} == required


@pytest.mark.parametrize("record_type", BUILT_IN.values(), ids=BUILT_IN)
def test_the_url_of_the_page_stands_in_for_a_record_without_one(record_type: RecordType) -> None:
    (url,) = (field for field in record_type.fields if field.name == "url")

    assert url.kind is FieldKind.URL
    assert url.rules[-1] == "page:url"


def test_an_event_is_described_by_what_one_can_attend() -> None:
    assert {"Event", "MusicEvent", "TheaterEvent", "Festival"} <= set(EVENT.schema_types)
    assert not {"DeliveryEvent", "PublicationEvent", "BroadcastEvent"} & set(EVENT.schema_types)
