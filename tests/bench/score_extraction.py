"""Scores records read from saved pages, field by field: ``python -m tests.bench.score_extraction CORPORA``.

CORPORA is a folder of folders with a ``manifest.jsonl`` each. ``recipe-scrapers`` is scored against
what its authors expect, ``schema-index`` against the JSON-LD of the page itself, which is taken out
before the page is read, and ``value-parsing`` label by label. A field's values are a set of
normalised texts; precision is the mean over the pages that got a value, recall over those that expect
one, F1 the mean of the pages' own, in which a missing value counts as nothing, so that it may lie
below both. ``--half`` takes every second site: one half to learn from, the other to judge by.
"""

import argparse
import gzip
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.record import FieldKind
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind, Representation, Snapshot
from crawler.document.document import Document
from crawler.document.encoding import decide_encoding
from crawler.extraction.fields.kinds import READERS
from crawler.extraction.fields.reading import Context, Unreadable
from crawler.extraction.records import extract
from crawler.sites.builtin import BUILT_IN
from crawler.sites.config import build_rules

FAMILIES = {
    "Article": "article",
    "Recipe": "recipe",
    "Product": "product",
    "Event": "event",
    "JobPosting": "job_posting",
}
RECIPE_FIELDS = {
    "name": "title",
    "authors": "author",
    "ingredients": "ingredients",
    "instructions": "instructions_list",
    "yields": "yields",
    "prep_minutes": "prep_time",
    "cook_minutes": "cook_time",
    "total_minutes": "total_time",
    "image": "image",
}
JSON_LD = re.compile(rb"<script[^>]*ld\+json[^>]*>.*?</script\s*>", re.IGNORECASE | re.DOTALL)
BY_NUMBER = frozenset({"yields"})
"""Fields of which the expected text is another wording of the same amount."""


@dataclass(slots=True)
class Score:
    pages: int = 0
    expecting: int = 0
    answered: int = 0
    misled: int = 0
    """Pages that gave a value of which nothing is right: worse than none."""
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def add(self, page: str, expected: set[str], found: set[str]) -> None:
        if not expected and not found:
            return
        hits = len(expected & found)
        self.misled += bool(found) and not hits
        precision = hits / len(found) if found else 0.0
        recall = hits / len(expected) if expected else 0.0
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        self.pages += 1
        self.expecting += bool(expected)
        self.answered += bool(found)
        self.precision += precision
        self.recall += recall
        self.f1 += f1
        if f1 < 1:
            self.wrong.append(f"{page}: {sorted(expected)[:2]} / {sorted(found)[:2]}")


Scores = dict[str, Score]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--wrong", type=int, default=0, help="so many misses of each field")
    parser.add_argument("--only", help="one folder")
    parser.add_argument("--half", type=int, choices=(0, 1), help="one half of the sites")
    options = parser.parse_args()
    parts: dict[str, Callable[[Path, int | None], Iterator[tuple[str, Scores]]]] = {
        "recipe-scrapers": score_recipes,
        "schema-index": score_fallbacks,
        "value-parsing": score_values,
    }
    for name, score in parts.items():
        if options.only in {None, name}:
            for title, scores in score(options.corpora, options.half):
                print_scores(title, scores, options.wrong)


def score_recipes(corpora: Path, half: int | None) -> Iterator[tuple[str, Scores]]:
    scores: Scores = defaultdict(Score)
    rules = default_rules("recipe")
    spent, pages = 0.0, 0
    for entry in read_manifest(corpora / "recipe-scrapers", half):
        snapshot = make_snapshot(entry["url"], read_body(corpora / "recipe-scrapers", entry))
        started = time.process_time()
        values = values_of(snapshot, rules)
        spent, pages = spent + time.process_time() - started, pages + 1
        for name, key in RECIPE_FIELDS.items():
            if key in (entry["expected"] or {}):
                expected = normalize(name, entry["expected"][key])
                scores[name].add(entry["id"], expected, normalize(name, values.get(name)))
    yield f"recipe-scrapers, {1000 * spent / max(pages, 1):.2f} ms CPU a page", scores


def score_fallbacks(corpora: Path, half: int | None) -> Iterator[tuple[str, Scores]]:
    """Read pages without their JSON-LD; their JSON-LD, read by the same rules, is the truth."""
    by_type: dict[str, Scores] = defaultdict(lambda: defaultdict(Score))
    folder = corpora / "schema-index"
    for entry in read_manifest(folder, half):
        body = read_body(folder, entry)
        for family in entry["families"]:
            if (name := FAMILIES.get(family)) is None:
                continue
            rules = default_rules(name)
            truth = values_of(make_snapshot(entry["url"], body), rules, only_jsonld=True)
            bare = make_snapshot(entry["url"], JSON_LD.sub(b"", body))
            found = values_of(bare, rules)
            for spec in rules.record_type.fields:
                if spec.name != "url" and spec.name in truth:
                    expected = normalize(spec.name, as_shown(spec.name, truth[spec.name]))
                    actual = normalize(spec.name, as_shown(spec.name, found.get(spec.name)))
                    by_type[name][spec.name].add(entry["page_id"], expected, actual)
    for name, scores in sorted(by_type.items()):
        yield f"schema-index without JSON-LD: {name}", scores


