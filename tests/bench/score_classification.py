"""How many challenge and wall pages are caught, under which kind, and what ordinary pages cost.

    python -m tests.bench.score_classification ../shared/corpora [--list]

Figures are for the full verdict of pages as they were saved; what was not recorded with a page
(status, headers) counts as 200 and none.
"""

import argparse
import gzip
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawler.classification.page import FetchedPage, page_of
from crawler.classification.verdict import judge_response, judge_snapshot
from crawler.commands.classify import header_pairs
from crawler.contracts.outcome import Kind, Verdict
from crawler.contracts.snapshot import Snapshot
from crawler.replay.saved import make_snapshot

ORDINARY = (
    "wcxb",
    "recipe-scrapers",
    "article-extraction-benchmark",
    "trafilatura-eval",
    "htmldate",
    "city-scrapers",
    "swde-subset",
    "listing-misc",
    "autopager",
    "formasaurus",
)
KINDS: dict[str, frozenset[Kind]] = {
    "js_challenge": frozenset({Kind.CHALLENGE}),
    "bot_fight_mode": frozenset({Kind.CHALLENGE}),
    "checking": frozenset({Kind.CHALLENGE}),
    "require_js": frozenset({Kind.CHALLENGE, Kind.BLOCK}),
    "challenge": frozenset({Kind.CHALLENGE, Kind.CAPTCHA}),
    "captcha": frozenset({Kind.CAPTCHA}),
    "block": frozenset({Kind.BLOCK}),
    "geo_block": frozenset({Kind.GEO}),
    "geoblock": frozenset({Kind.GEO, Kind.BLOCK}),
    "soft_404": frozenset({Kind.SOFT_404}),
    "login": frozenset({Kind.LOGIN}),
    "consent": frozenset({Kind.CONSENT}),
    "paywall": frozenset({Kind.PAYWALL}),
    "maintenance": frozenset({Kind.MAINTENANCE}),
    "error_page": frozenset({Kind.ERROR_PAGE}),
    "rate_limit": frozenset({Kind.RATE_LIMIT}),
}
"""The kinds that are right for a class of the corpus."""
SHELLS = frozenset({Kind.SHELL, Kind.EMPTY})
"""Not blocked, and yet nothing to read."""


@dataclass(frozen=True)
class Case:
    id: str
    group: str
    label: str
    is_blocked: bool
    snapshot: Snapshot

    @property
    def kinds(self) -> frozenset[Kind] | None:
        return KINDS.get(self.label)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_case(line: dict[str, Any], folder: Path, group: str, *, is_blocked: bool) -> Case | None:
    body = b""
    if line.get("file"):
        path = folder / line["file"]
        body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    expected = line["expected"] if isinstance(line.get("expected"), dict) else {}
    label = "geoblock" if expected.get("why") == "geoblock" else str(expected.get("class", ""))
    snapshot = make_snapshot(
        line.get("url") or "https://example.com/page",
        body,
        site=group,
        status=line.get("status") or 200,
        headers=header_pairs(line.get("headers")),
    )
    return Case(line["id"], group, label, is_blocked, snapshot)


def read_challenges(folder: Path) -> Iterator[Case]:
    for line in read_lines(folder / "manifest.jsonl"):
        group = "real" if line["real"] and "text" not in line["kind"] else "made up"
        group = "refusal texts" if line["kind"].startswith("positive-text") else group
        is_blocked = bool(line["expected"]["blocked"])
        case = read_case(line, folder, group, is_blocked=is_blocked)
        if case is not None:
            yield case
    for line in read_lines(folder / "login_pages.jsonl"):
        line["expected"] = {"class": "login" if line["expected"]["login_page"] else "ok"}
        is_login = line["expected"]["class"] == "login"
        case = read_case(line, folder, "login pages", is_blocked=is_login)
        if case is not None:
            yield case


