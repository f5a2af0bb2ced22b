import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from crawler.contracts.evidence import Source
from crawler.contracts.outcome import Kind, Reason, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Rejection
from crawler.contracts.rules import Rules
from crawler.contracts.site.access import Identity, Ready
from crawler.contracts.site.collect import Collect, Complete, PageParameter
from crawler.contracts.snapshot import PageKind, Snapshot
from crawler.interpretation.page import interpret, read_page
from tests.unit.document.pages import (
    BULLETINS,
    NOTICE,
    PRODUCT,
    ld_json,
    make_bulletins,
    make_rules,
    make_snapshot,
)
from tests.unit.document.responses import API, LOADED_ROWS, load_page

BULLETIN = (
    b'<article data-id="notice-1" data-published="2026-09-10">'
    b"<h2>Maintenance window announced</h2></article>"
)
NOTICE_ROW = {"id": "n1", "title": "T", "day": "2026-09-10"}
DIGEST = "6ed8df5a98ee53e2889feb5ef7ed4dd8d549dba82882580418d4ca9656b7d46b"


def row(key: str = "n1", published: str = "2026-09-10", content: str = "<h2>A</h2>") -> str:
    return f'<article data-id="{key}" data-published="{published}">{content}</article>'


def listing(body: bytes | str, rules: Rules | None = None) -> PageReport:
    snapshot = make_snapshot(body, page_kind=PageKind.LISTING)
    return interpret(snapshot, rules or make_bulletins())


def test_a_bulletin_becomes_a_record() -> None:
    report = listing(BULLETIN)

    (candidate,) = report.candidates
    assert report.rejections == ()
    assert candidate.key == "notice-1"
    assert candidate.values == {
        "id": "notice-1",
        "title": "Maintenance window announced",
        "published": "2026-09-10",
        "office": None,
    }
    evidence = candidate.fields["title"].evidence
    assert evidence is not None
    assert (evidence.source, evidence.digest) == (Source.CSS, DIGEST)


@pytest.mark.parametrize(
    ("collect", "reason"),
    [(Collect(links="a"), Reason.ELIGIBLE), (Collect(), Reason.WRONG_DOCUMENT)],
    ids=["a listing of links", "a page with records"],
)
def test_only_a_page_with_records_has_the_title_of_an_item(
    collect: Collect, reason: Reason
) -> None:
    page = "<title>All notices</title><a href=/n/1>1</a>" + row()
    rules = replace(make_bulletins(), collect=collect, identity=Identity(title="Notice *"))
    assert listing(page, rules).verdict.reason is reason


MENU = "".join(f"<li><a href=/{number}>Section {number} of the town</a>" for number in range(90))
IN_FRAME = f"<title>Town</title><header><nav><ul>{MENU}</ul></nav></header><main>%s</main>"
AWAY = "<p>This content is not available in your country.</p>"


def test_a_notice_in_the_frame_of_its_site_is_no_page() -> None:
    assert listing(IN_FRAME % AWAY).verdict.kind is Kind.GEO


def test_a_page_with_rows_is_no_notice_whatever_a_row_says() -> None:
    report = listing(IN_FRAME % row(content=f"<h2>Film</h2>{AWAY}"))
    assert report.verdict.reason is Reason.ELIGIBLE
    assert len(report.candidates) == 1


REJECTED = {
    "missing heading": (row(content=""), RejectReason.REQUIRED_FIELD),
    "missing heading beside other text": (row(content="<p>x</p>"), RejectReason.REQUIRED_FIELD),
    "empty heading": (row(content="<h2> </h2>"), RejectReason.REQUIRED_FIELD),
    "doubled heading": (row(content="<h2>A</h2><h2>B</h2>"), RejectReason.REQUIRED_FIELD),
    "heading doubled word for word": (
        row(content="<h2>A</h2><h2>A</h2>"),
        RejectReason.REQUIRED_FIELD,
    ),
    "empty id": (row(key=""), RejectReason.REQUIRED_FIELD),
    "missing id": (
        "<article data-published=2026-09-10><h2>A</h2></article>",
        RejectReason.REQUIRED_FIELD,
    ),
    "invalid date": (row(published="2026-02-30"), RejectReason.INVALID_DATE),
    "no date": (row(published="soon"), RejectReason.INVALID_DATE),
    "year beyond reason": (row(published="9999999-01-01"), RejectReason.INVALID_DATE),
    "duplicate id": (row() + row(), RejectReason.DUPLICATE_ID),
    "duplicate id and a bad record": (row() + row(content=""), RejectReason.DUPLICATE_ID),
    "nested": (row(content="<h2>A</h2>" + row("n2")), RejectReason.NESTED_RECORD),
    "unclosed": (row().removesuffix("</article>"), RejectReason.RECORD_STRUCTURE),
    "too deep": (row() + "<div>" * 100_000, RejectReason.RECORD_STRUCTURE),
    "no article": ("<p>Nothing here today.</p>", RejectReason.UNVERIFIED_EMPTY),
}


