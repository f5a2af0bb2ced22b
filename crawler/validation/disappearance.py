"""Whether a record that a cycle did not see has vanished from its site, or was only not read."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from crawler.contracts.collection import Collection
from crawler.contracts.outcome import Reason

ABSENT_ENDS = frozenset({Reason.ELIGIBLE.value, Reason.GONE.value, Reason.SOFT_404.value})


@dataclass(frozen=True, slots=True)
class FormerPage:
    """What a whole cycle made of the page that a record was last read from."""

    was_listing: bool
    """The record stood on a listing itself, and may have moved to another of its pages."""
    is_listed: bool
    """The record was among those of a listing, and was rejected."""
    has_nameless: bool = False
    """A listing holds rejected records without a key, and this may be one of them."""
    end: str | None = None
    """Of the page, redirects to others followed; None when nothing led to it any more."""
    has_rejections: bool = False
    was_alone: bool = False
    """The page gave no other record."""


class Proof(Enum):
    """What a cycle proves of records that it has not."""

    NOTHING = auto()
    OF_PAGES = auto()
    """What is gone is gone: whole but for start addresses that are gone themselves."""
    OF_COLLECTIONS = auto()
    """All of its collections are complete: what they have not is not there."""


def prove_absence(collections: Sequence[Collection], gone: Container[int]) -> Proof:
    """*gone* are the rows of start addresses that are."""
    if not collections or any(collection.is_window for collection in collections):
        return Proof.NOTHING
    gaps = [collection for collection in collections if not collection.is_complete]
    if not gaps:
        return Proof.OF_COLLECTIONS
    return Proof.OF_PAGES if all(each.row in gone for each in gaps) else Proof.NOTHING


def has_vanished(page: FormerPage, proof: Proof) -> bool:
    """Tell it of a record that the cycle has not.

    A page that failed, or whose records were rejected, says nothing of what is on it. A listing that
    is gone may have moved, and its items with it; a page of one record went with the record.
    """
    may_be_listed = page.is_listed or (page.was_listing and page.has_nameless)
    if may_be_listed or proof is Proof.NOTHING:
        return False
    if proof is Proof.OF_PAGES:
        return page.end == Reason.GONE and (page.was_alone or not page.was_listing)
    if page.was_listing or page.end is None:
        return True
    return page.end in ABSENT_ENDS and not page.has_rejections
