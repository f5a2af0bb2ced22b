"""What a command costs with 500 site files: ``python -m tests.bench.bench_list``.

Times ``scrapy list`` in the project against ``scrapy version`` outside of it, by turns, as whole
processes, and prints the ratio of the medians.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = """\
site: site-{number}
authorization: {{basis: "benchmark", approved_by: tests, expires: 2099-01-01}}
start: ["https://site-{number}.example/"]
record: {{type: event}}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sites", type=int, default=500)
    parser.add_argument("--turns", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.sites):
            path = Path(folder) / f"site-{number}.yaml"
            path.write_text(SITE.format(number=number))
        outside, inside = [], []
        for _ in range(options.turns):
            outside.append(run_seconds(["version"], folder))
            inside.append(run_seconds(["list", "-s", f"SITES_DIR={folder}"], str(ROOT)))
    ratio = statistics.median(inside) / statistics.median(outside)
    print(
        f"scrapy version {_show(outside)} s, scrapy list with {options.sites} sites "
        f"{_show(inside)} s, ratio {ratio:.2f}"
    )


def run_seconds(arguments: list[str], folder: str) -> float:
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - started


def _show(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.2f} ({min(seconds):.2f}-{max(seconds):.2f})"


if __name__ == "__main__":
    main()