@pytest.mark.parametrize("reject", ["batch", "row"])
@pytest.mark.parametrize(("body", "reason"), REJECTED.values(), ids=REJECTED)
def test_a_bad_page_is_rejected_once_with_its_reason(
    body: str, reason: RejectReason, reject: str
) -> None:
    report = listing(body, make_bulletins(reject=reject))

    assert [rejection.reason for rejection in report.rejections] == [reason]
    assert report.candidates == ()
    assert report.verdict.is_eligible


def test_one_bad_row_rejects_the_batch_or_only_itself() -> None:
    body = row("n1") + row("n2", content="") + row("n3")

    batch, by_row = listing(body), listing(body, make_bulletins(reject="row"))

    assert batch.candidates == ()
    assert [rejection.candidate for rejection in batch.rejections] == [None]
    assert [candidate.key for candidate in by_row.candidates] == ["n1", "n3"]
    assert [rejection.candidate is None for rejection in by_row.rejections] == [False]


def test_a_declared_empty_state_is_verified_and_noted() -> None:
    report = listing("<p class=none>No notices.</p>", make_bulletins(empty=".none"))

    assert report.rejections == ()
    assert report.notes == ("empty, as the page says",)


def test_candidates_that_were_rejected_can_still_be_seen() -> None:
    snapshot = make_snapshot(row() + row("n2", content=""), page_kind=PageKind.LISTING)

    reading = read_page(snapshot, make_bulletins())

    assert [candidate.key for candidate in reading.candidates] == ["n1", "n2"]
    assert reading.report.candidates == ()


def test_fewer_rows_than_the_page_says_are_incomplete() -> None:
    collect = Collect(complete=Complete(expected_count=".total"))
    rules = make_rules(NOTICE, BULLETINS, collect=collect)

    report = listing(f"<p class=total>2 notices</p>{row()}", rules)

    assert report.expected_count == 2
    assert [each.reason for each in report.rejections] == [RejectReason.INCOMPLETE_COLLECTION]


PRODUCT_PAGE = ld_json({"@type": "Product", "name": "A", "offers": {"price": "10"}})
LINKS = '<a class=item href="/p/1">x</a><a rel=next href="?page=2">more</a>'
WITH_LINKS = make_rules(PRODUCT, collect=Collect(links="a.item", next="a[rel=next]"))


def test_a_listing_with_links_gives_links_and_no_records() -> None:
    report = listing(PRODUCT_PAGE + LINKS, WITH_LINKS)

    assert [link.page_kind for link in report.links] == [PageKind.DETAIL, PageKind.LISTING]
    assert (report.candidates, report.rejections) == ((), ())


def test_a_linked_page_gives_records_and_no_links() -> None:
    report = interpret(make_snapshot(PRODUCT_PAGE + LINKS), WITH_LINKS)

    assert report.links == ()
    assert [candidate.values["price"] for candidate in report.candidates] == [10]


def test_without_links_a_start_page_gives_both_its_records_and_the_next_link() -> None:
    report = listing(PRODUCT_PAGE + LINKS, make_rules(PRODUCT, collect=Collect(next="a[rel=next]")))

    assert [link.url for link in report.links] == ["https://example.com/p/1?page=2"]
    assert len(report.candidates) == 1


