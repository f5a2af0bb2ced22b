"""How often the next page of a real listing is found, and what is taken for one that is none.

    python -m tests.bench.score_discovery ../shared/corpora [--list]

A page whose marked link leads to the page itself, or nowhere, has no next page.
"""

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

from crawler.discovery.next_page import find_next_page
from crawler.document.document import Document, Node
from crawler.document.url import resolve_url
from tests.unit.document.pages import make_snapshot


@dataclass(frozen=True, slots=True)
class Answer:
    url: str
    marked: frozenset[str]
    found: str | None
    rule: str

    @property
    def kind(self) -> str:
        if self.found in self.marked:
            return "right"
        if self.found is None:
            return "missed" if self.marked else "none, rightly"
        return "another" if self.marked else "not marked"


def read_answers(corpora: Path) -> Iterator[Answer]:
    folder = corpora / "autopager"
    with (folder / "manifest.jsonl").open(encoding="utf-8") as manifest:
        for line in manifest:
            entry = json.loads(line)
            yield _answer(entry, gzip.decompress((folder / entry["file"]).read_bytes()))


def _answer(entry: dict[str, Any], body: bytes) -> Answer:
    text = body.decode(entry["encoding"] or "utf-8", "replace")
    document = Document(make_snapshot(text, url=entry["url"]))
    found = find_next_page(document) or (None, "")
    return Answer(entry["url"], frozenset(_read_marked(document, entry)), *found)


def _read_marked(document: Document, entry: dict[str, Any]) -> Iterator[str]:
    selector = entry["expected"]["NEXT"]
    for node in document.css(selector) if selector else ():
        url = resolve_url(document.base_url, _find_href(node) or "")
        if url and urldefrag(url).url != urldefrag(entry["url"]).url:
            yield urldefrag(url).url


def _find_href(node: Node) -> str | None:
    around = (node, *node.iterancestors(), *node.iter())
    return next((href for each in around if (href := each.get("href"))), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--list", action="store_true", help="name the pages that differ")
    options = parser.parse_args()
    answers = list(read_answers(options.corpora))
    if options.list:
        for answer in answers:
            if answer.kind not in {"right", "none, rightly"}:
                print(answer.kind, answer.url, answer.rule, answer.found, sorted(answer.marked))
    counts = Counter(answer.kind for answer in answers)
    right = counts["right"]
    given, marked = sum(a.found is not None for a in answers), sum(bool(a.marked) for a in answers)
    print(dict(sorted(counts.items())))
    print(f"precision {right / given:.3f}  recall {right / marked:.3f}  pages {len(answers)}")


if __name__ == "__main__":
    main()
