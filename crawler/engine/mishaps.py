"""What Scrapy reports of components that are not ours: no page vanishes for their sake."""

import logging
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from crawler.contracts.frontier import LeasedRow, PageCommit
from crawler.contracts.meta import ROW
from crawler.contracts.outcome import Outcome, Reason

if TYPE_CHECKING:
    from crawler.engine.run import Run

logger = logging.getLogger(__name__)

MAX_DETAIL = 500
MAX_TRACE = 8_000


class Mishaps:
    """Ends the row of a page that a spider, a pipeline or Scrapy lost as ``internal_error``."""

    def __init__(self, crawler: Crawler, run: "Run") -> None:
        self._stats = crawler.stats
        self._run = run
        for handler, signal in (
            (self._note_item_error, signals.item_error),
            (self._note_dropped_item, signals.item_dropped),
            (self._note_spider_error, signals.spider_error),
        ):
            crawler.signals.connect(handler, signal=signal)

    def report_lost(self, row: LeasedRow) -> None:
        """End a row whose request is over without anything having been said of it."""
        self._end(row, "the request ended without a report")

    def report_bug(self, row: LeasedRow, error: Exception) -> None:
        """End a row for which no request could be made, or that could not be put off."""
        logger.error("%s: %s", row.url, error, exc_info=error)
        self._end(row, describe_bug(error), _trace_of(error))

    def _note_item_error(self, item: Any, response: Any, failure: Failure) -> None:
        self._record(response, item, failure)

    def _note_dropped_item(self, item: Any, response: Any, exception: Exception) -> None:
        self._record(response, item, Failure(exception))

    def _note_spider_error(self, failure: Failure, response: Any) -> None:
        self._record(response, None, failure)

    def _record(self, response: Any, item: Any, failure: Failure) -> None:
        row = _row_of(response, item)
        if row is None or row.id not in self._run.frontier.in_hand:
            return
        self._end(row, describe_bug(failure.value), failure.getTraceback()[-MAX_TRACE:])

    def _end(self, row: LeasedRow, detail: str, trace: str | None = None) -> None:
        observation = self._run.observations.find(row.id)
        outcome = Outcome(Reason.INTERNAL_ERROR, detail=detail)
        self._stats.inc_value(f"outcome/{Reason.INTERNAL_ERROR}")
        commit = self._run.ends.describe(row, outcome, observation, is_sent=observation is not None)
        self._run.commit_later(replace(commit, trace=trace))


def without_content(commit: PageCommit, error: Exception) -> PageCommit:
    """Return the commit that ends the same page as a bug of ours, and nothing else."""
    return PageCommit(
        row=commit.row,
        token=commit.token,
        cycle=commit.cycle,
        run=commit.run,
        site=commit.site,
        source_id=commit.source_id,
        outcome=Outcome(Reason.INTERNAL_ERROR, detail=describe_bug(error)),
        capture=None,
        url=commit.url,
        attempts=commit.attempts,
        spent_seconds=commit.spent_seconds,
        trace=_trace_of(error),
    )


def describe_bug(error: BaseException | None) -> str:
    """Return what the outcome of a page says of an error of ours."""
    return f"{type(error).__name__}: {error}"[:MAX_DETAIL]


def _trace_of(error: Exception) -> str:
    return "".join(traceback.format_exception(error))[-MAX_TRACE:]


def _row_of(response: Any, item: Any) -> LeasedRow | None:
    request = getattr(response, "request", None) or getattr(response, "meta", None)
    meta = request.meta if isinstance(request, Request) else {}
    row = meta.get(ROW) or getattr(item, "row", None)
    return row if isinstance(row, LeasedRow) else None