def test_a_listing_that_leads_nowhere_and_does_not_say_it_is_empty_is_rejected() -> None:
    report = listing("<p>text</p>", WITH_LINKS)

    assert [each.reason for each in report.rejections] == [RejectReason.UNVERIFIED_EMPTY]


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (make_rules(ready=Ready(present=("article",))), Reason.INCOMPLETE_SNAPSHOT),
        (make_rules(ready=Ready(absent=("h1",))), Reason.INCOMPLETE_SNAPSHOT),
    ],
)
def test_a_page_that_is_not_ready_is_not_read(rules: Rules, reason: Reason) -> None:
    report = interpret(make_snapshot(f"{PRODUCT_PAGE}<h1>x</h1>"), rules)

    assert report.verdict.reason is reason
    assert report == PageReport(report.verdict)


def test_a_page_that_names_another_is_not_read() -> None:
    rules = make_rules()
    wanted = Rules(
        rules.site,
        rules.collect,
        Identity(canonical=True),
        rules.ready,
        rules.record,
        rules.record_type,
        rules.version,
    )

    report = interpret(make_snapshot(f"<link rel=canonical href=/other>{PRODUCT_PAGE}"), wanted)

    assert report.verdict.reason is Reason.WRONG_DOCUMENT


def test_a_page_that_says_not_found_is_not_read() -> None:
    report = interpret(make_snapshot("<title>Page not found</title><p>Sorry.</p>"), make_rules())

    assert report.verdict.reason is Reason.SOFT_404


def test_what_showed_that_the_page_was_whole_is_kept() -> None:
    rules = make_rules(NOTICE, BULLETINS, ready=Ready(present=("h2",), absent=(".loading",)))

    assert len(listing(BULLETIN, rules).readiness) == 2


def test_a_selector_that_cannot_be_read_is_a_rejection_and_no_exception() -> None:
    report = listing(BULLETIN, make_rules(NOTICE, BULLETINS.model_copy(update={"each": "a["})))

    assert [each.reason for each in report.rejections] == [RejectReason.INVALID_VALUE]


def test_a_forged_page_cannot_bring_what_is_no_text_into_the_report() -> None:
    body = ld_json(r'{"@type":"Product","name":"x\ud800\u0000y","url":"https://e.example/\ud800"}')

    report = interpret(make_snapshot(body), make_rules())

    TypeAdapter(PageReport).dump_json(report)


CODE = """
import sys
from pydantic import TypeAdapter
from crawler.contracts.page import PageReport
from crawler.interpretation.page import interpret
from tests.unit.document.pages import ld_json, make_rules, make_snapshot
nodes = [{"@type": ["Product", "Thing"], "name": n, "keywords": ["a", "b"], "url": n} for n in "ab"]
report = interpret(make_snapshot(ld_json("{broken", nodes) + "<p class=price>140.000</p>"), make_rules())
sys.stdout.buffer.write(TypeAdapter(PageReport).dump_json(report))
"""


def test_a_report_is_the_same_bytes_whatever_the_hash_seed_time_zone_and_locale() -> None:
    def run(**environment: str) -> bytes:
        root = Path(__file__).parents[3]
        return subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, **environment, "PYTHONPATH": str(root)},
            cwd=root,
            check=True,
            capture_output=True,
        ).stdout

    first = run(PYTHONHASHSEED="1", TZ="Pacific/Kiritimati", LC_ALL="C")
    second = run(PYTHONHASHSEED="2", TZ="Pacific/Pago_Pago", LC_ALL="C.UTF-8")

    assert first == second
    assert b'"name"' in first


def test_rejections_name_no_more_than_one_page_problem() -> None:
    report = listing(row() + row(content=row("n2")).removesuffix("</article>"))

    assert [type(each) for each in report.rejections] == [Rejection]


UNLOADED = {
    "nothing": (load_page(), "/v1/items: nothing that fits was loaded"),
    "something else": (
        load_page({"rows": []}, url="https://api.example.com/v2"),
        "/v1/items: nothing that fits was loaded",
    ),
    "an error beside rows": (
        load_page({"rows": [NOTICE_ROW]}, {"error": "gone"}),
        f"{API}?n=1: $.rows[*] finds nothing; the response says 'gone'",
    ),
    "more than is kept": (
        replace(load_page({"rows": [NOTICE_ROW]}), flags=("loads_left_out",)),
        "/v1/items: not all that was loaded is kept",
    ),
}


@pytest.mark.parametrize(("snapshot", "detail"), UNLOADED.values(), ids=UNLOADED)
def test_a_page_that_did_not_load_its_rows_is_not_whole(snapshot: Snapshot, detail: str) -> None:
    report = interpret(snapshot, make_rules(NOTICE, LOADED_ROWS))

    assert report.verdict.reason is Reason.INCOMPLETE_SNAPSHOT
    assert report.verdict.evidence == (detail,)


