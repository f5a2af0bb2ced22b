"""Score the content zone on pages with expected text: ``python -m tests.bench.score_content DIR``.

DIR is the folder of the corpora. Every page is read by this project and, with ``--reference`` and
where trafilatura is installed, by trafilatura, by turns. Articles are scored by shingles of four
word tokens, as their benchmark does; the page types of wcxb by a bag of words.

A snippet counts as kept where it stands in the text as typed, case and spaces aside. Of all ways to
compare, that one gives trafilatura the 0.78 that is known of it (0.783; with quotes folded 0.835,
with spaces as they are 0.754), whether it writes plain text or Markdown; and a bag of lower-case
words, its mean of 0.77 (0.769; split at spaces alone 0.752, as a set 0.808). Annotators typed curly
quotes straight in 157 snippets, and left them in 237: folding ours would lose more than it gains.
"""

import argparse
import gzip
import hashlib
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import urlsplit

from crawler.document.document import Document
from crawler.extraction.content.page import read_content
from crawler.extraction.content.tokens import load_counter
from tests.bench.score_extraction import make_snapshot

CORPORA = ("article-extraction-benchmark", "wcxb", "trafilatura-eval")
Reader = Callable[[bytes, str], str]


@dataclass(frozen=True, slots=True)
class Case:
    corpus: str
    id: str
    kind: str
    url: str
    file: Path
    expected: dict[str, Any]

    @property
    def text(self) -> str:
        return self.expected.get("articleBody") or self.expected.get("main_content") or ""

    def read(self) -> bytes:
        data = self.file.read_bytes()
        return gzip.decompress(data) if self.file.suffix == ".gz" else data


@dataclass(frozen=True, slots=True)
class Score:
    """What one reader made of one page; a share is None where the case asks for none."""

    case: Case
    precision: float
    recall: float
    bag_f1: float
    kept: Sequence[bool]
    """For each snippet that belongs to the content, whether it is there."""
    leaked: Sequence[bool]
    kept_in_any_type: Sequence[bool]
    """As ``kept``, with curly quotes taken for straight ones: the annotators typed the latter."""
    seconds: float
    markdown: str
    html_size: int


def main() -> None:
    options = _parse_arguments()
    readers: dict[str, Reader] = {"ours": read_ours}
    if options.reference:
        readers["trafilatura"] = _load_trafilatura()
    cases = [
        case
        for corpus in options.corpus or CORPORA
        for case in read_cases(options.corpora / corpus)
        if not options.kind or case.kind in options.kind
        if options.half in {None, half_of(case.url)}
    ]
    scores = score_by_turns(cases, readers)
    for name, made in scores.items():
        print(f"== {name}")
        print_table(made)
        if options.tokens:
            print_tokens(made)
    for score in sorted(scores["ours"], key=lambda score: score.bag_f1)[: options.worst]:
        print(
            f"{score.bag_f1:.3f} {score.case.kind:14} {score.case.id} {score.case.url}"
            f" +{sum(score.kept)}/{len(score.kept)} -{sum(score.leaked)}/{len(score.leaked)}"
        )


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--corpus", action="append", choices=CORPORA)
    parser.add_argument("--kind", action="append", help="only pages of this type")
    parser.add_argument("--half", choices=("looked-at", "unseen"), help="only sites of this half")
    parser.add_argument("--reference", action="store_true", help="by turns with trafilatura")
    parser.add_argument("--tokens", action="store_true", help="count the tokens saved, too")
    parser.add_argument("--worst", type=int, default=0, help="list so many of the worst pages")
    return parser.parse_args()


def read_cases(folder: Path) -> Iterator[Case]:
    with (folder / "manifest.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            yield Case(
                corpus=folder.name,
                id=entry["id"],
                kind=entry["kind"],
                url=entry["url"],
                file=folder / entry["file"],
                expected=entry["expected"],
            )


def read_ours(body: bytes, url: str) -> str:
    return read_content(Document(make_snapshot(url, body))).markdown


def _load_trafilatura() -> Reader:
    trafilatura = import_module("trafilatura")  # only a reference, and rarely installed

    def read(body: bytes, url: str) -> str:
        return str(trafilatura.extract(body, url=url, output_format="markdown") or "")

    return read


def score_by_turns(cases: Sequence[Case], readers: dict[str, Reader]) -> dict[str, list[Score]]:
    scores: dict[str, list[Score]] = {name: [] for name in readers}
    for case in cases:
        body = case.read()
        for name, reader in readers.items():
            started = time.process_time()
            markdown = reader(body, case.url)
            scores[name].append(score(case, markdown, time.process_time() - started, len(body)))
    return scores


