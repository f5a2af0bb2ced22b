"""Ends the work on a page that is not the one that was asked for. It is never retried or followed."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.contracts.meta import OBSERVATION
from crawler.contracts.outcome import Outcome, Verdict
from crawler.middlewares.access import AccessStopped, row_of

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class ChallengeMiddleware:
    """Stat: ``challenge/<kind>`` for every response that is stopped here."""

    def __init__(self, crawler: Crawler) -> None:
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ChallengeMiddleware":
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        observation = request.meta.get(OBSERVATION)
        if row_of(request) is None or observation is None:
            return response
        verdict: Verdict = observation.verdict
        if verdict.is_eligible or is_followable(response):
            return response
        self._stats.inc_value(f"challenge/{verdict.kind}")
        detail = "; ".join(verdict.evidence)[:500]
        raise AccessStopped(Outcome(verdict.reason, verdict.kind, detail), observation)


def is_followable(response: Response) -> bool:
    """Tell whether *response* is a redirect hop rather than the end of the way."""
    return response.status in REDIRECTS and "Location" in response.headers