def test_a_page_that_loaded_no_rows_must_say_so() -> None:
    report = interpret(load_page({"rows": []}), make_rules(NOTICE, LOADED_ROWS))

    assert [each.reason for each in report.rejections] == [RejectReason.UNVERIFIED_EMPTY]


def test_rows_that_were_loaded_are_counted_against_what_the_page_says() -> None:
    collect = Collect(complete=Complete(expected_count=".price"))
    snapshot = replace(load_page({"rows": [NOTICE_ROW]}), page_kind=PageKind.LISTING)

    report = interpret(snapshot, make_rules(NOTICE, LOADED_ROWS, collect=collect))

    assert [each.detail for each in report.rejections] == ["1 of 7 records"]


def test_a_key_that_two_responses_hold_is_no_record() -> None:
    snapshot = load_page({"rows": [NOTICE_ROW]}, {"rows": [NOTICE_ROW]})

    report = interpret(snapshot, make_rules(NOTICE, LOADED_ROWS))

    assert [each.reason for each in report.rejections] == [RejectReason.DUPLICATE_ID]


def test_a_listing_that_leads_to_pages_need_not_load_their_rows() -> None:
    snapshot = replace(load_page(html="<a href=/n/1>N</a>"), page_kind=PageKind.LISTING)

    report = interpret(snapshot, make_rules(NOTICE, LOADED_ROWS, collect=Collect(links="a")))

    assert report.verdict.is_eligible
    assert [link.url for link in report.links] == ["https://example.com/n/1"]


SIGNED_OUT = replace(make_bulletins(), signed_out="a.sign-in")
TEASER = row() + '<a class="sign-in" href="/in">Sign in</a>'


@pytest.mark.parametrize(
    ("body", "session", "reason"),
    [
        (TEASER, "members", Reason.SESSION_EXPIRED),
        (TEASER, "", Reason.AUTHORIZATION_REVIEW),
        (row(), "members", Reason.ELIGIBLE),
    ],
)
def test_a_page_that_shows_a_sign_in_link_ends_the_session_it_was_asked_for_with(
    body: str, session: str, reason: Reason
) -> None:
    snapshot = replace(make_snapshot(body, page_kind=PageKind.LISTING), session=session)

    report = interpret(snapshot, SIGNED_OUT)

    assert report.verdict.reason is reason
    assert bool(report.candidates) is (reason is Reason.ELIGIBLE)


LISTING = Collect(
    links="loaded:/v1/items $.rows[*].href",
    next="loaded:$.next",
    complete=Complete(expected_count="loaded:$.total"),
)


def test_links_and_counts_are_read_of_what_a_listing_loaded() -> None:
    parts = (
        {"rows": [{"href": "/n/1"}, {"href": "/n/2#top"}], "total": 3, "next": None},
        {"rows": [{"href": ["/n/3", 4]}], "total": "3 notices", "next": "?page=2"},
    )
    snapshot = replace(load_page(*parts), page_kind=PageKind.LISTING)

    report = interpret(snapshot, make_rules(NOTICE, collect=LISTING))

    assert [(link.url, link.page_kind) for link in report.links] == [
        ("https://example.com/n/1", PageKind.DETAIL),
        ("https://example.com/n/2", PageKind.DETAIL),
        ("https://example.com/n/3", PageKind.DETAIL),
        ("https://example.com/p/1?page=2", PageKind.LISTING),
    ]
    assert report.links[0].evidence == LISTING.links
    assert report.expected_count == 3


def test_links_that_are_left_out_are_counted() -> None:
    items = {"rows": [{"href": f"/n/{number}"} for number in range(10_003)]}
    snapshot = replace(load_page(items), page_kind=PageKind.LISTING)

    for path in ("$.rows[*].href", "$..href"):
        links = Collect(links=f"loaded:{path}")
        report = interpret(snapshot, make_rules(NOTICE, collect=links))

        assert len(report.links) == 10_000
        assert report.beyond == 3


