"""Records of one page that claim the same key."""

from collections.abc import Iterable

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, Rejection


def find_duplicate(candidates: Iterable[Candidate]) -> Rejection | None:
    """Return the rejection of a page on which a key stands twice: neither can be trusted."""
    seen: set[str] = set()
    for candidate in candidates:
        if candidate.key in seen:
            return Rejection(RejectReason.DUPLICATE_ID, f"key {candidate.key!r} stands twice")
        seen.add(candidate.key)
    return None
