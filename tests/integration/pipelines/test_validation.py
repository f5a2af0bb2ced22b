import asyncio
import threading
from types import SimpleNamespace

import pytest
from scrapy.utils.test import get_crawler

from crawler.contracts.frontier import LeasedRow, Offer, PageCommit
from crawler.contracts.item import InterpretedPage, JudgedPage, Observation
from crawler.contracts.outcome import ELIGIBLE
from crawler.contracts.page import Link, PageReport
from crawler.contracts.rules import LoadedSite
from crawler.contracts.snapshot import PageKind
from crawler.engine.stats import PlainStatsCollector
from crawler.pipelines.validation import MANY_LINKS, ValidationPipeline
from tests.unit.document.pages import make_snapshot
from tests.unit.engine.test_requests import ROW_1
from tests.unit.sites.builders import parse, site_text

SITE = parse(site_text())


class Run:
    """As much of a run as the judging of a page asks; remembers which threads named the links."""

    def __init__(self) -> None:
        self.site: LoadedSite = SITE
        self.session = None
        self.threads: list[threading.Thread] = []

    def decide_rendering(self, *_: object) -> tuple[None, None]:
        return None, None

    def need_of(self, *_: object) -> None:
        return None

    def offer_links(self, row: LeasedRow, report: PageReport) -> Offer:
        self.threads.append(threading.current_thread())
        return Offer(left_out={})

    def commit_of(self, row: LeasedRow, outcome: object, *_: object, **__: object) -> PageCommit:
        return PageCommit(
            row=row.id, token=row.token, cycle=1, run="r", site="s", source_id="s",
            outcome=outcome, capture=None, url=row.url,  # type: ignore[arg-type]
        )  # fmt: skip


@pytest.mark.parametrize(("count", "is_aside"), [(1, False), (MANY_LINKS + 1, True)])
def test_only_a_page_with_many_links_is_judged_beside_the_crawl(
    count: int, *, is_aside: bool
) -> None:
    run = Run()
    crawler = get_crawler(settings_dict={"STATS_CLASS": PlainStatsCollector})
    crawler.spider = SimpleNamespace(run=run)  # type: ignore[assignment]
    links = tuple(Link(f"https://site.example/{n}", PageKind.DETAIL, "a") for n in range(count))
    seen = Observation(ROW_1, make_snapshot(b"<p>a</p>"), ELIGIBLE)
    page = InterpretedPage(seen, PageReport(ELIGIBLE, links=links))

    judged = asyncio.run(ValidationPipeline.from_crawler(crawler).process_item(page))

    assert isinstance(judged, JudgedPage)
    assert [thread is not threading.main_thread() for thread in run.threads] == [is_aside]