def score(case: Case, markdown: str, seconds: float, html_size: int) -> Score:
    text = strip_markdown(markdown)
    precision, recall = compare(shingles(case.text), shingles(text))
    words, expected = Counter(tokenize(text.lower())), Counter(tokenize(case.text.lower()))
    plain = squeeze(text)
    return Score(
        case=case,
        precision=precision,
        recall=recall,
        bag_f1=f1(*compare(expected, words)),
        kept=[squeeze(part) in plain for part in case.expected.get("with") or ()],
        leaked=[squeeze(part) in plain for part in case.expected.get("without") or ()],
        kept_in_any_type=[
            unify_type(squeeze(part)) in unify_type(plain)
            for part in case.expected.get("with") or ()
        ],
        seconds=seconds,
        markdown=markdown,
        html_size=html_size,
    )


_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\]\((?:<[^>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)\)")
_RULE = re.compile(r"^[ >]*\|[ :|-]+\|[ ]*$", re.MULTILINE)
_START = re.compile(r"^[ ]*(?:#{1,6} +|> ?|[-*+] +|`{3,}.*$)+", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def strip_markdown(markdown: str) -> str:
    """Return what is left for a reader once the marks are gone."""
    text = _LINK.sub(r"\1", markdown)
    text = _START.sub("", _RULE.sub("", text))
    text = re.sub(r"(?<!\\)(\*{1,3}|`+|~~)", "", text)
    text = re.sub(r"(?<!\\)\|", " ", text)
    return _ESCAPE.sub(r"\1", text)


def squeeze(text: str) -> str:
    return " ".join(text.split()).lower()


_STRAIGHT = str.maketrans(dict.fromkeys("\u2018\u2019", "'") | dict.fromkeys("\u201c\u201d", '"'))


def unify_type(text: str) -> str:
    return text.translate(_STRAIGHT)


def half_of(url: str) -> str:
    """Return which half of the pages a site belongs to: one is looked at, the other only scored."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    domain = ".".join(host.split(".")[-2:])
    is_unseen = hashlib.sha256(domain.encode()).digest()[-1] % 2
    return "unseen" if is_unseen else "looked-at"


def tokenize(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def shingles(text: str, size: int = 4) -> Counter[tuple[str, ...]]:
    tokens = tokenize(text)
    count = max(1, len(tokens) - size + 1)
    return Counter(tuple(tokens[at : at + size]) for at in range(count) if tokens)


def compare(expected: Counter[Any], found: Counter[Any]) -> tuple[float, float]:
    """Return precision and recall; both are 1 where nothing was expected and nothing found."""
    common = (expected & found).total()
    if not expected and not found:
        return 1.0, 1.0
    return (
        common / found.total() if found else 0.0,
        common / expected.total() if expected else 0.0,
    )


def f1(precision: float, recall: float) -> float:
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def print_table(scores: Iterable[Score]) -> None:
    groups: dict[tuple[str, str], list[Score]] = defaultdict(list)
    for each in scores:
        groups[each.case.corpus, each.case.kind].append(each)
    for (corpus, kind), group in sorted(groups.items()):
        print(f"{corpus[:12]:12} {kind:14} {len(group):4} {describe(group)}")
    kinds = [group for (corpus, _), group in groups.items() if corpus == "wcxb"]
    if len(kinds) > 1:
        mean = fmean(fmean(each.bag_f1 for each in group) for group in kinds)
        print(f"wcxb mean of types: {mean:.4f}")
        print(f"wcxb all pages:     {describe([each for group in kinds for each in group])}")


def describe(group: Sequence[Score]) -> str:
    precision = fmean(each.precision for each in group if each.markdown.strip())
    recall = fmean(each.recall for each in group)
    kept = [found for each in group for found in each.kept]
    in_any_type = [found for each in group for found in each.kept_in_any_type]
    leaked = [found for each in group for found in each.leaked]
    figures = {
        "bag F1": f"{fmean(each.bag_f1 for each in group):.3f}",
        "4-gram F1": f"{f1(precision, recall):.4f} (P {precision:.3f} R {recall:.3f})",
        "with": f"{fmean(kept):.3f}" if kept else "-",
        "with, any quotes": f"{fmean(in_any_type):.3f}" if in_any_type else "-",
        "without": f"{fmean(leaked):.3f}" if leaked else "-",
        "ms": f"{1000 * fmean(each.seconds for each in group):.1f}",
        "kB": f"{fmean(each.html_size for each in group) / 1000:.0f}",
    }
    return "  ".join(f"{name} {value}" for name, value in figures.items())


def print_tokens(scores: Iterable[Score]) -> None:
    """Print the share of tokens saved: over all pages, and as the mean of the pages."""
    count = load_counter()
    pairs = [
        (count(each.case.read().decode("utf-8", "replace")), count(each.markdown))
        for each in scores
    ]
    raw, kept = (sum(side) for side in zip(*pairs, strict=True))
    print(f"tokens {raw} -> {kept}: {1 - kept / raw:.4f} fewer in all, ", end="")
    print(f"{fmean(1 - after / before for before, after in pairs if before):.4f} on average")


if __name__ == "__main__":
    main()
