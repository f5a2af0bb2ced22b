"""Frontier rows as Scrapy requests, and Scrapy requests as frontier rows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from scrapy import Request, Spider
from scrapy.settings import BaseSettings

from crawler.admission.decision import AdmissionPolicy, decide_admission
from crawler.admission.fingerprint import page_fingerprint
from crawler.admission.scope import scope_of
from crawler.admission.trap import find_trap
from crawler.admission.url import fingerprint, parse_url
from crawler.contracts.bound import Trail
from crawler.contracts.frontier import FormerReading, LeasedRow, NewRow, Offer
from crawler.contracts.meta import ACCEPT_SHORT, ROW, SCOPE, SENT_AT
from crawler.contracts.page import Link, PageReport
from crawler.contracts.rules import LoadedSite
from crawler.contracts.site.access import Access
from crawler.contracts.site.section import parse_duration
from crawler.contracts.snapshot import Hop, PageKind, Representation
from crawler.discovery.bounds import Whence, bound_links, digest_listed
from crawler.discovery.shape import shape_of
from crawler.discovery.sitemap import sitemap_addresses

MIN_TIMEOUT = 1.0
ACCEPTED = {
    Representation.FEED: "application/rss+xml, application/atom+xml, application/feed+json, "
    "application/xml;q=0.9, */*;q=0.5",
    Representation.CALENDAR: "text/calendar, */*;q=0.5",
    Representation.JSON: "application/json, */*;q=0.5",
    Representation.SITEMAP: "application/xml, text/plain;q=0.9, */*;q=0.5",
}
CREDENTIALS = (b"Authorization", b"Cookie", b"Proxy-Authorization")


class UnstorableRequest(ValueError):
    """A spider yielded a request that cannot be kept as text."""


def default_headers(settings: BaseSettings) -> dict[str, str]:
    """Return what USER_AGENT and DEFAULT_REQUEST_HEADERS add to every request."""
    named = settings.getdict("DEFAULT_REQUEST_HEADERS")
    wanted = {name: value for name, value in named.items() if value is not None}
    return {"User-Agent": settings["USER_AGENT"], **wanted}


def build_request(
    row: LeasedRow, access: Access, spider: Spider, defaults: Mapping[str, str]
) -> Request:
    """Return the request of a leased row; cookies, session and proxy come from elsewhere, later.

    The row's own headers replace *defaults* of the same name.
    """
    return Request(
        row.url,
        method=row.method,
        body=row.body or None,
        headers=_merge(defaults, row.headers) if row.headers else defaults,
        callback=getattr(spider, row.callback) if row.callback else spider.parse,
        errback=spider.fail,  # type: ignore[attr-defined]
        cb_kwargs=json.loads(row.cb_kwargs) if row.callback else None,
        dont_filter=True,
        meta={
            ROW: row,
            SCOPE: row.scope,
            "download_timeout": time_for(row, access),
            "download_maxsize": access.budget.bytes,
            ACCEPT_SHORT: access.accept_short,
        },
    )


def _merge(defaults: Mapping[str, str], own: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    named = {name.lower() for name, _ in own}
    return [*((k, v) for k, v in defaults.items() if k.lower() not in named), *own]


def time_for(row: LeasedRow, access: Access) -> float:
    """Return the seconds that the row's next request may take."""
    return min(access.timeout, max(MIN_TIMEOUT, access.budget.seconds - row.spent_seconds))


def follow_redirect(request: Request, status: int, scope: str, elapsed: float) -> LeasedRow:
    """Return the row of *request* as it is once it has moved on to the request's URL.

    Of its headers it keeps those that Scrapy lets follow. *elapsed* is what the hop took.
    """
    row: LeasedRow = request.meta[ROW]
    return replace(
        row,
        url=request.url,
        scope=scope,
        method=request.method,
        body=request.body,
        headers=tuple((name, value) for name, value in row.headers if name in request.headers),
        redirects=(*row.redirects, Hop(row.url, status)),
        spent_seconds=row.spent_seconds + elapsed,
    )


def continue_as(request: Request, moved: LeasedRow, access: Access) -> Request:
    """Make *request*, a redirect's target, the request of the row that moved there."""
    request.meta.pop(SENT_AT, None)
    request.meta[ROW], request.meta[SCOPE] = moved, moved.scope
    request.meta["download_timeout"] = time_for(moved, access)
    return request


def new_row(request: Request, spider: Spider, scope: str, depth: int) -> NewRow:
    """Return the row of a request that a hand-written spider yielded.

    Raises UnstorableRequest when its callback is no method of the spider or its arguments are not
    JSON: a row outlives the process, so nothing in it may live only in memory. Nor may it hold
    cookies or credentials, which are never stored.
    """
    if problem := _find_unstorable(request, spider):
        raise UnstorableRequest(f"{request.url}: {problem}")
    return NewRow(
        url=as_admitted(request.url),
        fingerprint=fingerprint(request.method, request.url, request.body),
        scope=scope,
        method=request.method,
        body=request.body,
        headers=tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, values in request.headers.items()
            for value in values
        ),
        callback=_callback_name(request, spider),
        cb_kwargs=_json_object(request.cb_kwargs),
        priority=request.priority,
        depth=depth,
    )


