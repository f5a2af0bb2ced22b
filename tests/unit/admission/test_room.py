from dataclasses import replace

import pytest

from crawler.admission.room import Room
from crawler.contracts.bound import Bound, Limits, Trail
from crawler.contracts.frontier import NewRow
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.snapshot import PageKind


def item(name: str, shape: str | None = None) -> NewRow:
    return NewRow(f"https://hall.example/{name}", name, "hall.example", shape=shape)


def listing(name: str) -> NewRow:
    return replace(item(name), page_kind=PageKind.LISTING)


REFUSED = replace(item("far"), refused=Outcome(Reason.REFUSED_SCOPE))


def test_what_is_known_is_a_duplicate_and_no_bound_keeps_it_out() -> None:
    room = Room(Limits(pages=1), {"a"}, pages=1)

    admitted = room.admit([item("a"), item("b"), item("a")])

    assert (admitted.rows, admitted.duplicates) == ((), 2)
    assert admitted.left_out == {Bound.MAX_PAGES: 1}


def test_room_shrinks_from_page_to_page() -> None:
    room = Room(Limits(pages=4, listings=2, per_shape=1), set(), pages=1, listings=1)

    first = room.admit([listing("p1"), item("a", "s"), item("b", "s"), listing("p2")])
    second = room.admit([item("c", "t"), item("d"), item("a", "s")])

    assert [row.fingerprint for row in first.rows] == ["p1", "a"]
    assert first.left_out == {Bound.MAX_PER_SHAPE: 1, Bound.MAX_LISTINGS: 1}
    assert [row.fingerprint for row in second.rows] == ["c"]
    assert (second.left_out, second.duplicates) == ({Bound.MAX_PAGES: 1}, 1)


def test_what_one_page_may_not_lead_to_another_one_may() -> None:
    room = Room(Limits(barren=1), set())

    barren = room.admit([listing("next")], Trail())
    fruitful = room.admit([item("a"), listing("next")], Trail())

    assert barren.left_out == {Bound.MAX_BARREN: 1}
    assert [row.fingerprint for row in fruitful.rows] == ["a", "next"]
    assert fruitful.duplicates == 0


@pytest.mark.parametrize(
    ("rows", "trail", "barren"),
    [
        ([item("new")], Trail(barren=3), 0),
        ([item("known")], Trail(barren=3), 4),
        ([REFUSED], Trail(barren=3), 4),
        ([], Trail(barren=3), 4),
        ([], Trail(barren=3, has_records=True), 0),
        ([], None, 0),
    ],
    ids=["new item", "known item", "refused item", "nothing", "records", "no listing"],
)
def test_listings_in_a_row_without_a_new_item_are_counted(
    rows: list[NewRow], trail: Trail | None, barren: int
) -> None:
    admitted = Room(Limits(barren=5), {"known"}).admit([*rows, listing("next")], trail)

    assert admitted.rows[-1].barren == barren


def test_a_listing_says_what_the_one_before_it_showed_and_an_item_does_not() -> None:
    admitted = Room(Limits(), set()).admit([item("a"), listing("next")], Trail("digest"))

    assert [row.listed for row in admitted.rows] == ["", "digest"]


def test_items_are_taken_from_a_listing_that_leads_no_further() -> None:
    trail = Trail(barren=7)

    admitted = Room(Limits(barren=3), {"a"}).admit([item("a"), REFUSED, listing("next")], trail)

    assert [row.fingerprint for row in admitted.rows] == ["far"]
    assert (admitted.duplicates, admitted.left_out) == (1, {Bound.MAX_BARREN: 1})
