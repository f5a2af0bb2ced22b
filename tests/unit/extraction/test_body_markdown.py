"""The content of a page as a field of its record."""

import json
from dataclasses import replace
from typing import Any

import pytest

from crawler.contracts.evidence import FieldValue, Missing, Source
from crawler.contracts.rules import Rules
from crawler.contracts.site.record import ContentRules, RecordRules
from crawler.contracts.snapshot import PageKind, Snapshot
from crawler.document.document import Document
from crawler.extraction.derivation import Derivation
from crawler.extraction.place import MAX_RAW
from crawler.extraction.records import extract
from crawler.interpretation.page import interpret
from crawler.sites.builtin import BUILT_IN
from crawler.sites.config import build_rules
from tests.unit.document.pages import make_snapshot

SENTENCE = "The council met on Tuesday, and decided what its members had asked for. "
NOTICE = {
    "@type": "SpecialAnnouncement",
    "identifier": "n-1",
    "headline": "Council decides on the roof",
    "datePublished": "2026-01-02",
}
DESCRIBED = f"<script type=application/ld+json>{json.dumps(NOTICE)}</script>"
TEXT = f"<main><h1>The roof</h1><p>{SENTENCE * 5}</p><ul><li>slates<li>beams</ul></main>"
KIND = BUILT_IN["notice"].fields[-1].kind


def rules_of(content: ContentRules | None = None, **record: Any) -> Rules:
    rules = build_rules("test", RecordRules(type="notice", **record), BUILT_IN["notice"])
    return replace(rules, content=content or ContentRules())


def body_of(snapshot: Snapshot, rules: Rules) -> FieldValue:
    report = interpret(snapshot, rules)
    assert report.rejections == ()
    (candidate,) = report.candidates
    return candidate.fields["body_markdown"]


@pytest.mark.parametrize("paragraphs", [1, 20])
def test_the_content_of_a_page_is_the_body_and_is_derived_again(paragraphs: int) -> None:
    said = [f"{SENTENCE * 5}({number})" for number in range(paragraphs)]
    text = "".join(f"<p>{each}</p>" for each in said)
    snapshot = make_snapshot(f"{DESCRIBED}<main><h1>The roof</h1>{text}</main>")
    field = body_of(snapshot, rules_of())

    without_heading = str(field.value).removeprefix("# The roof\n\n")
    assert without_heading == "\n\n".join(said)
    assert field.evidence is not None
    assert field.evidence.source is Source.CONTENT
    assert field.evidence.raw == str(field.value)[:MAX_RAW]
    assert field.evidence.span is None
    assert field.evidence.span_reason
    assert len(Document(snapshot).xpath(field.evidence.locator)) == 1
    assert Derivation(snapshot).derive(KIND, field.evidence) == field.value


def test_evidence_of_another_place_leads_to_nothing() -> None:
    snapshot = make_snapshot(DESCRIBED + TEXT)
    evidence = body_of(snapshot, rules_of()).evidence
    assert evidence is not None

    for forged in (replace(evidence, locator="/html/body"), replace(evidence, raw="No roof")):
        assert Derivation(snapshot).derive(KIND, forged) is None


def test_the_zones_of_the_site_file_hold_one_line_each() -> None:
    page = f"{DESCRIBED}<div><p class=a>One <b class=x>ad</b></p><p>No</p><p class=a>Two</p></div>"
    content = ContentRules(zone="p.a", noise=("b.x",))
    field = body_of(make_snapshot(page), rules_of(content))

    assert field.value == "One\n\nTwo"
    assert field.evidence is not None
    assert len(field.evidence.locator.splitlines()) == 2


def test_a_page_without_content_has_no_body() -> None:
    assert body_of(make_snapshot(DESCRIBED + "<hr>"), rules_of()).missing is Missing.NOT_FOUND


def test_content_alone_makes_no_record() -> None:
    snapshot = make_snapshot(TEXT)

    assert extract(Document(snapshot), snapshot, rules_of()).records == ()


def test_a_listing_or_a_row_has_no_body() -> None:
    row = "<article id=n-1><h2>Roof</h2><time datetime=2026-01-02>2 January</time></article>"
    fields = {
        "id": ("xpath:./@id",),
        "title": ("css:h2::text",),
        "published": ("css:time::attr(datetime)",),
    }
    for snapshot, rules in (
        (make_snapshot(DESCRIBED + TEXT, page_kind=PageKind.LISTING), rules_of()),
        (make_snapshot(row + TEXT), rules_of(each="article", fields=fields)),
    ):
        assert body_of(snapshot, rules).missing is Missing.NOT_FOUND


def test_the_same_page_read_again_says_the_same() -> None:
    snapshot = make_snapshot(DESCRIBED + TEXT)

    assert interpret(snapshot, rules_of()) == interpret(snapshot, rules_of())
