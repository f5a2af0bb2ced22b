"""Whether a page whose site leaves it open is rendered: at once, once it was read, or not at all."""

from dataclasses import dataclass, replace

from crawler.contracts.need import PageNeed, RenderingNeed, Shown
from crawler.contracts.outcome import Reason, RejectReason, Verdict
from crawler.contracts.page import PageReport
from crawler.contracts.retry import Action, Layer, RetryDecision
from crawler.contracts.snapshot import Representation, Snapshot

ENOUGH = 3
"""Pages of a kind in a row that needed rendering, after which the kind is rendered at once."""
LOOK_AGAIN_AFTER = 25
"""Pages rendered at once, after which one is read as it is served: the site may have changed. It is
fetched that way in any case, so that a look costs the server nothing.
"""
LEAST_SECONDS = 1.0
"""What showing a page takes at least: its scripts have to be loaded."""


@dataclass(frozen=True, slots=True)
class Remainder:
    """What the URL may still cost once its response has come."""

    attempts: int
    seconds: float
    is_retained: bool = True
    """The response is at hand, so that nothing need be asked for again."""


def decide_rendering(verdict: Verdict, left: Remainder) -> RetryDecision | None:
    """Return what to do about a served page of a kind that may be rendered; None if it is usable,
    or unusable for a reason that no browser changes.
    """
    if verdict.reason is not Reason.INCOMPLETE_SNAPSHOT:
        return None
    obstacle = _find_obstacle(left)
    return RetryDecision(
        Action.STOP if obstacle else Action.RENDER,
        verdict.reason,
        Layer.REPRESENTATION,
        obstacle or "its scripts may add what is missing",
        remaining_attempts=left.attempts,
        remaining_seconds=left.seconds,
        evidence=verdict.evidence,
    )


def _find_obstacle(left: Remainder) -> str | None:
    if left.seconds < LEAST_SECONDS:
        return "none: the time for this URL is used up"
    if not left.is_retained and not left.attempts:
        return "none: the response is too large to keep, and no attempt is left to fetch it again"
    return None


def is_rendered_at_once(need: RenderingNeed | None, site_hash: str) -> bool:
    """Whether what is known of a kind of pages, under this very site file, says so."""
    if need is None or need.site_hash != site_hash:
        return False
    return need.in_a_row >= ENOUGH and need.at_once < LOOK_AGAIN_AFTER


def describe_need(need: RenderingNeed) -> str:
    """Return in words what the choice rests on."""
    row = "the last page" if need.in_a_row == 1 else f"the last {need.in_a_row} pages"
    told = f"{row} needed it" if need.in_a_row else "the last page was whole"
    lacked = f"; last missing: {need.missing}" if need.in_a_row and need.missing else ""
    return f"{told}{lacked}; {need.decided} looked at, {need.at_once} rendered at once since"


def learn(need: RenderingNeed | None, page: PageNeed) -> RenderingNeed:
    """Return what is known of a kind once one more page was seen."""
    if need is None or need.site_hash != page.site_hash:
        need = RenderingNeed(page.site_hash)
    if page.shown is Shown.AT_ONCE:
        return replace(need, at_once=need.at_once + 1)
    if page.shown is Shown.IN_VAIN:
        return replace(need, at_once=LOOK_AGAIN_AFTER)
    looked = replace(need, at_once=0, decided=need.decided + 1)
    if page.shown is Shown.WHOLE:
        return replace(looked, in_a_row=0)
    return replace(looked, in_a_row=need.in_a_row + 1, missing=page.missing)


def read_shown(
    snapshot: Snapshot, report: PageReport, *, missing: str, is_at_once: bool
) -> Shown | None:
    """Return what a page showed of its kind; None if it says nothing of it.

    *missing* is what it lacked before it was rendered for that.
    """
    if any(rejection.reason.is_resource_outcome for rejection in report.rejections):
        return None
    is_whole = report.verdict.is_eligible
    if snapshot.representation is Representation.HTML:
        return Shown.WHOLE if is_whole else None
    if missing:
        return Shown.NEEDED if is_whole and _is_filled(report) else None
    if not is_at_once:
        return None
    is_in_vain = report.verdict.reason is Reason.INCOMPLETE_SNAPSHOT
    return Shown.IN_VAIN if is_in_vain else Shown.AT_ONCE


def _is_filled(report: PageReport) -> bool:
    """A page without content of its own shows nothing, as the part behind the last of a listing."""
    reasons = {rejection.reason for rejection in report.rejections}
    is_read = bool(reasons - {RejectReason.UNVERIFIED_EMPTY})
    return bool(report.candidates or report.links) or is_read
