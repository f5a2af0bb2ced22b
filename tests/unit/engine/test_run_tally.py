import logging
from dataclasses import replace

import pytest
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from crawler.contracts.bound import Bound
from crawler.contracts.collection import Collection, Gap
from crawler.contracts.frontier import CommitResult, RunEnd
from crawler.contracts.outcome import Reason
from crawler.engine.run_tally import RunTally

WHOLE = Collection(1, "https://garden.example/", pages=2, items=3, accepted=3, expected=None)
PARTIAL = replace(WHOLE, url="https://garden.example/old", gaps={Gap.PAGE_FAILED: "page 2 failed"})
NOTHING = CommitResult(is_fenced=False)


@pytest.fixture
def stats() -> MemoryStatsCollector:
    return MemoryStatsCollector(get_crawler())


def test_a_run_that_came_to_nothing_says_so(stats: MemoryStatsCollector) -> None:
    tally = RunTally(stats)

    assert tally.counters == {}
    assert tally.decide_end("finished") is RunEnd.FINISHED
    assert tally.describe_end("garden", RunEnd.FINISHED) == "garden: finished (no page)"


def test_what_was_noted_is_counted_for_the_record_the_stats_and_the_person(
    stats: MemoryStatsCollector, caplog: pytest.LogCaptureFixture
) -> None:
    tally = RunTally(stats)
    for reason in (Reason.GONE, Reason.ELIGIBLE):
        tally.note_page(reason, NOTHING)
    found = replace(NOTHING, accepted=("a",), unchanged=("b", "c"), rejected=4)
    tally.note_page(Reason.ELIGIBLE, replace(found, left_out={Bound.MAX_DEPTH: 2}))
    tally.note_page(Reason.ELIGIBLE, replace(NOTHING, ended={Reason.NOT_MODIFIED: 5}))
    tally.note_left_out({Bound.MAX_DEPTH: 1, Bound.MAX_PAGES: 4})
    with caplog.at_level(logging.INFO):
        tally.note_collections([WHOLE, PARTIAL])

    assert tally.counters == {
        "eligible": 3,
        "gone": 1,
        "not_modified": 5,
        "left_out_max_depth": 3,
        "left_out_max_pages": 4,
    }
    assert stats.get_stats() == {
        "bounds/max_depth": 3,
        "bounds/max_pages": 4,
        "collection/complete": 1,
        "collection/incomplete": 1,
    }
    assert "complete collections: 1 of 2" in caplog.text
    assert tally.describe_end("garden", RunEnd.FINISHED).splitlines() == [
        "garden: links left out: 3 by max_depth, 4 by max_pages",
        "garden: incomplete: https://garden.example/old: page 2 failed",
        "garden: finished (3 eligible, 1 gone, 5 not_modified; 3 records, 4 rejected)",
    ]


def test_a_bug_and_no_eligible_page_make_a_finished_run_a_failed_one(
    stats: MemoryStatsCollector,
) -> None:
    tally = RunTally(stats)
    tally.note_page(Reason.INTERNAL_ERROR, NOTHING)

    assert tally.decide_end("finished") is RunEnd.FAILED
