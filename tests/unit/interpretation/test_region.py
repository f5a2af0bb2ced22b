from dataclasses import replace

import pytest

from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.page import PageReport
from crawler.contracts.rules import Rules
from crawler.contracts.site.access import Identity, Representations, Wanted
from crawler.contracts.site.collect import Collect, Complete
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind, Representation
from crawler.interpretation.page import interpret
from crawler.sites.builtin import BUILT_IN
from crawler.sites.config import Sections, build_rules
from tests.unit.document.pages import make_snapshot

WORDS = "<p>Welcome to the notice board of the town, where everything is announced.</p>"
SCRIPT = "<script src=/app.js></script>"
SHELL = WORDS + SCRIPT
ROW = '<article data-id=a><h2>Gate repaired</h2><time datetime="2026-09-10"></time></article>'
LONG = "word " * 100


def rules(wanted: Wanted = "auto", **changes: object) -> Rules:
    each = changes.pop("each", None)
    return build_rules(
        "board",
        RecordRules(type="notice", each=each if isinstance(each, str) else None),
        BUILT_IN["notice"],
        Sections(collect=Collect.model_validate(changes), fetched=Representations(pages=wanted)),
    )


LISTING, DETAIL = PageKind.LISTING, PageKind.DETAIL
LINKS = rules(links="main a")
MATCH = rules(match=("/notice/*",))
ROWS = rules(each="article")
EMPTY = rules(each="article", complete=Complete(empty=".none"))
OBJECTS = rules(each="jsonld:$[*]")
PLAIN = rules()
INCOMPLETE = {
    "no rows": (ROWS, DETAIL, SHELL, "article matches nothing"),
    "no rows on a listing that holds the records": (
        ROWS,
        LISTING,
        SHELL,
        "article matches nothing",
    ),
    "no links": (LINKS, LISTING, SHELL, "main a leads nowhere"),
    "links to anything": (MATCH, LISTING, f"<a href=/about>a</a>{SHELL}", "collect.match leads"),
    "no JSON-LD": (OBJECTS, DETAIL, SHELL, "no JSON-LD for jsonld:$[*]"),
    "text that is hidden for now": (
        PLAIN,
        DETAIL,
        f'<h1>Notice</h1><div style="visibility: hidden"><p>{LONG}</p></div>{SCRIPT}',
        "100 words are hidden until a script shows them, 1 are not",
    ),
}


@pytest.mark.parametrize(("site", "kind", "body", "seen"), INCOMPLETE.values(), ids=INCOMPLETE)
def test_a_served_page_without_its_region_is_incomplete(
    site: Rules, kind: PageKind, body: str, seen: str
) -> None:
    verdict = interpret(make_snapshot(body.encode(), page_kind=kind), site).verdict

    assert (verdict.kind, verdict.reason) == (Kind.SHELL, Reason.INCOMPLETE_SNAPSHOT)
    assert seen in verdict.evidence[0]


@pytest.mark.parametrize(("site", "kind", "body", "seen"), INCOMPLETE.values(), ids=INCOMPLETE)
def test_a_rendered_one_is_judged_by_its_records(
    site: Rules, kind: PageKind, body: str, seen: str
) -> None:
    snapshot = make_snapshot(
        body.encode(), page_kind=kind, representation=Representation.RENDERED_DOM
    )

    assert interpret(snapshot, site).verdict.is_eligible


WHOLE = {
    "rows": (ROWS, DETAIL, ROW + SCRIPT),
    "rows without a value that is required": (ROWS, DETAIL, f"<article>a</article>{SHELL}"),
    "a page that says it is empty": (EMPTY, LISTING, f"<p class=none>No notices</p>{SHELL}"),
    "links": (LINKS, LISTING, f"<main><a href=/notice/1>a</a></main>{SHELL}"),
    "a link that fits": (MATCH, LISTING, f"<a href=/notice/1>a</a>{SHELL}"),
    "a detail of a site whose listings hold links": (LINKS, DETAIL, SHELL),
    "nothing is said of what it holds": (PLAIN, DETAIL, SHELL),
    "a hidden menu": (PLAIN, DETAIL, f'<nav style="display:none">{LONG}</nav><p>{LONG}</p>'),
    "a hidden notice": (PLAIN, DETAIL, '<p>Hi</p><p style="display:none">Cookies are used</p>'),
    "pages as served are all there is": (rules(Representation.HTML, each="article"), DETAIL, SHELL),
}


@pytest.mark.parametrize(("site", "kind", "body"), WHOLE.values(), ids=WHOLE)
def test_a_served_page_with_its_region_is_whole(site: Rules, kind: PageKind, body: str) -> None:
    assert interpret(make_snapshot(body.encode(), page_kind=kind), site).verdict.is_eligible


def test_a_page_that_says_it_is_not_found_is_not_rendered() -> None:
    body = f"<title>Page not found</title><h1>404 Not Found</h1><p>Page not found</p>{SCRIPT}"

    verdict = interpret(make_snapshot(body.encode()), ROWS).verdict

    assert verdict.reason is Reason.SOFT_404


def test_a_page_of_another_representation_gives_nothing() -> None:
    body = f"<main><a href=/notice/1>a</a></main>{ROW}".encode()
    snapshot = make_snapshot(body, representation=Representation.RENDERED_DOM)

    report = interpret(snapshot, rules(Representation.HTML, each="article"))

    assert report == PageReport(report.verdict)
    assert report.verdict.reason is Reason.REPRESENTATION_MISMATCH


HEADED = Identity(selector="h1.notice", canonical=True)
TITLED = Identity(title="Notice *")


@pytest.mark.parametrize("identity", [HEADED, TITLED])
def test_what_tells_the_document_may_come_with_scripts(identity: Identity) -> None:
    site = build_rules(
        "board",
        RecordRules(type="notice"),
        BUILT_IN["notice"],
        Sections(identity=identity, fetched=Representations(pages="auto")),
    )
    served = make_snapshot(SHELL.encode())
    rendered = make_snapshot(SHELL.encode(), representation=Representation.RENDERED_DOM)
    named = f"<link rel=canonical href=https://site.example/other>{SHELL}".encode()

    assert interpret(served, site).verdict.reason is Reason.INCOMPLETE_SNAPSHOT
    assert interpret(rendered, site).verdict.reason is Reason.WRONG_DOCUMENT
    if identity.canonical:
        assert interpret(make_snapshot(named), site).verdict.reason is Reason.WRONG_DOCUMENT


def test_whether_a_session_opened_it_is_seen_once_scripts_have_run() -> None:
    site = replace(PLAIN, signed_out=".sign-in")
    body = f"<a class=sign-in href=/in>Sign in</a>{SHELL}".encode()
    rendered = make_snapshot(body, representation=Representation.RENDERED_DOM)

    assert interpret(make_snapshot(body), site).verdict.reason is Reason.INCOMPLETE_SNAPSHOT
    assert interpret(rendered, site).verdict.kind is Kind.LOGIN
