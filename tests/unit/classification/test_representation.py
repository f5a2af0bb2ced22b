import pytest

from crawler.classification.representation import find_other_representation
from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.site.access import Representations
from crawler.contracts.site.collect import Collect, FeedSource, SitemapSource
from crawler.contracts.site.record import RecordRules
from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import PageKind, Representation
from crawler.sites.builtin import BUILT_IN
from crawler.sites.config import Sections, build_rules
from tests.unit.document.pages import make_snapshot

HTML, RENDERED = Representation.HTML, Representation.RENDERED_DOM
SCREENSHOT, FEED, SITEMAP = Representation.SCREENSHOT, Representation.FEED, Representation.SITEMAP
LISTING, DETAIL = PageKind.LISTING, PageKind.DETAIL
BOTH = Representations(listing=RENDERED, detail=HTML)
FROM_FEED = Collect(feed=FeedSource())

READ = {
    "served": (Representations(), (), Collect(), DETAIL, HTML),
    "rendered": (Representations(pages=RENDERED), (), Collect(), DETAIL, RENDERED),
    "a document with its picture": (
        Representations(pages=SCREENSHOT), (), Collect(), DETAIL, RENDERED
    ),
    "auto, as served": (Representations(pages=AUTO), (), Collect(), DETAIL, HTML),
    "auto, rendered": (Representations(pages=AUTO), (), Collect(), DETAIL, RENDERED),
    "a rendered listing": (BOTH, (), Collect(), LISTING, RENDERED),
    "its served detail": (BOTH, (), Collect(), DETAIL, HTML),
    "tested on both": (Representations(), (HTML, RENDERED), Collect(), DETAIL, RENDERED),
    "a feed": (Representations(pages=RENDERED), (RENDERED,), FROM_FEED, LISTING, FEED),
    "a sitemap": (
        Representations(), (), Collect(sitemap=SitemapSource(urls=("robots",))), LISTING, SITEMAP
    ),
}  # fmt: skip
OTHER = {
    "rendered, for served": (Representations(), (), Collect(), DETAIL, RENDERED),
    "served, for rendered": (Representations(pages=RENDERED), (), Collect(), DETAIL, HTML),
    "a served listing": (BOTH, (), Collect(), LISTING, HTML),
    "a rendered detail": (BOTH, (), Collect(), DETAIL, RENDERED),
    "auto, and tested on one": (Representations(pages=AUTO), (HTML,), Collect(), DETAIL, RENDERED),
    "never tested on what comes": (Representations(), (RENDERED,), Collect(), DETAIL, HTML),
    "a picture": (Representations(pages=SCREENSHOT), (), Collect(), DETAIL, SCREENSHOT),
    "a feed that is no source any more": (Representations(), (), Collect(), LISTING, FEED),
    "a sitemap where there is a feed": (Representations(), (), FROM_FEED, LISTING, SITEMAP),
}


def mismatch(
    fetched: Representations | None,
    tested: tuple[Representation, ...],
    collect: Collect,
    kind: PageKind,
    came: Representation,
) -> str | None:
    rules = build_rules(
        "board",
        RecordRules(type="notice", representations=tested),
        BUILT_IN["notice"],
        Sections(collect=collect, fetched=fetched or Representations()),
    )
    snapshot = make_snapshot(b"<p>a</p>", page_kind=kind, representation=came)
    found = find_other_representation(snapshot, rules)
    if found is None:
        return None
    assert (found.kind, found.reason) == (Kind.MEDIA_TYPE, Reason.REPRESENTATION_MISMATCH)
    return found.evidence[0]


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_what_the_rules_are_for_is_read(case: tuple[object, ...]) -> None:
    assert mismatch(*case) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("case", OTHER.values(), ids=OTHER)
def test_anything_else_is_a_mismatch(case: tuple[object, ...]) -> None:
    assert mismatch(*case) is not None  # type: ignore[arg-type]


def test_the_mismatch_says_what_came_and_what_is_read() -> None:
    assert mismatch(Representations(pages=AUTO), (), Collect(), DETAIL, FEED) == (
        "read as feed; the rules are for none"
    )
    assert mismatch(Representations(), (HTML,), Collect(), DETAIL, RENDERED) == (
        "read as rendered_dom; the rules are for html"
    )
