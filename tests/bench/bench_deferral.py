"""What a cool-down costs: ``python -m tests.bench.bench_deferral``.

A server answers 50 addresses with 429 and ``Retry-After: 3`` for three seconds, then serves them.
Printed for one process, two processes of one site, and two sites that share the scope: how many
pages came, how many requests fell into the cool-down, and when the last one was made.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step, page

PAGES = 50
COOL_DOWN = 3.0
BURST = 0.3
"""Seconds in which the first requests, sent before any answer came, arrive."""
TURNS = {
    "one process": ("a",),
    "two processes of a site": ("a", "a"),
    "two sites of a scope": ("a", "b"),
}


@dataclass(frozen=True, slots=True)
class Seen:
    eligible: int
    burst: int
    inside: int
    last: float
    """Seconds from the first request to the last."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    for name, processes in TURNS.items():
        for _ in range(options.turns):
            seen = crawl(processes)
            print(
                f"{name}: {seen.eligible} of {PAGES} pages, {seen.burst} requests before the first "
                f"answer, {seen.inside} inside of the cool-down, the last after {seen.last:.2f} s"
            )


def crawl(processes: tuple[str, ...]) -> Seen:
    targets = [f"/{number}" for number in range(PAGES)]
    with tempfile.TemporaryDirectory() as folder, Server({}) as server:
        project = Project(Path(folder) / "sites", Path(folder) / "data")
        server.serve("/robots.txt", page("", status=404))
        answer = Refusal()
        for target in targets:
            server.compute(target, answer)
        sites = sorted(set(processes))
        for number, site in enumerate(sites):
            write_bulletins(project, server, *targets[number :: len(sites)], name=site)
        for process in [project.start("crawl", site) for site in processes]:
            process.communicate(timeout=60)
        ends = [project.outcomes(site)["outcomes"].get("eligible", 0) for site in sites]
        return measure(sum(ends), [hit.at for hit in server.log if hit.path in targets])


class Refusal:
    """Answers with 429 until the cool-down that the first request began is over."""

    def __init__(self) -> None:
        self._began: float | None = None

    def __call__(self, hit: Hit) -> Step:
        now = time.monotonic()
        if self._began is None:
            self._began = now
        if now < self._began + COOL_DOWN:
            return Step(status=429, headers=(("Retry-After", f"{COOL_DOWN:.0f}"),))
        return board(article(hit.path))


def measure(eligible: int, moments: list[float]) -> Seen:
    since = sorted(moment - min(moments) for moment in moments)
    return Seen(
        eligible=eligible,
        burst=sum(moment <= BURST for moment in since),
        inside=sum(BURST < moment < COOL_DOWN for moment in since),
        last=since[-1],
    )


if __name__ == "__main__":
    main()