def seed_rows(site: LoadedSite) -> tuple[NewRow, ...]:
    """Return what a cycle begins with: start URLs and sitemaps, all of them listings.

    Start URLs are listings whether or not pages are linked from them.
    """
    collect = site.config.collect
    listings = site.config.access.representation.first_of(PageKind.LISTING)
    start = collect.start_representation or listings
    pages = ((url, start) for url in site.config.start if collect.visits_start)
    sitemaps = ((url, Representation.SITEMAP) for url in sitemap_addresses(site.config))
    return tuple(_seed_row(url, wanted, site) for url, wanted in (*pages, *sitemaps))


def _seed_row(url: str, representation: Representation, site: LoadedSite) -> NewRow:
    return NewRow(
        url=as_admitted(url),
        fingerprint=page_fingerprint(url, site),
        scope=scope_of(url, site.config.access.scope),
        page_kind=PageKind.LISTING,
        representation=representation,
        headers=accepting(representation),
        priority=1,
    )


def offer_links(
    row: LeasedRow, report: PageReport, site: LoadedSite, policy: AdmissionPolicy, *, now: float
) -> Offer:
    """Return what a page leads to, as far as the page itself sets no bound to it."""
    collect = site.config.collect
    whence = Whence(row.depth, row.representation, row.listed, row.barren)
    links, left_out = bound_links(report, whence, collect)
    rows = tuple(link_row(link, site, policy, depth=row.depth + 1, now=now) for link in links)
    is_part = row.page_kind is PageKind.LISTING and row.representation is not Representation.SITEMAP
    if not is_part or not rows:
        return Offer(rows, None, left_out)
    trail = Trail(digest_listed(report, collect), row.barren, bool(report.candidates))
    return Offer(rows, trail, left_out)


def _standing_reading(link: Link, site: LoadedSite, now: float) -> FormerReading | None:
    """Return which reading of the page still stands, where the dates of sitemaps are trusted."""
    source = site.config.collect.sitemap
    trust = source.trust_lastmod if source else None
    if trust is None or link.unchanged_since is None or link.page_kind is PageKind.LISTING:
        return None
    after = max(link.unchanged_since, now - parse_duration(trust))
    return FormerReading(after, site.rules.version)


def link_row(
    link: Link, site: LoadedSite, policy: AdmissionPolicy, *, depth: int, now: float
) -> NewRow:
    """Return a link as a row, born with its outcome when admission refuses it."""
    pages = site.config.access.representation.first_of(link.page_kind)
    representation = link.representation or pages
    today = datetime.fromtimestamp(now, UTC).date()
    return NewRow(
        url=as_admitted(link.url),
        fingerprint=page_fingerprint(link.url, site),
        scope=scope_of(link.url, site.config.access.scope),
        page_kind=link.page_kind,
        representation=representation,
        headers=accepting(representation),
        priority=1 if link.page_kind is PageKind.LISTING else 0,
        depth=depth,
        shape=shape_of(link.url) if site.config.collect.max_per_shape is not None else None,
        unless_read=_standing_reading(link, site, now),
        refused=decide_admission(link.url, policy, today=today) or find_trap(link.url),
    )


def accepting(representation: Representation) -> tuple[tuple[str, str], ...]:
    """Return the headers that ask for a representation other than a web page."""
    wanted = ACCEPTED.get(representation)
    return (("Accept", wanted),) if wanted else ()


def as_admitted(url: str) -> str:
    """Return *url* as the one parser of admission reads it: what is checked is what is sent."""
    parsed = parse_url(url)
    return url if parsed is None else parsed.text


def _find_unstorable(request: Request, spider: Spider) -> str | None:
    secrets = sorted(name.decode() for name in CREDENTIALS if name in request.headers)
    if secrets:
        return f"the header {secrets[0]} is a credential"
    if request.cookies:
        return "cookies= are credentials"
    if request.errback not in (None, spider.fail):  # type: ignore[attr-defined]
        return "an errback of its own would not be called: the spider's fail is"
    return None


def _callback_name(request: Request, spider: Spider) -> str | None:
    if request.callback is None:
        return None
    name: str = getattr(request.callback, "__name__", "")
    if getattr(spider, name, None) != request.callback:
        raise UnstorableRequest(f"the callback of {request.url} is no method of the spider")
    return name


def _json_object(value: dict[str, object]) -> str:
    try:
        return json.dumps(value, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UnstorableRequest(f"cb_kwargs: {error}") from error
