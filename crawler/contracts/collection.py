"""A collection: what a start address and the listings behind it lead to, and whether it is all."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from crawler.contracts.outcome import RejectReason


class Gap(StrEnum):
    """Why a collection is not known to be whole."""

    PAGE_FAILED = "page_failed"
    """A listing page ended without content."""
    PAGE_NOT_ADMITTED = "page_not_admitted"
    """A further listing page lies beyond what the site file lets in."""
    NEXT_IGNORED = "next_ignored"
    """A page names the next one, and by the site file nothing leads there."""
    MORE_SHOWN = "more_shown"
    """A page shows a reader that there are further ones, and by the site file nothing leads on."""
    PAGE_UNREAD = "page_unread"
    """A listing page came, and what it lists cannot be told."""
    PAGE_CUT = "page_cut"
    """A listing page lists more than is read from one page."""
    ITEMS_OPEN = "items_open"
    """Items reached no end: never admitted, or the cycle was closed before."""
    COUNT_MISSING = "count_missing"
    """No page states the count that the site file says is there."""
    COUNTS_DISAGREE = "counts_disagree"
    COUNT_DIFFERS = "count_differs"


@dataclass(frozen=True, slots=True)
class ListedPage:
    """What one eligible page of a listing says of its collection.

    Pages and records are named by the first 16 digits of their fingerprint or record id.
    """

    details: tuple[str, ...] = ()
    """Pages of its items."""
    records: tuple[str, ...] = ()
    """Records that it holds itself, rejected ones too."""
    following: tuple[str, ...] = ()
    """Listing pages it leads to."""
    is_following_guessed: bool = False
    """Those were worked out, not linked: behind the last page there is none."""
    ignored_next: str | None = None
    """What the page calls the next one, where the site file leads to none."""
    more_sign: str | None = None
    """What else shows that there are further pages, likewise."""
    unkeyed: tuple[tuple[str, str], ...] = ()
    """Those of its records that no field identifies, each with a digest of what tells it apart."""
    has_nameless: bool = False
    """It holds rejected records without a key: which ones they are, it does not say."""
    expected: int | None = None
    is_count_due: bool = False
    """The site file says where the count is stated."""
    unread: RejectReason | None = None
    is_cut: bool = False
    """It lists more than is read from one page."""
    is_window: bool = False
    """It shows the newest items only, as feeds do: what it no longer lists may still be there."""


@dataclass(frozen=True, slots=True)
class Collection:
    """What became of one collection in one cycle."""

    row: int
    """Of its start address in the frontier."""
    url: str
    """Its start address."""
    pages: int
    """Listing pages that were read."""
    items: int
    """Different ones; accepted and failed together."""
    accepted: int
    expected: int | None
    """As the pages say; None where none does, or where they disagree."""
    failed: dict[str, int] = field(default_factory=dict)
    """Items that gave no record, by the end of their page or the reason of their rejection."""
    duplicates: int = 0
    """Listed pages whose record another page has: no items of their own."""
    gaps: dict[Gap, str] = field(default_factory=dict)
    """With a line for a person each."""
    is_window: bool = False

    @property
    def is_complete(self) -> bool:
        return not self.gaps

    def as_json(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "complete": self.is_complete,
            "pages": self.pages,
            "items": self.items,
            "expected": self.expected,
            "accepted": self.accepted,
            "failed": self.failed,
            "duplicates": self.duplicates,
            "gaps": {gap.value: detail for gap, detail in self.gaps.items()},
        }


def is_complete(collections: Sequence[Collection]) -> bool:
    """Tell it of all collections of a cycle; one without any has shown nothing."""
    return bool(collections) and all(collection.is_complete for collection in collections)
