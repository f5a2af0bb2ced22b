"""How tests read a page, and take what they expect of it."""

from crawler.contracts.evidence import Evidence
from crawler.contracts.record import Candidate
from crawler.contracts.rules import Rules
from crawler.contracts.snapshot import PageKind
from crawler.document.document import Document
from crawler.extraction.records import Extracted, extract
from tests.unit.document.pages import (
    make_rules,
    make_snapshot,
)


def read(
    body: bytes | str, rules: Rules | None = None, page_kind: PageKind = PageKind.DETAIL
) -> Extracted:
    snapshot = make_snapshot(body, page_kind=page_kind)
    return extract(Document(snapshot), snapshot, rules or make_rules())


def only(extracted: Extracted) -> Candidate:
    ((candidate, problems),) = extracted.records
    assert problems == ()
    return candidate


def evidence(candidate: Candidate, field: str) -> Evidence:
    found = candidate.fields[field].evidence
    assert found is not None
    return found
