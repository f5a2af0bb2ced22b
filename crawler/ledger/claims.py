"""Which row's record stands when several rows of a cycle have one with the same key.

The lowest row id wins, whichever is committed first, so that the records of a cycle are a
function of its rows. Pure.
"""

from dataclasses import dataclass
from enum import Enum, auto


@dataclass(frozen=True, slots=True)
class Held:
    """What the ledger holds of a record."""

    current: int | None
    """Version an agent may use now; None when it was withdrawn."""
    last: int
    """Highest version ever given out."""
    content_hash: str | None
    """Of the current version."""
    claim_cycle: int | None = None
    claim_row: int | None = None
    """The row whose record this is, in the cycle that last had it."""


class Ruling(Enum):
    PUBLISH = auto()
    """A new version."""
    UNCHANGED = auto()
    """The current version, seen once more."""
    DUPLICATE = auto()
    """Another row's record already."""
    TAKE_OVER = auto()
    """Another row has it and must give it up."""
    OUTDATED = auto()
    """A later cycle has the record: what an earlier one says changes nothing."""


NOTHING_HELD = Held(current=None, last=0, content_hash=None)


def rule_on(held: Held, *, cycle: int, row: int, content_hash: str) -> Ruling:
    if held.claim_cycle is not None and held.claim_row is not None:
        if held.claim_cycle > cycle:
            return Ruling.OUTDATED
        if held.claim_cycle == cycle:
            return Ruling.DUPLICATE if held.claim_row <= row else Ruling.TAKE_OVER
    if held.current is not None and held.content_hash == content_hash:
        return Ruling.UNCHANGED
    return Ruling.PUBLISH
