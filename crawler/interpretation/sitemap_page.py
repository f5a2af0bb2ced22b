"""One sitemap: the pages and further sitemaps that it leads to."""

from crawler.contracts.outcome import ELIGIBLE, RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.record import Rejection
from crawler.contracts.rules import Rules
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import Snapshot
from crawler.discovery.sitemap import Listed, find_sitemap_links
from crawler.document.sitemap import Sitemap, read_sitemap
from crawler.interpretation.data_page import report_flaw
from crawler.validation.completeness import EMPTY_NOTE


def read_sitemap_page(snapshot: Snapshot, rules: Rules) -> PageReport:
    sitemap = read_sitemap(snapshot)
    if sitemap.flaw is not None:
        return report_flaw(sitemap.flaw, sitemap.problem)
    listed = find_sitemap_links(sitemap, rules.collect, snapshot.final_url)
    problem = _find_problem(sitemap, listed, rules.collect)
    excess = sitemap.total - len(sitemap.places)
    is_empty = not sitemap.total and problem is None
    return PageReport(
        ELIGIBLE,
        links=listed.links,
        rejections=(problem,) if problem else (),
        notes=(
            *sitemap.repairs,
            *listed.notes,
            *((EMPTY_NOTE,) if is_empty else ()),
        ),
        beyond=excess,
        is_cut=bool(excess) or not sitemap.is_whole,
        readiness=(f"sitemap: {sitemap.total} entries",),
    )


def _find_problem(sitemap: Sitemap, listed: Listed, collect: Collect) -> Rejection | None:
    if not sitemap.is_whole:
        detail = f"the sitemap cannot be read to its end; entries before that: {sitemap.total}"
        return Rejection(RejectReason.INCOMPLETE_COLLECTION, detail)
    if listed.usable:
        return None
    if not sitemap.total and collect.sitemap is not None and collect.sitemap.may_be_empty:
        return None
    detail = f"none of {sitemap.total} entries names a page or sitemap"
    return Rejection(RejectReason.UNVERIFIED_EMPTY, detail)
