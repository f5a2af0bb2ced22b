"""How many real and hostile feeds and calendars are read, and to the right values.

    python -m tests.bench.score_feeds ../shared/corpora [--list]

The corpus ``feeds`` states single values of first entries; ``city-scrapers`` the meetings that its
owners read from four calendars, in local time, which those in universal time do not tell. Files without a calendar or feed around them (single
components, sitemaps, pages) have to be told as such.
"""

import argparse
import ast
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import Representation
from crawler.document.data import Data
from crawler.document.feed import plain_title
from crawler.document.open_data import open_data
from crawler.document.sniff import is_written_as
from crawler.replay.saved import make_snapshot

STATED = re.compile(r"(?:not bozo and )?entries\[0\]\['(\w+)'\] == (u?(?:'[^']*'|\"[^\"]*\"))")
NAMES = frozenset({"title", "link", "id", "published", "updated", "author"})
"""Values that are read under the name of the statement; others are of another notation."""


@dataclass(frozen=True, slots=True)
class Case:
    file: Path
    representation: Representation
    expected: Any

    def read(self) -> Data | None:
        """Return the entries; None for a body that is not taken for data at all."""
        body = self.file.read_bytes()
        body = gzip.decompress(body) if self.file.suffix == ".gz" else body
        if not is_written_as(self.representation, body):
            return None
        snapshot = make_snapshot("https://example.org/feed", body, site="score")
        return open_data(replace(snapshot, representation=self.representation), Collect())


def find_cases(corpora: Path) -> Iterator[Case]:
    for name in ("feeds", "city-scrapers"):
        for line in (corpora / name / "manifest.jsonl").open(encoding="utf-8"):
            entry = json.loads(line)
            file = corpora / name / entry["file"]
            is_calendar = file.name.removesuffix(".gz").endswith(".ics")
            if is_calendar or entry["kind"].startswith("feed"):
                kind = Representation.CALENDAR if is_calendar else Representation.FEED
                yield Case(file, kind, entry["expected"])


def judge(case: Case) -> Iterator[tuple[str, str | None]]:
    """Yield what is counted, with a complaint where it is not right."""
    data = case.read()
    if data is None or data.flaw:
        yield f"{case.representation}: {data.flaw if data else 'another kind'}", None
        return
    yield f"{case.representation}: read", None
    values = [entry.node.value for entry in data.entries if isinstance(entry.node.value, dict)]
    stated = STATED.fullmatch((case.expected or {}).get("feedparser_assert", ""))
    if stated and stated[1] in NAMES and values:
        wanted = ast.literal_eval(stated[2])
        if stated[1] == "title" and re.search("[<&]", wanted):  # ours are text, theirs markup
            wanted = plain_title(wanted) or None
        yield _compare("stated values", wanted, values[0].get(stated[1]))
    for item in (case.expected or {}).get("items", ()):
        starts = [str(value.get("DTSTART")) for value in values]
        days = {start[:10] for start in starts}
        yield _compare("meetings: day", item["start"][:10], item["start"][:10] in days)
        if not any(start.endswith("Z") for start in starts):
            times = {start[:19] for start in starts}
            yield _compare("meetings: local time", item["start"], item["start"] in times)


def _compare(what: str, wanted: object, found: object) -> tuple[str, str | None]:
    """*found* is a value, or whether *wanted* is among the values."""
    is_right = found is True or found == wanted
    return what, None if is_right else f"{what}: {found!r}, not {wanted!r}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("corpora", type=Path)
    arguments.add_argument("--list", action="store_true", help="name what is not right")
    options = arguments.parse_args()
    total: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for case in find_cases(options.corpora):
        for what, complaint in judge(case):
            total[what] += 1
            if complaint is not None:
                wrong[what] += 1
                if options.list:
                    print(case.file.name, complaint)
    for what in sorted(total):
        print(f"{what}: {total[what] - wrong[what]} of {total[what]}")


if __name__ == "__main__":
    main()
