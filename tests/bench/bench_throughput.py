"""Pages a second against bare Scrapy, by turns in one run: ``python -m tests.bench.bench_throughput``.

Bare Scrapy is its default settings and an empty callback: it keeps nothing. Ours archives,
interprets, validates and commits every page. Both fetch N pages of 50 kB over 16 connections
without delay from the same server. Prints the ratio of the medians, above 1 when ours is faster.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONNECTIONS = 16
BARE = """
import json, sys, scrapy
from scrapy.crawler import AsyncCrawlerProcess
port, kind, count = sys.argv[1:]
class Bare(scrapy.Spider):
    name = "bare"
    async def start(self):
        for n in range(int(count)):
            yield scrapy.Request(f"http://127.0.0.1:{port}/{kind}/{n}")
    def parse(self, response):
        pass
process = AsyncCrawlerProcess({
    "LOG_LEVEL": "ERROR", "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
})
crawler = process.create_crawler(Bare)
process.crawl(crawler)
process.start()
stats = crawler.stats
print(json.dumps([stats.get_value("response_received_count"), stats.get_value("elapsed_time_seconds")]))
"""
SITE = """
site: bench
authorization: {{basis: "benchmark", approved_by: tests, expires: 2099-01-01}}
start: {start}
access: {{permit_private: ["127.0.0.1:{port}"], concurrency: {connections}, delay: 0}}
record: {record}
"""
RECORDS = {
    "jsonld": "{type: event}",
    "tree": '{type: event, fields: {name: "css:h1.name::text", '
    'starts_at: "css:time.start::attr(datetime)", venue: "css:.venue::text", url: "page:url"}}',
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    with run_server() as port:
        for kind in RECORDS:
            compare(kind, port, options.pages, options.turns)


def compare(kind: str, port: int, pages: int, turns: int) -> None:
    bare, ours = [], []
    for _ in range(turns):
        bare.append(run_bare(kind, port, pages))
        ours.append(run_ours(kind, port, pages))
    ratio = statistics.median(ours) / statistics.median(bare)
    print(
        f"{kind}: bare {_show(bare)} pages/s, ours {_show(ours)} pages/s, ratio {ratio:.2f}",
        flush=True,
    )


def run_bare(kind: str, port: int, pages: int) -> float:
    out = _run([sys.executable, "-c", BARE, str(port), kind, str(pages)])
    count, seconds = json.loads(out.splitlines()[-1])
    return float(count) / float(seconds)


def run_ours(kind: str, port: int, pages: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = json.dumps([f"http://127.0.0.1:{port}/{kind}/{n}" for n in range(pages)])
        site = SITE.format(start=start, port=port, connections=CONNECTIONS, record=RECORDS[kind])
        (Path(folder) / "bench.yaml").write_text(site)
        stats = Path(folder) / "stats.json"
        _run(
            [
                sys.executable,
                "-m",
                "scrapy",
                "crawl",
                "bench",
                "-L",
                "INFO",
                "-s",
                f"SITES_DIR={folder}",
                "-s",
                f"DATA_DIR={folder}/data",
                "--logfile",
                str(stats),
            ]
        )
        text = stats.read_text()
        seconds = float(text.split("'elapsed_time_seconds': ")[1].split(",")[0])
        accepted = int(text.split("'archival/committed': ")[1].split(",")[0].rstrip("}"))
        if accepted != pages:
            raise SystemExit(f"only {accepted} of {pages} pages were committed")
        return pages / seconds


@contextmanager
def run_server() -> Iterator[int]:
    command = [sys.executable, "-m", "tests.bench.static_server"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.terminate()


def _run(command: list[str]) -> str:
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:6])} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def _show(figures: list[float]) -> str:
    return f"{statistics.median(figures):.0f} ({min(figures):.0f}-{max(figures):.0f})"


if __name__ == "__main__":
    main()
