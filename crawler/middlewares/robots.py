"""Fetches and obeys robots files (RFC 9309), under the same admission and pace as pages."""

import asyncio
from dataclasses import replace
from time import monotonic
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response

from crawler.admission.refusal import ConnectionRefusedByPolicy, TransferAborted
from crawler.admission.retry import backoff_seconds
from crawler.admission.robots import (
    MAX_BYTES,
    RobotsRules,
    RobotsState,
    allows,
    crawl_delay,
    read_robots,
)
from crawler.admission.scope import scope_of
from crawler.admission.url import parse_url
from crawler.contracts.frontier import LeasedRow
from crawler.contracts.meta import CUT_AT_LIMIT
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.ports import CrawlRun
from crawler.contracts.retry import Layer
from crawler.discovery.sitemap import sitemap_addresses
from crawler.document.url import ROBOTS_PATH
from crawler.middlewares.access import AccessStopped, CoolingDown, row_of, run_of
from crawler.middlewares.admission import (
    SHORT_WAIT,
    deferred,
    wait_for_scope,
    wait_for_turn,
)
from crawler.middlewares.decoding import TOO_LARGE

MAX_REDIRECTS = 5  # RFC 9309, 2.3.1.2
ROBOTS_SECONDS = 30.0
RETRY_PAUSE = 0.5
BROKEN_OFF = frozenset({"dataloss", "truncated"})
"""Flags of a body whose missing rest may forbid something; one cut at our limit has no such rest."""


