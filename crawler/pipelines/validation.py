"""Draws the page's outcome from its report and admits the links it names.

A page that lacks what scripts may add has none yet: it goes on to be rendered.
"""

import asyncio
from dataclasses import replace
from typing import Any

from scrapy.crawler import Crawler

from crawler.classification.session import judge_unfollowed
from crawler.contracts.frontier import Escalation, Offer, PageCommit
from crawler.contracts.item import (
    AccessFailure,
    EscalatedPage,
    InterpretedPage,
    JudgedPage,
    diagnostic_capture,
)
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.page import PageReport
from crawler.contracts.ports import CrawlRun
from crawler.contracts.retry import RetryDecision
from crawler.interpretation.version import extractor_version
from crawler.ledger.listings import describe_listing

MAX_DETAIL = 500
MANY_LINKS = 250
"""Naming a link and deciding on its admission takes some 20 us; a sitemap may have 50,000."""


class ValidationPipeline:
    """Stats: ``outcome/<reason>``, ``reject/<reason>``."""

    def __init__(self, crawler: Crawler, run: CrawlRun) -> None:
        self._stats = crawler.stats
        self._run = run
        self._extractor_version = extractor_version()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ValidationPipeline":
        return cls(crawler, crawler.spider.run)  # type: ignore[union-attr]

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, InterpretedPage):
            decision, escalation = self._decide_rendering(item)
            if escalation is not None:
                return EscalatedPage(escalation)
            commit = await self._judge_aside(item, decision)
        elif isinstance(item, AccessFailure):
            commit = self._judge_failure(item)
        else:
            return item
        self._stats.inc_value(f"outcome/{commit.outcome.reason}")
        for rejection in commit.report.rejections if commit.report else ():
            self._stats.inc_value(f"reject/{rejection.reason}")
        return JudgedPage(commit)

    def _decide_rendering(
        self, page: InterpretedPage
    ) -> tuple[RetryDecision | None, Escalation | None]:
        if page.report is None:
            return None, None
        return self._run.decide_rendering(page.observation, page.report)

    async def _judge_aside(
        self, page: InterpretedPage, decision: RetryDecision | None
    ) -> PageCommit:
        """Judge a page that leads to many others in a thread, so that the crawl goes on meanwhile."""
        if page.report is None or len(page.report.links) <= MANY_LINKS:
            return self._judge_page(page, decision)
        return await asyncio.to_thread(self._judge_page, page, decision)

    def _judge_page(self, page: InterpretedPage, decision: RetryDecision | None) -> PageCommit:
        observation, report = page.observation, page.report
        outcome = decide_outcome(report, page.trace)
        row, site = observation.row, self._run.site
        offer = self._run.offer_links(row, report) if report else Offer()
        is_eligible = outcome.reason is Reason.ELIGIBLE
        return replace(
            self._run.commit_of(row, outcome, observation, is_sent=True),
            capture=replace(diagnostic_capture(observation), is_eligible=is_eligible),
            report=report,
            links=offer.rows,
            trail=offer.trail,
            left_out=offer.left_out,
            listing=describe_listing(report, site, observation.snapshot) if report else None,
            rule_version=site.rules.version,
            volatile=site.rules.record.volatile,
            extractor_version=self._extractor_version,
            decision=decision,
            trace=page.trace,
            need=self._run.need_of(observation, report) if report else None,
        )

    def _judge_failure(self, failure: AccessFailure) -> PageCommit:
        outcome = failure.outcome
        if self._run.session is not None:
            outcome = judge_unfollowed(outcome, failure.row)
        is_sent = not outcome.reason.is_refusal
        return replace(
            self._run.commit_of(failure.row, outcome, failure.observation, is_sent=is_sent),
            spent_seconds=failure.row.spent_seconds + failure.elapsed_seconds,
            decision=failure.decision,
            trace=failure.trace,
        )


def decide_outcome(report: PageReport | None, trace: str | None) -> Outcome:
    """The DOM half of the verdict decides; a bug of ours is never taken for the page's fault."""
    if report is None:
        last_line = (trace or "").strip().splitlines()[-1:] or ["no trace"]
        return Outcome(Reason.INTERNAL_ERROR, detail=last_line[0][:MAX_DETAIL])
    verdict = report.verdict
    return Outcome(verdict.reason, verdict.kind, "; ".join(verdict.evidence)[:MAX_DETAIL])
