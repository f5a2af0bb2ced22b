"""Rendered pages a second against plain Playwright, by turns: ``python -m tests.bench.bench_rendered``.

Both show N pages, four at once, whose content a script fetches, in the same browser, and wait for the
same element. The plain script opens a page, reads its content and closes it; ours archives, interprets,
validates and commits it too. Then 500 pages: whether processes, pages and memory come back.
"""

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

from crawler.engine.chromium import find_browser
from tests.bench.bench_throughput import ROOT, _run, _show, run_server
from tests.e2e.processes import list_processes, read_memory

AT_ONCE = 4
PLAIN = """
import asyncio, json, sys, time
from playwright.async_api import async_playwright
port, count, at_once, path = sys.argv[1:]
async def work(context, numbers, done):
    for number in numbers:
        page = await context.new_page()
        await page.goto(f"http://127.0.0.1:{port}/rendered/{number}")
        await page.wait_for_selector("article.event", state="attached")
        done.append(len(await page.content()))
        await page.close()
async def main():
    started, done = time.monotonic(), []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path)
        context = await browser.new_context()
        numbers = iter(range(int(count)))
        await asyncio.gather(*(work(context, numbers, done) for _ in range(int(at_once))))
        seconds = time.monotonic() - started
        await browser.close()
    print(json.dumps([len(done), seconds]))
asyncio.run(main())
"""
SITE = """
site: bench
authorization: {{basis: "benchmark", approved_by: tests, expires: 2099-01-01}}
start: {start}
access:
  permit_private: ["127.0.0.1:{port}"]
  concurrency: {at_once}
  delay: 0
  representation: rendered_dom
  ready: {{present: [article.event]}}
record: {{type: event, fields: {{name: "css:h1.name::text",
  starts_at: "css:time.start::attr(datetime)", url: "page:url"}}}}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--long", type=int, default=500, help="pages of the long run; 0: none")
    options = parser.parse_args()
    with run_server() as port:
        compare(port, options.pages, options.turns)
        if options.long:
            watch(port, options.long)


def compare(port: int, pages: int, turns: int) -> None:
    plain, ours = [], []
    for _ in range(turns):
        plain.append(run_plain(port, pages))
        with run_ours(port, pages) as (process, log):
            process.wait()
            ours.append(pages / read_seconds(log, pages))
    ratio = statistics.median(ours) / statistics.median(plain)
    print(
        f"plain {_show(plain)} pages/s, ours {_show(ours)} pages/s, ratio {ratio:.2f}", flush=True
    )


def run_plain(port: int, pages: int) -> float:
    arguments = [str(port), str(pages), str(AT_ONCE), str(find_browser())]
    count, seconds = json.loads(_run([sys.executable, "-c", PLAIN, *arguments]))
    return float(count) / float(seconds)


@contextmanager
def run_ours(port: int, pages: int) -> Iterator[tuple["Popen[str]", Path]]:
    with tempfile.TemporaryDirectory() as folder:
        start = json.dumps([f"http://127.0.0.1:{port}/rendered/{n}" for n in range(pages)])
        site = SITE.format(start=start, port=port, at_once=AT_ONCE)
        (Path(folder) / "bench.yaml").write_text(site)
        log = Path(folder) / "crawl.log"
        given = {"SITES_DIR": folder, "DATA_DIR": f"{folder}/data", "RENDERED_PAGES": AT_ONCE}
        options = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
        command = [sys.executable, "-m", "scrapy", "crawl", "bench", "--logfile", str(log)]
        with Popen([*command, *options], cwd=ROOT, stdout=PIPE, stderr=PIPE, text=True) as process:
            yield process, log


def read_seconds(log: Path, pages: int) -> float:
    text = log.read_text()
    committed = int(text.split("'archival/committed': ")[1].split(",")[0].rstrip("}"))
    if committed != pages:
        raise SystemExit(f"only {committed} of {pages} pages were committed")
    return float(text.split("'elapsed_time_seconds': ")[1].split(",")[0])


def watch(port: int, pages: int) -> None:
    """Print processes and memory (PSS of crawl, driver and browser) as the pages go by."""
    with run_ours(port, pages) as (process, log):
        samples: list[tuple[float, int, int]] = []
        ended = threading.Event()
        sampler = threading.Thread(target=_sample, args=(process.pid, samples, ended))
        sampler.start()
        process.wait()
        ended.set()
        sampler.join()
        seconds = read_seconds(log, pages)
    # What starts and what winds down is no part of it.
    steady = [sample for sample in samples if 0.15 * seconds < sample[0] < 0.95 * seconds]
    third = len(steady) // 3
    for name, part in (("first", steady[:third]), ("last", steady[-third:])):
        memory = statistics.median(sample[2] for sample in part)
        most = max(sample[1] for sample in part)
        print(f"{name} third: {memory / 2**20:.0f} MiB, at most {most} browser processes")
    print(f"{pages} pages in {seconds:.0f} s", flush=True)


def _sample(crawl: int, samples: list[tuple[float, int, int]], ended: threading.Event) -> None:
    started = time.monotonic()
    while not ended.wait(0.5):
        processes = list_processes(parent=crawl)
        browsers = sum("--type=" in command for command in processes.values())
        memory = sum(map(read_memory, (crawl, *processes)))
        samples.append((time.monotonic() - started, browsers, memory))


if __name__ == "__main__":
    main()