def read_ordinary(corpora: Path) -> Iterator[Case]:
    """Yield the saved pages of all other corpora, each once; those with forms are told apart by the
    login pages of the challenge corpus.
    """
    folder = corpora / "challenge-pages"
    seen = {
        (folder / line["file"]).resolve()
        for name in ("login_pages.jsonl", "manifest.jsonl")
        for line in read_lines(folder / name)
        if line.get("file")
    }
    sources = [(folder, "natural_negatives.jsonl")]
    sources += [(corpora / name, "manifest.jsonl") for name in ORDINARY]
    for base, name in sources:
        for line in read_lines(base / name) if (base / name).exists() else ():
            path = (base / line["file"]).resolve()
            if path in seen or ".htm" not in path.name:
                continue
            seen.add(path)
            case = read_case(line | {"expected": {}}, base, path.parts[-3], is_blocked=False)
            if case is not None:
                yield case


def score_challenges(cases: Iterable[Case], *, wants_list: bool) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    confusion: Counter[tuple[str, str]] = Counter()
    for case in cases:
        verdict = judge_snapshot(case.snapshot)
        outcome = assess(case, verdict)
        counts[case.group, outcome] += 1
        if case.is_blocked and case.label:
            confusion[case.label, verdict.kind] += 1
        if wants_list and outcome in {"missed", "false positive", "wrong kind"}:
            print(f"  {outcome}: {case.id} {case.label} {verdict.kind} {verdict.evidence}")
    for group in sorted({group for group, _ in counts}):
        outcomes = {name: count for (of, name), count in sorted(counts.items()) if of == group}
        print(f"{group}: {outcomes}")
    for (label, kind), count in sorted(confusion.items()):
        print(f"    {label:>14} -> {kind:<14} {count}")


def assess(case: Case, verdict: Verdict) -> str:
    if not case.is_blocked:
        is_right = verdict.is_eligible or verdict.kind in SHELLS
        return "let through" if is_right else "false positive"
    if verdict.is_eligible:
        return "missed"
    return "caught" if case.kinds is None or verdict.kind in case.kinds else "wrong kind"


def score_ordinary(cases: Iterable[Case], *, wants_list: bool) -> None:
    pages: Counter[str] = Counter()
    flagged: Counter[tuple[str, str]] = Counter()
    for case in cases:
        pages[case.group] += 1
        verdict = judge_snapshot(case.snapshot)
        if verdict.is_eligible:
            continue
        flagged[case.group, verdict.kind] += 1
        if wants_list:
            print(f"  flagged: {case.id} {verdict.kind} {verdict.evidence}")
    for group, count in sorted(pages.items()):
        kinds = {kind: number for (of, kind), number in flagged.items() if of == group}
        print(f"{group}: {count} pages, flagged {kinds}")
    print(f"ordinary: {pages.total()} pages, flagged {flagged.total()}")


def time_first_half(cases: Iterable[Case]) -> None:
    """Print what the half that runs in the crawl's main thread costs, by size of the page."""
    spent: dict[int, list[float]] = {}
    for case in cases:
        size = len(case.snapshot.body) // 1024
        bucket = next((top for top in (16, 32, 64, 128) if size < top), 1024)
        if len(spent.setdefault(bucket, [])) < 60:
            spent[bucket].append(min(time_once(case.snapshot) for _ in range(7)))
    for bucket, times in sorted(spent.items()):
        middle = statistics.median(times) * 1e6
        print(f"below {bucket} kB: median {middle:.0f} us, worst {max(times) * 1e6:.0f} us")


def time_once(snapshot: Snapshot) -> float:
    page = page_of(snapshot)
    started = time.perf_counter()
    judge_response(FetchedPage(page.url, page.status, page.headers, page.body))
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--list", action="store_true", help="print every page that went wrong")
    options = parser.parse_args()
    score_challenges(read_challenges(options.corpora / "challenge-pages"), wants_list=options.list)
    ordinary = list(read_ordinary(options.corpora))
    score_ordinary(ordinary, wants_list=options.list)
    time_first_half(ordinary)


if __name__ == "__main__":
    main()
