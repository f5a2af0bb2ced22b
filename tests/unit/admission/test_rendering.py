from dataclasses import replace
from functools import reduce

import pytest

from crawler.admission.rendering import (
    ENOUGH,
    LOOK_AGAIN_AFTER,
    Remainder,
    decide_rendering,
    describe_need,
    is_rendered_at_once,
    learn,
    read_shown,
)
from crawler.contracts.need import PageNeed, RenderingNeed, Shown
from crawler.contracts.outcome import ELIGIBLE, Kind, Reason, RejectReason, Verdict
from crawler.contracts.page import Link, PageReport
from crawler.contracts.record import Rejection
from crawler.contracts.retry import Action, Layer, RetryDecision
from crawler.contracts.snapshot import PageKind, Representation
from tests.unit.document.pages import make_snapshot

SHELL = Verdict(Kind.SHELL, Reason.INCOMPLETE_SNAPSHOT, ("article matches nothing",))
LEFT = Remainder(attempts=1, seconds=80.0)


def test_a_page_that_lacks_something_is_rendered_with_the_grounds_and_what_is_left() -> None:
    assert decide_rendering(SHELL, LEFT) == RetryDecision(
        Action.RENDER,
        Reason.INCOMPLETE_SNAPSHOT,
        Layer.REPRESENTATION,
        "its scripts may add what is missing",
        remaining_attempts=1,
        remaining_seconds=80.0,
        evidence=("article matches nothing",),
    )


@pytest.mark.parametrize(
    "verdict",
    [
        ELIGIBLE,
        Verdict(Kind.SOFT_404, Reason.SOFT_404),
        Verdict(Kind.WRONG_DOCUMENT, Reason.WRONG_DOCUMENT),
        Verdict(Kind.MEDIA_TYPE, Reason.REPRESENTATION_MISMATCH),
        Verdict(Kind.LOGIN, Reason.SESSION_EXPIRED),
    ],
    ids=lambda verdict: verdict.reason.value,
)
def test_no_browser_changes_any_other_verdict(verdict: Verdict) -> None:
    assert decide_rendering(verdict, LEFT) is None


BUDGETS = {
    "the response is at hand, and no attempt left": (Remainder(0, 80.0), Action.RENDER),
    "a second": (Remainder(1, 1.0), Action.RENDER),
    "less than a second": (Remainder(1, 0.9), Action.STOP),
    "it is fetched again": (Remainder(1, 80.0, is_retained=False), Action.RENDER),
    "it would have to be fetched again": (Remainder(0, 80.0, is_retained=False), Action.STOP),
}


@pytest.mark.parametrize(("left", "action"), BUDGETS.values(), ids=BUDGETS)
def test_rendering_stays_within_what_the_url_may_cost(left: Remainder, action: Action) -> None:
    decision = decide_rendering(SHELL, left)

    assert decision is not None
    assert (decision.action, decision.reason) == (action, Reason.INCOMPLETE_SNAPSHOT)
    assert decision.benefit.startswith("none: ") == (action is Action.STOP)


def after(*shown: Shown, site_hash: str = "a") -> RenderingNeed | None:
    pages = (PageNeed(PageKind.DETAIL, each, site_hash, "h1 matches nothing") for each in shown)
    none: RenderingNeed | None = None
    return reduce(learn, pages, none)


NEEDED, WHOLE, AT_ONCE = [Shown.NEEDED], [Shown.WHOLE], [Shown.AT_ONCE]
HISTORIES = {
    "nothing is known": ([], False),
    "two needed it": (2 * NEEDED, False),
    "three needed it": (3 * NEEDED, True),
    "three with a whole one between": ([*NEEDED, *WHOLE, *NEEDED, *NEEDED], False),
    "three after a whole one": ([*WHOLE, *NEEDED, *NEEDED, *NEEDED], True),
    "a whole one after three": ([*NEEDED, *NEEDED, *NEEDED, *WHOLE], False),
    "24 rendered at once": ([*3 * NEEDED, *24 * AT_ONCE], True),
    "25 rendered at once": ([*3 * NEEDED, *25 * AT_ONCE], False),
    "25, and the next one needed it still": ([*3 * NEEDED, *25 * AT_ONCE, *NEEDED], True),
    "25, and the next one is whole": ([*3 * NEEDED, *25 * AT_ONCE, *WHOLE], False),
    "one was not whole even so": ([*3 * NEEDED, Shown.IN_VAIN], False),
    "and the next one needed it": ([*3 * NEEDED, Shown.IN_VAIN, *NEEDED], True),
}


