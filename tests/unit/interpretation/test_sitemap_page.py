import pytest

from crawler.contracts.outcome import Kind, Reason, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.snapshot import PageKind, Representation
from crawler.document.sitemap import MAX_ENTRIES
from crawler.interpretation.page import interpret
from crawler.validation.completeness import EMPTY_NOTE
from tests.unit.document.pages import make_snapshot
from tests.unit.sites.builders import parse, site_text

PAGE = "https://garden.example/1"
ENTRY = f"<url><loc>{PAGE}</loc></url>"


def report_of(body: str, *, may_be_empty: bool = False) -> PageReport:
    collect = f"collect: {{sitemap: {{urls: robots, may_be_empty: {str(may_be_empty).lower()}}}}}"
    snapshot = make_snapshot(
        body,
        url="https://garden.example/sitemap.xml",
        page_kind=PageKind.LISTING,
        representation=Representation.SITEMAP,
    )
    return interpret(snapshot, parse(site_text(collect=collect)).rules)


def test_a_sitemap_is_read_for_its_links_alone() -> None:
    report = report_of(f"<urlset>{ENTRY}<url/></urlset>")

    assert [link.url for link in report.links] == [PAGE]
    assert (report.verdict.kind, report.rejections, report.candidates) == (Kind.OK, (), ())
    assert report.notes == ("1 entries without a usable address",)
    assert report.readiness == ("sitemap: 2 entries",)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<urlset></urlset>", RejectReason.UNVERIFIED_EMPTY),
        ("<urlset><url/></urlset>", RejectReason.UNVERIFIED_EMPTY),
        (f"<urlset>{ENTRY}{'<a>' * 500}</urlset>", RejectReason.INCOMPLETE_COLLECTION),
    ],
    ids=["empty", "without addresses", "not read to its end"],
)
def test_a_sitemap_that_leads_nowhere_or_only_in_part_is_rejected(
    body: str, reason: RejectReason
) -> None:
    assert [each.reason for each in report_of(body).rejections] == [reason]


def test_a_sitemap_may_be_empty_where_the_site_file_says_so() -> None:
    report = report_of("<urlset></urlset>", may_be_empty=True)

    assert report.rejections == ()
    assert report.notes == (EMPTY_NOTE,)


def test_entries_without_addresses_are_no_empty_sitemap() -> None:
    assert report_of("<urlset><url/></urlset>", may_be_empty=True).rejections


def test_entries_beyond_the_limit_are_counted() -> None:
    report = report_of(f"<urlset>{ENTRY * (MAX_ENTRIES + 3)}</urlset>")

    assert (len(report.links), report.beyond, report.is_cut) == (1, 3, True)


def test_a_sitemap_that_is_cut_is_no_evidence() -> None:
    report = report_of(f"<urlset>{ENTRY}")

    assert (report.verdict.reason, report.links) == (Reason.TRUNCATED, ())
