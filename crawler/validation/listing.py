"""What one page of a listing says of the collection that it is a part of."""

import hashlib
import re
from collections.abc import Callable

from crawler.contracts.collection import ListedPage
from crawler.contracts.outcome import RejectReason
from crawler.contracts.page import PageReport
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind, Representation

MAX_SIGN = 500
_ROW = re.compile(r"row-\d+")
UNREAD = frozenset(
    {
        RejectReason.RECORD_STRUCTURE,
        RejectReason.NESTED_RECORD,
        RejectReason.UNVERIFIED_EMPTY,
        RejectReason.EXTRACTION_TIMEOUT,
        RejectReason.EXTRACTION_CRASH,
    }
)
"""Rejections of a whole page that leave open which items it lists, whatever was found."""


def summarise_listing(
    report: PageReport,
    collect: Collect,
    representation: Representation,
    *,
    url: str,
    name_page: Callable[[str], str],
    name_record: Callable[[str], str],
) -> ListedPage | None:
    """Return what an eligible page lists; None for any other.

    *url* is the page's own. *name_page* is given a URL, *name_record* the key of a record.
    """
    if not report.verdict.is_eligible:
        return None
    following = [link for link in report.links if link.page_kind is PageKind.LISTING]
    details = [link.url for link in report.links if link.page_kind is PageKind.DETAIL]
    return ListedPage(
        details=tuple(dict.fromkeys(map(name_page, details))),
        records=tuple(dict.fromkeys(map(name_record, report.keys))),
        following=tuple(dict.fromkeys(name_page(link.url) for link in following)),
        is_following_guessed=bool(following) and all(link.is_guessed for link in following),
        ignored_next=report.ignored_next,
        more_sign=str(report.more_sign)[:MAX_SIGN] if report.more_sign else None,
        unkeyed=_find_unkeyed(report, url, name_record),
        has_nameless=_has_nameless(report, url),
        expected=report.expected_count,
        is_count_due=_states_count(collect, representation),
        unread=_find_unread(report),
        is_cut=report.is_cut,
        is_window=_is_window(collect, representation),
    )


def _find_unkeyed(
    report: PageReport, url: str, name_record: Callable[[str], str]
) -> tuple[tuple[str, str], ...]:
    """Without a key a record is named by its page, and what it says; on another page it is the same.

    One that says nothing is named by its place, and that tells nothing of other pages.
    """
    told = [(key, key.removeprefix(f"{url}#")) for key in dict.fromkeys(report.keys)]
    return tuple(
        (name_record(key), hashlib.sha256(said.encode(errors="replace")).hexdigest()[:16])
        for key, said in told
        if said != key and not _ROW.fullmatch(said)
    )


def _has_nameless(report: PageReport, url: str) -> bool:
    accepted = {candidate.key for candidate in report.candidates}
    return any(key.startswith(f"{url}#") and key not in accepted for key in report.keys)


def _states_count(collect: Collect, representation: Representation) -> bool:
    if representation.is_data:
        return collect.api is not None and collect.api.total is not None
    return collect.complete.expected_count is not None


def _find_unread(report: PageReport) -> RejectReason | None:
    of_page = (rejection.reason for rejection in report.rejections if rejection.candidate is None)
    has_items = any(link.page_kind is PageKind.DETAIL for link in report.links)
    is_blank = not report.keys and not has_items
    return next((reason for reason in of_page if is_blank or reason in UNREAD), None)


def _is_window(collect: Collect, representation: Representation) -> bool:
    is_whole_feed = collect.feed is not None and collect.feed.follow_next
    return representation is Representation.FEED and not is_whole_feed
