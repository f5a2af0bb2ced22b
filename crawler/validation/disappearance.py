"""Whether a record that a cycle did not see has vanished from its site, or was only not read."""

from dataclasses import dataclass

from crawler.contracts.outcome import Reason

ABSENT_ENDS = frozenset({Reason.ELIGIBLE.value, Reason.GONE.value, Reason.SOFT_404.value})


@dataclass(frozen=True, slots=True)
class FormerPage:
    """What a whole cycle made of the page that a record was last read from."""

    was_listing: bool
    """The record stood on a listing itself, and may have moved to another of its pages."""
    is_listed: bool
    """The record was among those of a listing, and was rejected."""
    end: str | None = None
    """Of the page, redirects to others followed; None when nothing led to it any more."""
    has_rejections: bool = False


def has_vanished(page: FormerPage) -> bool:
    """Tell it of a record that the cycle has not, where all of its collections are complete.

    A page that failed, or whose records were rejected, says nothing of what is on it.
    """
    if page.is_listed:
        return False
    if page.was_listing or page.end is None:
        return True
    return page.end in ABSENT_ENDS and not page.has_rejections
