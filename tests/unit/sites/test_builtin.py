import pytest

from crawler.contracts.record import FieldKind, RecordType
from crawler.sites.builtin import BUILT_IN
from crawler.sites.builtin_event import EVENT
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
    ("name", "required"),
    [
        ("event", {"name", "starts_at"}),
        ("product", {"name"}),
        ("article", {"headline"}),
        ("job_posting", {"title"}),
        ("recipe", {"name", "ingredients"}),
        ("notice", {"id", "title", "published"}),
        ("organization", {"name"}),
        ("place", {"name"}),
    ],
)
def test_a_built_in_type_requires_what_makes_it_one(name: str, required: set[str]) -> None:
    fields = BUILT_IN[name].fields

    assert {field.name for field in fields if field.is_required} == required


MISTAKABLE = {
    "published_at": ("modif", "created", "updated"),
    "published": ("modif", "created", "updated"),
    "modified_at": ("publish", "issued", "created"),
    "posted_at": ("valid", "start", "modif"),
    "valid_through": ("posted", "start"),
    "starts_at": ("end", "publish", "posted"),
    "ends_at": ("start", "valid"),
}


@pytest.mark.parametrize("record_type", BUILT_IN.values(), ids=BUILT_IN)
def test_no_date_is_taken_from_the_place_of_another_event(record_type: RecordType) -> None:
    dates = [field for field in record_type.fields if field.kind is FieldKind.DATE]

    wrong = [
        rule
        for field in dates
        for rule in field.rules
        if any(word in rule.rpartition(".")[2].lower() for word in MISTAKABLE[field.name])
    ]
    assert wrong == []


@pytest.mark.parametrize("record_type", BUILT_IN.values(), ids=BUILT_IN)
def test_json_ld_is_asked_before_the_elements_and_these_before_the_page(
    record_type: RecordType,
) -> None:
    order = ["jsonld", "microdata", "rdfa", "microformats", "plugin", "page", "opengraph", "meta"]
    order += ["object", "html", "label", "list", "ical", "feed"]
    ranks = {
        field.name: [order.index(rule.partition(":")[0]) for rule in field.rules]
        for field in record_type.fields
        if field.name not in {"url", "image", "body_markdown"}
    }

    assert {name for name, rank in ranks.items() if rank[:1] and rank[0] != 0} == set()
    assert all(max(rank[:4], default=0) <= 3 for rank in ranks.values())


@pytest.mark.parametrize("record_type", BUILT_IN.values(), ids=BUILT_IN)
def test_the_url_of_the_page_stands_in_for_a_record_without_one(record_type: RecordType) -> None:
    (url,) = (field for field in record_type.fields if field.name == "url")

    assert url.kind is FieldKind.URL
    assert [rule for rule in url.rules if rule.partition(":")[0] not in {"ical", "feed"}][-1] == (
        "page:url"
    )


def test_an_event_is_described_by_what_one_can_attend() -> None:
    assert {"Event", "MusicEvent", "TheaterEvent", "Festival"} <= set(EVENT.schema_types)
    assert not {"DeliveryEvent", "PublicationEvent", "BroadcastEvent"} & set(EVENT.schema_types)
