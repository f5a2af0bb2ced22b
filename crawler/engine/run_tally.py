"""What a run has come to, counted while it goes on, and told when it ends."""

import logging
from collections import Counter
from collections.abc import Sequence

from scrapy.statscollectors import StatsCollector

from crawler.contracts.bound import Bound, LeftOut
from crawler.contracts.collection import Collection
from crawler.contracts.frontier import CommitResult, RunEnd
from crawler.contracts.outcome import Reason
from crawler.engine.ending import Yield, decide_end, describe_end

logger = logging.getLogger(__name__)


class RunTally:
    """Stats: ``bounds/<bound>``, ``collection/<state>``."""

    def __init__(self, stats: StatsCollector) -> None:
        self._stats = stats
        self._outcomes = Counter[Reason]()
        self._given = Yield()
        self._left_out = Counter[Bound]()
        self._collections: Sequence[Collection] = ()

    @property
    def counters(self) -> dict[str, int | str]:
        """What the run's record says of it."""
        outcomes = {reason.value: count for reason, count in sorted(self._outcomes.items())}
        left = {f"left_out_{bound}": links for bound, links in sorted(self._left_out.items())}
        return {**outcomes, **left}

    def note_page(self, reason: Reason, result: CommitResult) -> None:
        """Count a page whose end is on record, and those that it led to which need no request."""
        self._outcomes[reason] += 1
        self._outcomes.update(result.ended)
        self._given.records += len(result.accepted) + len(result.unchanged)
        self._given.rejected += result.rejected
        self.note_left_out(result.left_out)

    def note_left_out(self, left_out: LeftOut) -> None:
        for bound, links in left_out.items():
            self._left_out[bound] += links
            self._stats.inc_value(f"bounds/{bound}", links)

    def note_collections(self, collections: Sequence[Collection]) -> None:
        self._collections = collections
        for collection in collections:
            state = "complete" if collection.is_complete else "incomplete"
            self._stats.inc_value(f"collection/{state}")
        if collections:
            whole = sum(collection.is_complete for collection in collections)
            logger.info(
                "the cycle is closed; complete collections: %d of %d", whole, len(collections)
            )

    def decide_end(self, reason: str) -> RunEnd:
        return decide_end(reason, self._outcomes)

    def describe_end(self, site: str, end: RunEnd) -> str:
        return describe_end(
            site,
            end,
            self._outcomes,
            self._given,
            self._left_out,
            collections=self._collections,
        )
