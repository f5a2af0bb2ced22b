from dataclasses import fields

from crawler.contracts.bound import Bound, Trail
from crawler.contracts.frontier import PageCommit
from crawler.contracts.need import PageNeed, Shown
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.session import SessionUse
from crawler.contracts.snapshot import PageKind
from crawler.engine.mishaps import MAX_DETAIL, MAX_TRACE, without_content

OF_THE_PAGE = {
    "row": 7,
    "token": "t",
    "cycle": 2,
    "run": "r",
    "site": "garden",
    "source_id": "source",
    "url": "https://garden.example/7",
    "attempts": 3,
    "spent_seconds": 1.5,
}


def test_a_page_that_cannot_be_committed_ends_without_all_that_it_led_to() -> None:
    commit = PageCommit(
        **OF_THE_PAGE,  # type: ignore[arg-type]
        outcome=Outcome(Reason.SESSION_EXPIRED),
        capture=None,
        left_out={Bound.MAX_DEPTH: 2},
        trail=Trail("digest", 1),
        session=SessionUse("members", "f" * 64),
        need=PageNeed(PageKind.DETAIL, Shown.NEEDED, "hash", "x"),
        volatile=("price",),
    )

    bare = without_content(commit, ValueError("x" * 20_000))

    said = {each.name: getattr(bare, each.name) for each in fields(bare)}
    empty = PageCommit(**OF_THE_PAGE, outcome=bare.outcome, capture=None, trace=bare.trace)  # type: ignore[arg-type]
    assert said == {each.name: getattr(empty, each.name) for each in fields(empty)}
    assert bare.outcome.reason is Reason.INTERNAL_ERROR
    assert bare.outcome.detail.startswith("ValueError: xxx")
    assert len(bare.outcome.detail) == MAX_DETAIL
    assert len(bare.trace or "") == MAX_TRACE