@pytest.mark.parametrize(
    ("totals", "count"),
    [((3, 4), None), ((True,), None), ((-1,), None), (("of 7", 7, None), 7), ((), None)],
    ids=str,
)
def test_counts_that_were_loaded_must_agree(totals: tuple[object, ...], count: int | None) -> None:
    parts = [{"rows": [{"href": "/n/1"}], "total": total} for total in totals or (None,)]
    snapshot = replace(load_page(*parts), page_kind=PageKind.LISTING)

    report = interpret(snapshot, make_rules(NOTICE, collect=LISTING))

    assert report.expected_count == count


@pytest.mark.parametrize(
    ("snapshot", "detail"),
    [
        (load_page(), "/v1/items: nothing that fits was loaded"),
        (
            replace(load_page({"rows": []}), flags=("loads_left_out",)),
            "/v1/items: not all that was loaded is kept",
        ),
    ],
    ids=["nothing", "not all"],
)
def test_a_listing_that_did_not_load_its_links_is_not_whole(
    snapshot: Snapshot, detail: str
) -> None:
    listing = replace(snapshot, page_kind=PageKind.LISTING)

    report = interpret(listing, make_rules(NOTICE, collect=LISTING))

    assert report.verdict.evidence == (detail,)


def test_a_page_without_text_may_say_all_in_what_it_loaded() -> None:
    snapshot = load_page({"rows": [NOTICE_ROW]}, html="<canvas></canvas><script></script>")

    report = interpret(snapshot, make_rules(NOTICE, LOADED_ROWS))

    assert [candidate.key for candidate in report.candidates] == ["n1"]


def test_what_must_have_been_loaded_is_looked_for_again() -> None:
    rules = make_rules(NOTICE, ready=Ready(loaded=("/v1/*", "/v2/*")))

    report = interpret(load_page({}), rules)

    assert report.verdict.evidence == ("/v2/*: nothing that fits was loaded",)
    whole = make_rules(NOTICE, ready=Ready(loaded=("/v1/*",)))
    assert interpret(load_page({}), whole).readiness == ("/v1/*: 1 loaded",)


# What a listing says of its collection


def test_a_listing_names_all_of_its_records_rejected_ones_too() -> None:
    report = listing(row("n1") + row("n2", content="<h2></h2>"))

    assert report.candidates == ()
    assert report.keys == ("n1", "n2")


def test_a_page_of_one_thing_names_none() -> None:
    assert interpret(make_snapshot(BULLETIN), make_bulletins()).keys == ()


NEXT = '<a rel=next href="/page-2">On</a>'
TO_NEXT = {
    "nothing leads on": (Collect(), "https://example.com/page-2"),
    "a selector that finds nothing": (Collect(next=".more"), "https://example.com/page-2"),
    "it is followed": (Collect(next="a[rel=next]"), None),
    "parts are counted": (Collect(pages=PageParameter(param="page", last=1)), None),
}


@pytest.mark.parametrize(("collect", "ignored"), TO_NEXT.values(), ids=TO_NEXT)
def test_a_listing_says_that_it_goes_on_where_nothing_leads(
    collect: Collect, ignored: str | None
) -> None:
    rules = replace(make_bulletins(), collect=collect)

    assert listing(row() + NEXT, rules).ignored_next == ignored


SHOWS_MORE = {
    "nothing leads on": (Collect(), "<p>Page 1 of 2</p>", "text 'Page 1 of 2'"),
    "a selector that finds nothing": (
        Collect(next=".more"),
        "<button>Load more</button>",
        "button 'load more'",
    ),
    "the next one is named": (Collect(), f"{NEXT}<p>Page 1 of 2</p>", None),
    "it is followed": (Collect(next="a"), '<a href="?page=2">2</a><p>Page 1 of 2</p>', None),
    "parts are counted": (
        Collect(pages=PageParameter(param="page", last=1)),
        "<p>Page 1 of 2</p>",
        None,
    ),
}


@pytest.mark.parametrize(("collect", "source", "sign"), SHOWS_MORE.values(), ids=SHOWS_MORE)
def test_a_listing_says_that_it_shows_more_where_nothing_leads(
    collect: Collect, source: str, sign: str | None
) -> None:
    rules = replace(make_bulletins(), collect=collect)

    found = listing(row() + source, rules).more_sign
    assert (None if found is None else str(found)) == sign


def test_an_article_that_names_the_next_one_is_no_listing() -> None:
    assert listing(f"<h1>A</h1>{NEXT}", make_rules(NOTICE)).ignored_next is None