@pytest.mark.parametrize(("shown", "is_at_once"), HISTORIES.values(), ids=HISTORIES)
def test_a_kind_is_rendered_at_once_for_what_its_pages_showed(
    shown: list[Shown], is_at_once: bool
) -> None:
    assert (ENOUGH, LOOK_AGAIN_AFTER) == (3, 25)
    assert is_rendered_at_once(after(*shown), "a") == is_at_once


def test_what_was_seen_under_another_site_file_does_not_count() -> None:
    known = after(*3 * NEEDED)

    assert not is_rendered_at_once(known, "b")
    assert learn(known, PageNeed(PageKind.DETAIL, Shown.NEEDED, "b", "x")) == RenderingNeed(
        "b", in_a_row=1, decided=1, missing="x"
    )


def test_the_grounds_are_told() -> None:
    assert describe_need(RenderingNeed("a", 4, 2, 9, "h1 matches nothing")) == (
        "the last 4 pages needed it; last missing: h1 matches nothing; 9 looked at, "
        "2 rendered at once since"
    )
    assert describe_need(RenderingNeed("a", 0, 0, 1)).startswith(
        "the last page was whole; 1 looked at"
    )


LINK = Link("https://site.example/1", PageKind.DETAIL, "a")
FULL = PageReport(ELIGIBLE, links=(LINK,))
BARE = PageReport(ELIGIBLE)
UNREAD = PageReport(ELIGIBLE, rejections=(Rejection(RejectReason.EXTRACTION_TIMEOUT, ""),))
UNVERIFIED = PageReport(ELIGIBLE, rejections=(Rejection(RejectReason.UNVERIFIED_EMPTY, ""),))
FAULTY = PageReport(ELIGIBLE, rejections=(Rejection(RejectReason.REQUIRED_FIELD, ""),))
HTML, RENDERED = Representation.HTML, Representation.RENDERED_DOM
SHOWN = {
    "whole as served": (HTML, FULL, "", True, Shown.WHOLE),
    "not whole, and not rendered for want of time": (HTML, PageReport(SHELL), "", True, None),
    "whole once rendered": (RENDERED, FULL, "h1", False, Shown.NEEDED),
    "its records are faulty, and there": (RENDERED, FAULTY, "h1", False, Shown.NEEDED),
    "not whole even then": (RENDERED, PageReport(SHELL), "h1", False, None),
    "nothing on it even then": (RENDERED, BARE, "h1", False, None),
    "nothing that is sure to be nothing": (RENDERED, UNVERIFIED, "h1", False, None),
    "rendered at once": (RENDERED, FULL, "", True, Shown.AT_ONCE),
    "rendered at once, and not whole": (RENDERED, PageReport(SHELL), "", True, Shown.IN_VAIN),
    "rendered after a restart": (RENDERED, FULL, "", False, None),
    "not read to its end": (HTML, UNREAD, "", True, None),
}


@pytest.mark.parametrize(
    ("representation", "report", "missing", "is_at_once", "shown"), SHOWN.values(), ids=SHOWN
)
def test_a_page_shows_what_its_kind_needs(
    representation: Representation,
    report: PageReport,
    missing: str,
    is_at_once: bool,
    shown: Shown | None,
) -> None:
    snapshot = replace(make_snapshot(b"<p>a</p>"), representation=representation)

    assert read_shown(snapshot, report, missing=missing, is_at_once=is_at_once) is shown
