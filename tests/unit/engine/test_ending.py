import pytest

from crawler.contracts.bound import Bound
from crawler.contracts.collection import Collection, Gap
from crawler.contracts.frontier import RunEnd
from crawler.contracts.outcome import Reason
from crawler.engine.ending import EXIT_CODES, Yield, decide_end, describe_end

GOOD = {Reason.ELIGIBLE: 3}
BUG = {Reason.INTERNAL_ERROR: 2}
BARRED = {Reason.REFUSED_AUTHORIZATION: 2}
ENDS = [
    ("finished", {}, RunEnd.FINISHED),
    ("finished", GOOD, RunEnd.FINISHED),
    ("finished", {Reason.GONE: 1}, RunEnd.FINISHED),
    ("finished", BUG, RunEnd.FAILED),
    ("finished", BUG | {Reason.GONE: 5}, RunEnd.FAILED),
    ("finished", BUG | GOOD, RunEnd.FINISHED),
    ("finished", BARRED, RunEnd.FAILED),
    ("finished", BARRED | BUG, RunEnd.FAILED),
    ("finished", BARRED | GOOD, RunEnd.FINISHED),
    ("finished", BARRED | {Reason.GONE: 1}, RunEnd.FINISHED),
    ("start_error", GOOD, RunEnd.FAILED),
    ("failed", GOOD, RunEnd.FAILED),
    ("storage_failed", GOOD, RunEnd.STORAGE_FAILED),
    ("storage_failed", BUG, RunEnd.STORAGE_FAILED),
    ("deferred", GOOD, RunEnd.DEFERRED),
    ("deferred", BUG, RunEnd.DEFERRED),
    ("session_expired", GOOD, RunEnd.SESSION_EXPIRED),
    ("session_busy", {}, RunEnd.SESSION_BUSY),
    ("shutdown", GOOD, RunEnd.STOPPED),
    ("shutdown", BUG, RunEnd.STOPPED),
    ("closespider_timeout", GOOD, RunEnd.STOPPED),
    ("closespider_itemcount", {}, RunEnd.STOPPED),
    ("cancelled", GOOD, RunEnd.STOPPED),
    ("", {}, RunEnd.STOPPED),
    ("Finished", GOOD, RunEnd.STOPPED),
]


@pytest.mark.parametrize(("reason", "outcomes", "end"), ENDS)
def test_an_end_follows_from_the_reason_and_the_outcomes(
    reason: str, outcomes: dict[Reason, int], end: RunEnd
) -> None:
    assert decide_end(reason, outcomes) is end


def test_every_end_has_an_exit_code_of_its_own_and_2_is_left_for_usage() -> None:
    assert EXIT_CODES.keys() == set(RunEnd)
    assert len(set(EXIT_CODES.values())) == len(EXIT_CODES)
    assert [end for end, code in EXIT_CODES.items() if code == 0] == [RunEnd.FINISHED]
    assert 2 not in EXIT_CODES.values()


TOLD = "garden: finished (12 eligible; 9 records)"


@pytest.mark.parametrize(
    ("outcomes", "left_out", "told"),
    [
        ({}, {}, "garden: finished (no page)"),
        (
            {Reason.GONE: 1, Reason.ELIGIBLE: 12},
            {},
            "garden: finished (12 eligible, 1 gone; 9 records)",
        ),
        (
            {Reason.ELIGIBLE: 12},
            {Bound.MAX_PAGES: 30, Bound.MAX_BARREN: 1},
            f"garden: links left out: 1 by max_barren, 30 by max_pages\n{TOLD}",
        ),
    ],
)
def test_an_end_is_one_line_below_what_was_left_out(
    outcomes: dict[Reason, int], left_out: dict[Bound, int], told: str
) -> None:
    assert describe_end("garden", RunEnd.FINISHED, outcomes, Yield(9), left_out) == told


def make_collection(url: str = "https://garden.example/", **gaps: str) -> Collection:
    found = {Gap(gap): detail for gap, detail in gaps.items()}
    return Collection(1, url, pages=1, items=2, accepted=2, expected=None, gaps=found)


def test_incomplete_collections_are_named_before_the_end() -> None:
    collections = [
        make_collection(),
        make_collection(
            "https://garden.example/?token=s3cret", page_cut="cut", count_differs="2, not 3"
        ),
    ]

    *told, end = describe_end(
        "garden", RunEnd.FINISHED, {}, Yield(), {}, collections=collections
    ).splitlines()

    [line] = told
    assert line.startswith("garden: incomplete: https://garden.example/?token=***")
    assert line.endswith(": cut; 2, not 3")
    assert end == "garden: finished (no page)"


def test_of_many_incomplete_collections_a_few_are_named() -> None:
    collections = [make_collection(page_cut="cut")] * 99

    told = describe_end("garden", RunEnd.FINISHED, {}, Yield(), {}, collections=collections)

    assert len(told.splitlines()) == 7
    assert "garden: incomplete: 94 more" in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (Yield(), "no record"),
        (Yield(1), "1 record"),
        (Yield(12, 3), "12 records, 3 rejected"),
        (Yield(0, 1), "no record, 1 rejected"),
    ],
)
def test_what_the_pages_gave_is_told_with_what_was_rejected(given: Yield, told: str) -> None:
    assert str(given) == told
