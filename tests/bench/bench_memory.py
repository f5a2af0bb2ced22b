"""Watches what a long crawl holds: ``python -m tests.bench.bench_memory CORPORA``.

Real pages are served again and again under new addresses and crawled as articles. Prints the memory
(PSS) of the crawl and of its page workers, as medians of ten parts of the run.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from tests.bench.real_pages import read_pages
from tests.e2e.processes import Crawl, Crawls, read_memory
from tests.e2e.project import Project
from tests.e2e.server import Server, Step

FOLDERS = ("article-extraction-benchmark", "recipe-scrapers", "wcxb")
BODIES = 300
"""Different pages of each folder at most."""
PARTS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--pages", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        project = Project(sites=Path(folder) / "sites", data=Path(folder) / "data")
        write_site(project, server, options.corpora, options.pages)
        with Crawls(project) as crawls:
            samples = watch(crawls.start("bench"))
        print_figures(samples)
        print(project.outcomes("bench")["outcomes"])


def write_site(project: Project, server: Server, corpora: Path, count: int) -> None:
    bodies = [page.body for name in FOLDERS for page in read_pages(corpora / name, BODIES)]
    targets = [f"/page/{number}" for number in range(count)]
    for number, target in enumerate(targets):
        body = bodies[number % len(bodies)]
        server.serve(target, Step(body, headers=(("Content-Type", "text/html"),)))
    access = {"delay": 0, "concurrency": 8}
    project.write_site("bench", server, start=targets, access=access, record={"type": "article"})


def watch(crawl: Crawl) -> list[tuple[int, int]]:
    """Return the bytes of the crawl and of its workers, twice a second."""
    samples = []
    while crawl.process.poll() is None:
        own = read_memory(crawl.process.pid)
        workers = sum(map(read_memory, crawl.list_session())) - own
        samples.append((own, workers))
        time.sleep(0.5)
    return samples


def print_figures(samples: list[tuple[int, int]]) -> None:
    size = max(1, len(samples) // PARTS)
    for part in range(PARTS):
        sampled = samples[part * size : (part + 1) * size]
        crawl, workers = (
            statistics.median(column) / 2**20 for column in zip(*sampled, strict=True)
        )
        print(f"part {part + 1:2}: crawl {crawl:.0f} MiB, page workers {workers:.0f} MiB")


if __name__ == "__main__":
    main()
