"""How a run ended, drawn from why the spider was closed and what became of its pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from crawler.contracts.bound import LeftOut
from crawler.contracts.collection import Collection
from crawler.contracts.frontier import RunEnd
from crawler.contracts.outcome import Reason
from crawler.contracts.secrets import mask_secrets

EXIT_CODES = {
    RunEnd.FINISHED: 0,
    RunEnd.FAILED: 1,
    RunEnd.STORAGE_FAILED: 3,
    RunEnd.DEFERRED: 4,
    RunEnd.STOPPED: 5,
    RunEnd.SESSION_EXPIRED: 6,
    RunEnd.SESSION_BUSY: 7,
}
"""2 is Scrapy's own, for wrong usage, and ours for a site file that cannot be used."""

BY_REASON = {
    "finished": RunEnd.FINISHED,
    "start_error": RunEnd.FAILED,
    RunEnd.FAILED.value: RunEnd.FAILED,
    RunEnd.STORAGE_FAILED.value: RunEnd.STORAGE_FAILED,
    RunEnd.DEFERRED.value: RunEnd.DEFERRED,
    RunEnd.SESSION_EXPIRED.value: RunEnd.SESSION_EXPIRED,
    RunEnd.SESSION_BUSY.value: RunEnd.SESSION_BUSY,
}


def decide_end(reason: str, outcomes: Mapping[Reason, int]) -> RunEnd:
    """Signals, limits (``closespider_…``) and anything else that stops short is ``stopped``.

    A run with bugs of ours and not one eligible page, or one that could ask for nothing for want of
    an authorisation, has failed however tidily it came to its end.
    """
    end = BY_REASON.get(reason, RunEnd.STOPPED)
    is_broken = Reason.INTERNAL_ERROR in outcomes and Reason.ELIGIBLE not in outcomes
    is_barred = set(outcomes) == {Reason.REFUSED_AUTHORIZATION}
    return RunEnd.FAILED if end is RunEnd.FINISHED and (is_broken or is_barred) else end


MOST_NAMED = 5


@dataclass(slots=True)
class Yield:
    """What the pages of a run gave."""

    records: int = 0
    rejected: int = 0

    def __str__(self) -> str:
        records = f"{self.records or 'no'} record{'' if self.records < 2 else 's'}"
        return f"{records}, {self.rejected} rejected" if self.rejected else records


def describe_end(
    site: str,
    end: RunEnd,
    outcomes: Mapping[Reason, int],
    given: Yield,
    left_out: LeftOut,
    *,
    collections: Sequence[Collection] = (),
) -> str:
    """Return for a person what was left out, what is incomplete, and how the run ended.

    The last line is like ``garden: finished (12 eligible, 1 gone; 9 records)``.
    """
    parts = [f"{count} {reason}" for reason, count in sorted(outcomes.items())]
    pages = f"{', '.join(parts)}; {given}" if parts else "no page"
    end_told = f"{site}: {end} ({pages})"
    told = (*_describe_bounds(left_out), *_describe_incomplete(collections))
    return "\n".join((*(f"{site}: {line}" for line in told), end_told))


def _describe_bounds(left_out: LeftOut) -> Iterator[str]:
    if left_out:
        bounds = ", ".join(f"{links} by {bound}" for bound, links in sorted(left_out.items()))
        yield f"links left out: {bounds}"


def _describe_incomplete(collections: Sequence[Collection]) -> Iterator[str]:
    incomplete = [each for each in collections if each.pages and not each.is_complete]
    for each in incomplete[:MOST_NAMED]:
        yield f"incomplete: {mask_secrets(each.url)}: {mask_secrets('; '.join(each.gaps.values()))}"
    if len(incomplete) > MOST_NAMED:
        yield f"incomplete: {len(incomplete) - MOST_NAMED} more"
