"""Whether a listing, over all of its pages, led to all that it says it has.

A function of how the pages of one cycle ended, so that a crawl that was interrupted, and a replay,
come to the same verdict as any other.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from crawler.contracts.bound import Bound
from crawler.contracts.collection import Collection, Gap, ListedPage
from crawler.contracts.outcome import Reason, RejectReason

ACCEPTED = "accepted"
REJECTED = "rejected"
NOT_ADMITTED = "not_admitted"
DUPLICATE = RejectReason.DUPLICATE_ID.value
OPEN_ENDS = frozenset({NOT_ADMITTED, Reason.DEFERRAL_EXPIRED.value, Reason.CANCELLED.value})
"""Ends of items that nobody got to."""
NO_SUCH_PAGE = frozenset({Reason.GONE.value, Reason.SOFT_404.value})


@dataclass(frozen=True, slots=True)
class ListingRow:
    """A listing page of the cycle, as it ended."""

    row: int
    url: str
    reason: str
    is_start: bool = False
    page: ListedPage | None = None
    """None unless it is eligible."""
    bounds: tuple[str, ...] = ()
    """What left out links of it."""
    same_as: int | None = None
    """The row that has the page it redirects to."""


@dataclass(frozen=True, slots=True)
class CycleEnds:
    """How everything in a closed cycle ended. Names are those of ``ListedPage``."""

    listings: Sequence[ListingRow]
    """In row order."""
    listing_named: Mapping[str, int] = field(default_factory=dict)
    """Row by name, for listings and what redirects to them."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """Name of a detail page by another one that leads there."""
    pages: Iterable[tuple[str, str]] = ()
    """Each detail page with its end: ``accepted``, or why it gave no record."""
    accepted: Iterable[str] = ()
    """Names of the records that the cycle accepted, or found unchanged."""


@dataclass(slots=True)
class _Missing:
    """Listing pages that were not read."""

    failed: list[ListingRow] = field(default_factory=list)
    beyond: int = 0
    """Left out by a bound."""

    def __add__(self, other: "_Missing") -> "_Missing":
        return _Missing(self.failed + other.failed, self.beyond + other.beyond)


@dataclass(slots=True)
class _Walk:
    """What is found on the way through the pages of one listing."""

    start: ListingRow
    pages: list[ListedPage] = field(default_factory=list)
    linked: _Missing = field(default_factory=_Missing)
    guessed: _Missing = field(default_factory=_Missing)
    bounds: set[str] = field(default_factory=set)
    ends: Counter[str] = field(default_factory=Counter)


def judge_collections(ends: CycleEnds) -> tuple[Collection, ...]:
    """Return the verdict on the collection of each start address, in row order."""
    by_row = {listing.row: listing for listing in ends.listings}
    starts = (listing for listing in ends.listings if listing.is_start)
    walks = [_walk(start, by_row, ends.listing_named) for start in starts]
    details = _find_owners([[page.details for page in walk.pages] for walk in walks])
    _follow_moves(details, ends.moved)
    _tally(walks, details, ends.pages, otherwise=NOT_ADMITTED)
    records = _find_owners([[page.records for page in walk.pages] for walk in walks])
    _follow_moves(records, _find_twins(page for walk in walks for page in walk.pages))
    accepted = ((name, ACCEPTED) for name in ends.accepted)
    _tally(walks, records, accepted, otherwise=REJECTED)
    return tuple(map(_judge, walks))


def _walk(
    start: ListingRow, by_row: Mapping[int, ListingRow], listing_named: Mapping[str, int]
) -> _Walk:
    walk = _Walk(start)
    seen: set[int] = set()
    waiting = deque([(start.row, False)])
    while waiting:
        row, is_guessed = waiting.popleft()
        listing = _resolve(by_row[row], by_row)
        if listing.row in seen:
            continue
        seen.add(listing.row)
        if listing.page is None:
            (walk.guessed if is_guessed else walk.linked).failed.append(listing)
            continue
        walk.pages.append(listing.page)
        walk.bounds.update(listing.bounds)
        is_guessed = listing.page.is_following_guessed
        following = listing.page.following
        admitted = [listing_named[name] for name in following if name in listing_named]
        waiting += [(row, is_guessed) for row in admitted]
        # Behind a page that shows the same as the one before it comes nothing.
        if Bound.REPEATED_LISTING not in listing.bounds:
            missing = walk.guessed if is_guessed else walk.linked
            missing.beyond += len(following) - len(admitted)
    return walk


def _resolve(listing: ListingRow, by_row: Mapping[int, ListingRow]) -> ListingRow:
    passed: set[int] = set()
    following: ListingRow | None = listing
    while following is not None and following.row not in passed:
        listing = following
        passed.add(listing.row)
        following = by_row.get(listing.same_as) if listing.same_as is not None else None
    return listing


_Owners = dict[str, tuple[int, ...]]
"""The walks that came upon an item, by its name."""


def _find_owners(listed: Sequence[Sequence[Iterable[str]]]) -> _Owners:
    owners: _Owners = {}
    for walk, pages in enumerate(listed):
        alone = (walk,)
        for name in (name for page in pages for name in page):
            known = owners.setdefault(name, alone)
            if known[-1] != walk:
                owners[name] = (*known, walk)
    return owners


def _find_twins(pages: Iterable[ListedPage]) -> dict[str, str]:
    """Return the first record that says the same, by those without a key that follow it."""
    first: dict[str, str] = {}
    twins = ((name, first.setdefault(said, name)) for page in pages for name, said in page.unkeyed)
    return {name: other for name, other in twins if name != other}


def _follow_moves(owners: _Owners, moved: Mapping[str, str]) -> None:
    """Make one item of two that lead to one page."""
    for name in moved.keys() & owners.keys():
        target = _find_last(name, moved)
        if target != name:
            owners[target] = tuple(sorted({*owners.pop(name), *owners.get(target, ())}))


def _find_last(name: str, moved: Mapping[str, str]) -> str:
    passed = {name}
    while moved.get(name, name) not in passed:
        name = moved[name]
        passed.add(name)
    return name


def _tally(
    walks: Sequence[_Walk], owners: _Owners, ends: Iterable[tuple[str, str]], *, otherwise: str
) -> None:
    """Count how the items of each walk ended; those of no known end as *otherwise*."""
    for name, end in ends:
        for walk in owners.pop(name, ()):
            walks[walk].ends[end] += 1
    for walk in (walk for walks_of_item in owners.values() for walk in walks_of_item):
        walks[walk].ends[otherwise] += 1


def _judge(walk: _Walk) -> Collection:
    stated = {page.expected for page in walk.pages if page.expected is not None}
    failed = dict(sorted(walk.ends.items()))
    accepted = failed.pop(ACCEPTED, 0)
    duplicates = failed.pop(DUPLICATE, 0)
    items = accepted + sum(failed.values())
    return Collection(
        row=walk.start.row,
        url=walk.start.url,
        pages=len(walk.pages),
        items=items,
        accepted=accepted,
        expected=next(iter(stated)) if len(stated) == 1 else None,
        failed=failed,
        duplicates=duplicates,
        gaps={
            **_find_missing_pages(walk, has_all=stated == {items}),
            **_find_page_gaps(walk, has_all=stated == {items}),
            **_find_item_gaps(walk),
            **_find_count_gap(walk, stated, items),
        },
        is_window=any(page.is_window for page in walk.pages),
    )


def _find_missing_pages(walk: _Walk, *, has_all: bool) -> dict[Gap, str]:
    """A page that was guessed is the end where it does not exist, or nothing can be on it."""
    gaps: dict[Gap, str] = {}
    doubtful = [page for page in walk.guessed.failed if page.reason not in NO_SUCH_PAGE]
    missing = walk.linked if has_all else walk.linked + _Missing(doubtful, walk.guessed.beyond)
    if missing.failed:
        first = missing.failed[0]
        others = _and_others(len(missing.failed) - 1)
        gaps[Gap.PAGE_FAILED] = f"{first.url} ended as {first.reason}{others}"
    if missing.beyond:
        gaps[Gap.PAGE_NOT_ADMITTED] = (
            f"further pages left out: {missing.beyond} by {_name_bounds(walk)}"
        )
    return gaps


def _find_page_gaps(walk: _Walk, *, has_all: bool) -> dict[Gap, str]:
    gaps: dict[Gap, str] = {}
    ignored = [page.ignored_next for page in walk.pages if page.ignored_next]
    if ignored:
        gaps[Gap.NEXT_IGNORED] = f"a page names a next one that nothing leads to: {ignored[0]}"
    shown = [page.more_sign for page in walk.pages if page.more_sign]
    if shown and not has_all:
        gaps[Gap.MORE_SHOWN] = f"a page shows that there is more, and nothing leads on: {shown[0]}"
    unread = [page.unread for page in walk.pages if page.unread]
    if unread:
        gaps[Gap.PAGE_UNREAD] = f"a page was rejected: {unread[0]}{_and_others(len(unread) - 1)}"
    if any(page.is_cut for page in walk.pages):
        gaps[Gap.PAGE_CUT] = "a page lists more than is read from one page"
    return gaps


def _name_bounds(walk: _Walk) -> str:
    return ", ".join(sorted(walk.bounds)) or "a bound"


def _find_item_gaps(walk: _Walk) -> dict[Gap, str]:
    unreached = {end: walk.ends[end] for end in sorted(OPEN_ENDS) if walk.ends[end]}
    told = ", ".join(f"{count} {end}" for end, count in unreached.items())
    return {Gap.ITEMS_OPEN: f"items that nobody got to: {told}"} if unreached else {}


def _find_count_gap(walk: _Walk, stated: set[int], items: int) -> dict[Gap, str]:
    if len(stated) > 1:
        told = ", ".join(map(str, sorted(stated)))
        return {Gap.COUNTS_DISAGREE: f"the pages state {told} items"}
    if stated:
        [expected] = stated
        return (
            {}
            if expected == items
            else {Gap.COUNT_DIFFERS: f"{items} items, the page states {expected}"}
        )
    is_due = items > 0 and any(page.is_count_due for page in walk.pages)
    return {Gap.COUNT_MISSING: "no page states how many items there are"} if is_due else {}


def _and_others(count: int) -> str:
    return f", and {count} more" if count else ""