class RobotsMiddleware:
    """Settings: ROBOTSTXT_OBEY, ROBOTS_MAX_CRAWL_DELAY, USER_AGENT. Stats: ``robots/<state>``,
    ``robots/refused``.

    One fetch for each origin and run; pages of the origin wait for it. While it cannot be read,
    nothing is allowed and its scope backs off (RFC 9309, 2.3.1.4).
    """

    def __init__(self, crawler: Crawler, run: CrawlRun) -> None:
        self._crawler = crawler
        self._run = run
        self._agent: str = crawler.settings["USER_AGENT"]
        self._max_delay = crawler.settings.getfloat("ROBOTS_MAX_CRAWL_DELAY")
        self._listed = frozenset(map(_as_admitted, sitemap_addresses(run.site.config)))
        self._rules: dict[str, asyncio.Task[RobotsRules]] = {}
        self._answers: dict[str, Response] = {}
        """Files that are wanted for their sitemaps, too: not asked for a second time."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RobotsMiddleware":
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is False")
        return cls(crawler, run_of(crawler))

    async def process_request(self, request: Request) -> Request | Response | None:
        row = row_of(request)
        if row is None:
            return None
        origin = _origin(request.url)
        is_held = not self._is_known(origin)
        try:
            rules = await self._rules_for(origin)
        except CoolingDown as refusal:
            return deferred(request, wait_for_scope(row, refusal, self._run))
        answer = self._answers.pop(request.url, None)
        if answer is not None:
            return answer.replace(request=request)
        if allows(rules, request.url, self._agent):
            return await self._take_turn(request, row) if is_held else None
        self._crawler.stats.inc_value("robots/refused")
        raise AccessStopped(_refusal_by(rules))

    async def _take_turn(self, request: Request, row: LeasedRow) -> Request | None:
        """All that waited for the file are past their turns, and would be sent in one burst."""
        turn = None
        if self._run.scopes.pace.delay > 0:
            turn = await self._run.take_turn(row.scope, SHORT_WAIT)
        until = await self._run.scopes.cooling_until(row.scope)
        if until > self._run.now():
            return deferred(request, wait_for_scope(row, CoolingDown(until), self._run))
        return None if turn is None else deferred(request, wait_for_turn(row, turn, self._run))

    def _is_known(self, origin: str) -> bool:
        task = self._rules.get(origin)
        return task is not None and task.done()

    async def _rules_for(self, origin: str) -> RobotsRules:
        task = self._rules.get(origin)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._fetch(origin))
            self._rules[origin] = task
        try:
            return await asyncio.shield(task)
        except CoolingDown:
            self._rules.pop(origin, None)  # Asked again once the scope may be sent to.
            raise

    async def _fetch(self, origin: str) -> RobotsRules:
        url = f"{origin}{ROBOTS_PATH}"
        started = monotonic()
        rules = await self._read(url)
        if rules.state is RobotsState.UNREACHABLE:
            await asyncio.sleep(RETRY_PAUSE)
            rules = await self._read(url)
        self._crawler.stats.inc_value(f"robots/{rules.state}")
        if rules.state is RobotsState.UNREACHABLE:
            raise await self._back_off(url, rules, started)
        delay = crawl_delay(rules, self._agent, cap=self._max_delay)
        if delay is not None and delay > self._run.scopes.pace.delay:
            self._run.scopes.pace = replace(self._run.scopes.pace, delay=delay)
        return rules

    async def _back_off(self, url: str, rules: RobotsRules, started: float) -> CoolingDown:
        scope = scope_of(url, self._run.site.config.access.scope)
        level = await self._run.scopes.refusals_in_a_row(scope, started)
        until = self._run.now() + backoff_seconds(level)
        await self._run.scopes.cool(scope, until, self._run.now())
        why = "; ".join(rules.notes)
        return CoolingDown(
            until,
            reason=Reason.DEFER_SERVICE,
            layer=Layer.ROBOTS,
            benefit=f"robots.txt may be readable by then ({why}); nothing is allowed before",
        )

    async def _read(self, url: str) -> RobotsRules:
        self._answers.pop(url, None)
        try:
            response = await self._download(url)
        except AccessStopped as error:
            return RobotsRules(RobotsState.REFUSED, (f"robots.txt: {error.outcome.detail}",))
        except ConnectionRefusedByPolicy as error:
            is_own_host = bool(error.host) and error.host == urlsplit(url).hostname
            state = RobotsState.HOST_REFUSED if is_own_host else RobotsState.REFUSED
            return RobotsRules(state, (f"robots.txt: {error.detail}",))
        if response is not None and url in self._listed:
            self._answers[url] = response
        return _read_response(response)

    async def _download(self, url: str) -> Response | None:
        """Raises AccessStopped or ConnectionRefusedByPolicy where we refuse to ask."""
        request = Request(
            url,
            headers=dict(self._run.headers),
            meta={
                "download_timeout": ROBOTS_SECONDS,
                "download_maxsize": 4 * MAX_BYTES,
                CUT_AT_LIMIT: True,
                "redirect_ttl": MAX_REDIRECTS,
            },
            dont_filter=True,
        )
        engine = self._crawler.engine
        assert engine is not None
        try:
            return await engine.download_async(request)
        except (CoolingDown, TransferAborted, ConnectionRefusedByPolicy):
            raise
        except IgnoreRequest as error:
            if isinstance(error, AccessStopped) and error.outcome.reason.is_refusal:
                raise
            return None
        except Exception as error:  # noqa: BLE001 - whatever prevented it, nothing is allowed
            self._crawler.stats.inc_value(f"robots/failed/{type(error).__name__}")
            return None


def _as_admitted(url: str) -> str:
    parsed = parse_url(url)
    return parsed.text if parsed else url


def _refusal_by(rules: RobotsRules) -> Outcome:
    """What keeps us from a host's robots file keeps us from its pages, and is their reason."""
    if rules.state is RobotsState.HOST_REFUSED:
        return Outcome(Reason.REFUSED_ADDRESS, detail="; ".join(rules.notes)[:500])
    detail = "; ".join((rules.state.value, *rules.notes))
    return Outcome(Reason.REFUSED_ROBOTS, detail=detail[:500])


def _origin(url: str) -> str:
    """One set of rules for every spelling of a host."""
    parsed = parse_url(url)
    return parsed.root if parsed else "{0.scheme}://{0.netloc}".format(urlsplit(url))


def _read_response(response: Response | None) -> RobotsRules:
    if response is None:
        return read_robots(None)
    is_over = TOO_LARGE in response.flags
    if not is_over and BROKEN_OFF.intersection(response.flags):
        return read_robots(None)
    if is_over and response.status == 200 and len(response.body) <= MAX_BYTES:
        return RobotsRules(RobotsState.TOO_COMPLEX, ("too large to be decoded",))
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return read_robots(response.status, response.body, content_type)
