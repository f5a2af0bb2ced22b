"""The spider of a site file. It holds no knowledge of any site and no state of the crawl."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure

from crawler.admission.refusal import TransferAborted
from crawler.contracts.item import AccessFailure, Observation
from crawler.contracts.meta import OBSERVATION, ROW, SENT_AT
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.ports import CrawlRun
from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import Session
from crawler.contracts.snapshot import Snapshot
from crawler.engine.mishaps import MAX_TRACE, describe_bug
from crawler.engine.session import find_session
from crawler.middlewares.access import AccessStopped
from crawler.middlewares.observation import elapsed_since
from crawler.sites.loading import load_site


class SiteSpider(Spider):
    """Turns responses into snapshots. Seeds and links come from the frontier, not from here.

    A subclass may yield further requests before it yields the snapshot of its response.
    """

    name = ""
    site_file: str | None = None
    """Stem of the site file; by default the spider's name."""
    site: LoadedSite
    """As it was when the run began, whatever happens to the file since."""
    session: Session | None = None
    """What its site file names under ``access.session``, read when the run began."""
    run: CrawlRun
    """Set by the run extension before any other component is built."""

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Read the site file, and the session that it names.

        Raises SiteConfigError with all of the file's problems, or SessionUnusable.
        """
        super().update_settings(settings)
        cls.site = load_site(cls.site_file or cls.name, settings.get("SITES_DIR") or None)
        cls.session = find_session(cls.site.config, settings)

    async def start(self) -> AsyncIterator[Request]:
        """The frontier holds the start URLs already: they are admitted with their cycle."""
        seeds: tuple[Request, ...] = ()
        for request in seeds:
            yield request

    def parse(self, response: Response, **_: Any) -> Iterator[Snapshot]:
        observation: Observation = response.meta[OBSERVATION]
        yield observation.snapshot

    def fail(self, failure: Failure) -> Iterator[AccessFailure]:
        request: Request = failure.request  # type: ignore[attr-defined]
        error: BaseException | None = failure.value
        if isinstance(error, TransferAborted):
            return
        observation = request.meta.get(OBSERVATION)
        row = request.meta[ROW]
        elapsed = elapsed_since(request.meta.get(SENT_AT))
        if isinstance(error, AccessStopped):
            yield AccessFailure(
                row,
                error.outcome,
                error.observation or observation,
                error.decision,
                elapsed_seconds=elapsed,
            )
            return
        yield AccessFailure(
            row,
            Outcome(Reason.INTERNAL_ERROR, detail=describe_bug(error)),
            observation,
            trace=failure.getTraceback()[-MAX_TRACE:],
            elapsed_seconds=elapsed,
        )
