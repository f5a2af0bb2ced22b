from dataclasses import replace

import pytest

from crawler.contracts.item import Observation
from crawler.contracts.need import PageNeed, RenderingNeed, Shown
from crawler.contracts.outcome import ELIGIBLE, Kind, Reason, Verdict
from crawler.contracts.page import Link, PageReport
from crawler.contracts.retry import Action
from crawler.contracts.snapshot import PageKind, Representation
from crawler.engine.representation import PageRepresentations
from tests.unit.document.pages import make_snapshot
from tests.unit.engine.test_requests import ROW_1
from tests.unit.sites.builders import parse, site_text

HTML, RENDERED, FEED = Representation.HTML, Representation.RENDERED_DOM, Representation.FEED
LISTING, DETAIL = PageKind.LISTING, PageKind.DETAIL
BOTH = "{listing: rendered_dom, detail: auto}"
SITE = site_text(collect="collect: {links: a}", access=f"access: {{representation: {BOTH}}}")
SHELL = PageReport(Verdict(Kind.SHELL, Reason.INCOMPLETE_SNAPSHOT, ("h1 matches nothing",)))
FULL = PageReport(ELIGIBLE, links=(Link("https://garden.example/1", DETAIL, "a"),))


def needed(times: int, site_hash: str) -> dict[PageKind, RenderingNeed]:
    return {DETAIL: RenderingNeed(site_hash, times, 0, times, "h1 matches nothing")}


CHOICES = {
    "a kind that is always rendered": (LISTING, RENDERED, 0, RENDERED),
    "one that was admitted under another file": (LISTING, HTML, 0, RENDERED),
    "one that is left open": (DETAIL, HTML, 0, HTML),
    "one that was not whole as served": (DETAIL, RENDERED, 0, RENDERED),
    "two needed it": (DETAIL, HTML, 2, HTML),
    "three needed it": (DETAIL, HTML, 3, RENDERED),
    "a feed": (LISTING, FEED, 3, FEED),
}


@pytest.mark.parametrize(("kind", "row", "seen", "chosen"), CHOICES.values(), ids=CHOICES)
def test_the_file_of_the_run_decides_and_then_what_was_seen(
    kind: PageKind, row: Representation, seen: int, chosen: Representation
) -> None:
    site = parse(SITE)
    choice = PageRepresentations(site)
    choice.note(needed(seen, site.site_hash))

    assert (
        choice.choose(replace(ROW_1, page_kind=kind, representation=row)).representation is chosen
    )


def test_a_page_that_is_rendered_at_once_says_why() -> None:
    site = parse(SITE)
    choice = PageRepresentations(site)
    choice.note(needed(3, site.site_hash))

    [note] = choice.choose(ROW_1).notes

    assert note.startswith("rendered at once: the last 3 pages needed it; last missing: h1 matches")


def observed(representation: Representation = HTML, **changes: object) -> Observation:
    snapshot = make_snapshot(b"<p>a</p>", representation=representation)
    seen = Observation(ROW_1, snapshot, ELIGIBLE, elapsed_seconds=2.0)
    return replace(seen, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("is_retained", [True, False])
def test_the_row_goes_on_within_its_budget(*, is_retained: bool) -> None:
    choice, seen = PageRepresentations(parse(SITE)), observed()

    decision, page = choice.decide(seen, SHELL, lambda size: is_retained)

    assert decision is not None
    assert page is not None
    assert (decision.remaining_attempts, decision.remaining_seconds) == (1, 88.0)
    assert page.row.representation is RENDERED
    assert page.row.spent_seconds == 2.0
    assert page.row.attempts == (0 if is_retained else 1)
    assert (page.kind, page.capture.is_eligible) == (Kind.SHELL, False)


def test_a_page_for_which_no_time_is_left_ends_with_the_decision() -> None:
    choice = PageRepresentations(parse(SITE))
    seen = observed(row=replace(ROW_1, spent_seconds=87.5))

    decision, page = choice.decide(seen, SHELL, lambda size: True)

    assert decision is not None
    assert decision.action is Action.STOP
    assert page is None


@pytest.mark.parametrize(
    "seen",
    [
        observed(RENDERED, row=replace(ROW_1, representation=RENDERED)),
        observed(snapshot=make_snapshot(b"<p>a</p>", page_kind=LISTING)),
    ],
    ids=["a page that was rendered", "a kind that is not left open"],
)
def test_nothing_is_decided_of(seen: Observation) -> None:
    choice = PageRepresentations(parse(SITE))

    assert choice.decide(seen, SHELL, lambda size: True) == (None, None)


def test_no_page_that_is_whole_is_asked_whether_it_could_be_kept() -> None:
    def can_retain(_size: int) -> bool:
        raise AssertionError("asked")

    whole = replace(SHELL, verdict=ELIGIBLE)

    assert PageRepresentations(parse(SITE)).decide(observed(), whole, can_retain) == (None, None)


NEEDS = {
    "whole as served": (observed(), Shown.WHOLE),
    "rendered since": (
        observed(RENDERED, missing="h1", row=replace(ROW_1, representation=RENDERED)), Shown.NEEDED
    ),
    "rendered at once": (observed(RENDERED), Shown.AT_ONCE),
    "rendered after a restart": (
        observed(RENDERED, row=replace(ROW_1, representation=RENDERED)), None
    ),
    "a kind that is not left open": (observed(row=replace(ROW_1, page_kind=LISTING)), None),
    "data": (observed(row=replace(ROW_1, representation=FEED)), None),
}  # fmt: skip


@pytest.mark.parametrize(("seen", "shown"), NEEDS.values(), ids=NEEDS)
def test_what_a_page_showed_is_kept_where_its_kind_is_left_open(
    seen: Observation, shown: Shown | None
) -> None:
    site = parse(SITE)

    need = PageRepresentations(site).need_of(seen, FULL)

    expected = shown and PageNeed(DETAIL, shown, site.site_hash, seen.missing)
    assert need == expected