def as_shown(name: str, value: JsonValue) -> JsonValue:
    """Return a time as its day: owners write one moment in different zones in different places."""
    return value[:10] if name.endswith("_at") and isinstance(value, str) else value


def score_values(corpora: Path, _half: int | None) -> Iterator[tuple[str, Scores]]:
    scores: Scores = defaultdict(Score)
    for entry in read_manifest(corpora / "value-parsing"):
        if entry["kind"] == "price":
            raw, wanted = entry["input"]["price_raw"], entry["expected"]["amount"]
            found = read_label(FieldKind.PRICE, raw)
        elif entry["kind"] == "rating":
            raw = re.sub(r"<[^>]*>", " ", entry["input"]["html"])
            wanted = entry["expected"]["ratingValue"]
            found = read_label(FieldKind.RATING, raw)
        else:
            continue
        label = f"{entry['id']} {raw!r:.80}"
        scores[entry["kind"]].add(label, normalize("", wanted), normalize("", found))
    yield "value-parsing", scores


def read_label(kind: FieldKind, raw: JsonValue) -> JsonValue:
    context = Context("https://example.com/", has_entities=False, is_machine_written=False)
    reading = READERS[kind](raw, context)
    return None if isinstance(reading, Missing | Unreadable) else reading


def normalize(name: str, value: JsonValue) -> set[str]:
    """Return what can be compared: white space and case apart, numbers as numbers."""
    if value is None:
        return set()
    if isinstance(value, list):
        return {text for entry in value for text in normalize(name, entry)}
    if isinstance(value, int | float):
        return {f"{value:g}"}
    text = re.sub(r"\s+", " ", str(value)).strip().casefold()
    if name.endswith("_at"):
        return {_as_instant(text)}
    if name in BY_NUMBER:
        return set(re.findall(r"\d+", text)[:1])
    return {text} if text else set()


def _as_instant(text: str) -> str:
    """Return one spelling of a time that has a zone; any other date as it stands."""
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return text
    return moment.astimezone(UTC).isoformat("T", "seconds") if moment.tzinfo else text


def values_of(
    snapshot: Snapshot, rules: Rules, *, only_jsonld: bool = False
) -> dict[str, JsonValue]:
    extracted = extract(Document(snapshot), snapshot, rules)
    candidates = [candidate for candidate, _ in extracted.records] or extracted.hints
    fields = candidates[0].fields if candidates else {}
    return {
        name: each.value
        for name, each in fields.items()
        if each.value is not None
        and (not only_jsonld or (each.evidence and each.evidence.source == "jsonld"))
    }


def default_rules(name: str) -> Rules:
    return build_rules("bench", RecordRules(type=name), BUILT_IN[name])


def read_manifest(folder: Path, half: int | None = None) -> Iterator[dict[str, Any]]:
    with (folder / "manifest.jsonl").open(encoding="utf-8") as lines:
        entries = map(json.loads, lines)
        yield from (each for each in entries if half in {None, _half_of(each)})


def _half_of(entry: dict[str, Any]) -> int:
    host = (urlsplit(entry.get("url") or "").hostname or "").removeprefix("www.")
    return sha256(host.encode()).digest()[0] % 2


def read_body(folder: Path, entry: dict[str, Any]) -> bytes:
    data = (folder / entry["file"]).read_bytes()
    return gzip.decompress(data) if entry["file"].endswith(".gz") else data


def make_snapshot(url: str | None, body: bytes) -> Snapshot:
    address = url or "https://example.com/"
    return Snapshot(
        capture_id="urn:bench",
        site="bench",
        run="bench",
        requested_url=address,
        final_url=address,
        status=200,
        headers=(),
        observed_at=datetime(2026, 1, 1, tzinfo=UTC),
        representation=Representation.HTML,
        media_type="text/html",
        encoding=decide_encoding(body, ()),
        digest="",
        body=body,
        page_kind=PageKind.DETAIL,
    )


def print_scores(title: str, scores: Scores, wrong: int) -> None:
    print(f"\n{title}\n{'field':18}{'pages':>6}{'P':>7}{'R':>7}{'F1':>7}{'misled':>8}")
    for name, score in scores.items():
        precision = score.precision / max(score.answered, 1)
        recall = score.recall / max(score.expecting, 1)
        print(
            f"{name:18}{score.pages:6}{precision:7.3f}{recall:7.3f}"
            f"{score.f1 / max(score.pages, 1):7.3f}{score.misled:8}"
        )
        for line in score.wrong[:wrong]:
            print(f"    {line[:220]}")
    if scores:
        mean = sum(score.f1 / max(score.pages, 1) for score in scores.values()) / len(scores)
        print(f"{'mean':18}{'':20}{mean:7.3f}")


if __name__ == "__main__":
    main()
