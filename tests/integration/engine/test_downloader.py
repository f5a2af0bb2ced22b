"""The downloader under a real engine, in a process of its own, against a server that counts."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.e2e.server import Server, Step, page, redirect

CRAWL = """
import json, sys
from types import SimpleNamespace as Bag
from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess

task = json.loads(sys.argv[1])
seen = {"slots": [], "most": 0}

class Probe(Spider):
    name = "probe"
    site = Bag(config=Bag(access=Bag(permit_private=task["permits"])))

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.reached, signals.request_reached_downloader)
        crawler.signals.connect(spider.idle, signals.spider_idle)
        return spider

    async def start(self):
        for url in task["urls"]:
            meta = {"scope": task["scope"]} if task["scope"] else {}
            yield Request(url, meta=meta, dont_filter=True, errback=self.parse)

    def parse(self, outcome):
        pass

    def reached(self, request):
        downloader = self.crawler.engine.downloader
        seen["slots"].append([request.url, downloader.get_slot_key(request)])
        seen["most"] = max(seen["most"], sum(downloader.in_flight.values()))
        seen["scopes"] = sorted(downloader.in_flight)

    def idle(self):
        seen["left"] = dict(self.crawler.engine.downloader.in_flight)

handler = "crawler.engine.handler.GuardedDownloadHandler"
process = AsyncCrawlerProcess({
    "DOWNLOADER": "crawler.engine.downloader.ScopedDownloader",
    "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": task["limit"],
    "DOWNLOAD_DELAY": 0,
    "REMOTE_CONTROL_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "RETRY_ENABLED": False,
    "LOG_LEVEL": "ERROR",
})
process.crawl(Probe)
process.start()
print(json.dumps(seen))
"""


def crawl(urls: list[str], permits: list[str], limit: int = 8, scope: str = "") -> dict[str, Any]:
    task = {"urls": urls, "permits": permits, "limit": limit, "scope": scope}
    finished = subprocess.run(
        [sys.executable, "-c", CRAWL, json.dumps(task)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert finished.stderr == ""
    seen: dict[str, Any] = json.loads(finished.stdout)
    return seen


@pytest.mark.parametrize("limit", [1, 2])
def test_no_more_requests_are_in_flight_than_a_slot_allows(limit: int) -> None:
    with Server({"/*": [Step(b"<p>a</p>", delay=0.02)]}) as server:
        crawl([server.url(f"/{n}") for n in range(20)], [server.authority], limit)

        assert len(server.log) == 20
        assert server.most_in_flight == limit


def test_hosts_of_one_scope_share_its_limit() -> None:
    with Server() as one, Server(host="127.0.0.2") as other:
        urls = [server.url(f"/{n}") for n in range(5) for server in (one, other)]
        seen = crawl(urls, [one.authority, other.authority], limit=1, scope="shared")

        assert {slot for _, slot in seen["slots"]} == {"shared"}
        assert len(one.log) + len(other.log) == 10


def test_a_redirect_counts_for_the_host_it_leads_to() -> None:
    with Server() as first, Server({"/b": [page("<p>b</p>")]}, host="127.0.0.2") as second:
        first.serve("/a", redirect(second.url("/b")))
        seen = crawl([first.url("/a")], [first.authority, second.authority])

        assert seen["slots"] == [[first.url("/a"), "127.0.0.1"], [second.url("/b"), "127.0.0.2"]]
        assert second.hits("/b") == 1


def test_requests_in_flight_are_counted_by_scope_until_they_are_answered() -> None:
    with Server() as server:
        urls = [*(server.url(f"/{n}") for n in range(12)), "http://10.0.0.1/"]
        seen = crawl(urls, [server.authority], scope="shared")

        assert 1 < seen["most"] <= 16
        assert seen["scopes"] == ["shared"]
        assert seen["left"] == {}
