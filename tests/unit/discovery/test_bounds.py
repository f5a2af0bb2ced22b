from dataclasses import replace

import pytest

from crawler.contracts.bound import Bound
from crawler.contracts.outcome import ELIGIBLE
from crawler.contracts.page import Link, PageReport
from crawler.contracts.record import Candidate
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind, Representation
from crawler.discovery.bounds import MAX_SITEMAP_DEPTH, Whence, bound_links, digest_listed
from tests.unit.validation.candidates import make_candidate

COLLECT = Collect(links="a", max_depth=5)
NEXT = Link("https://hall.example/list?page=8", PageKind.LISTING, "next")
PART = Link("https://hall.example/b.xml", PageKind.LISTING, "sitemap", Representation.SITEMAP)


def items(*names: str) -> tuple[Link, ...]:
    return tuple(Link(f"https://hall.example/{name}", PageKind.DETAIL, "a") for name in names)


def report(*links: Link, candidates: tuple[Candidate, ...] = ()) -> PageReport:
    return PageReport(ELIGIBLE, links=links, candidates=candidates)


def whence(
    listed: str = "",
    depth: int = 1,
    kind: Representation = Representation.HTML,
    barren: int = 0,
) -> Whence:
    return Whence(depth, kind, listed, barren)


SHOWN = digest_listed(report(*items("a?utm_source=1", "b")), COLLECT)


@pytest.mark.parametrize(
    ("links", "is_followed"),
    [
        (items("a", "b"), False),
        (items("a?utm_source=2", "b"), False),
        (items("b", "a"), True),
        (items("a"), True),
        (items("a", "b", "c"), True),
        ((), True),
    ],
    ids=[
        "the same",
        "the same but for a mark",
        "another order",
        "fewer",
        "more",
        "nothing",
    ],
)
def test_a_listing_that_shows_the_same_again_leads_no_further(
    links: tuple[Link, ...], is_followed: bool
) -> None:
    kept, left_out = bound_links(report(*links, NEXT), whence(SHOWN), COLLECT)

    assert kept == ((*links, NEXT) if is_followed else links)
    assert left_out == ({} if is_followed else {Bound.REPEATED_LISTING: 1})


def test_what_two_pages_show_that_brought_nothing_new_is_no_end() -> None:
    links = (*items("a", "b"), NEXT)

    assert bound_links(report(*links), whence(SHOWN, barren=1), COLLECT) == (links, {})


def test_a_listing_that_shows_the_same_under_another_session_leads_no_further() -> None:
    before, now = (items(f"a?s={s}", f"b?s={s}") for s in ("8f3a9c01d2e4b5a6", "0b1c2d3e4f5a6b7c"))
    listed = digest_listed(report(*before), COLLECT)

    assert bound_links(report(*now, NEXT), whence(listed), COLLECT)[0] == now


def test_two_listings_that_show_nothing_are_not_the_same() -> None:
    assert digest_listed(report(NEXT), COLLECT) == ""
    assert bound_links(report(NEXT), whence(""), COLLECT) == ((NEXT,), {})


def test_records_of_a_listing_tell_it_from_another_by_their_values() -> None:
    one = make_candidate("1")

    digests = {
        digest_listed(report(candidates=candidates), COLLECT)
        for candidates in ((one,), (one, one), (replace(one, key="2"),))
    }

    assert len(digests) == 3
    assert digest_listed(report(candidates=(one,)), COLLECT) in digests


@pytest.mark.parametrize(("depth", "kept"), [(4, True), (5, False), (6, False)])
def test_nothing_is_followed_below_the_depth(depth: int, kept: bool) -> None:
    links, left_out = bound_links(report(*items("a"), NEXT), whence(depth=depth), COLLECT)

    assert (len(links), left_out) == ((2, {}) if kept else (0, {Bound.MAX_DEPTH: 2}))


def test_what_one_page_holds_too_much_of_is_left_out_by_name() -> None:
    full = replace(report(*items("a")), beyond=7)

    assert bound_links(full, whence(), COLLECT) == (items("a"), {Bound.MAX_LINKS: 7})


@pytest.mark.parametrize(
    ("depth", "kind", "is_kept"),
    [
        (MAX_SITEMAP_DEPTH - 1, Representation.SITEMAP, True),
        (MAX_SITEMAP_DEPTH, Representation.SITEMAP, False),
        (MAX_SITEMAP_DEPTH, Representation.HTML, True),
    ],
)
def test_sitemaps_lie_inside_each_other_only_so_deep(
    depth: int, kind: Representation, is_kept: bool
) -> None:
    links, left_out = bound_links(report(*items("a"), PART), whence("", depth, kind), COLLECT)

    assert links == ((*items("a"), PART) if is_kept else items("a"))
    assert left_out == ({} if is_kept else {Bound.SITEMAP_DEPTH: 1})
