"""What a cycle still has room for: which of the rows offered to it are admitted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crawler.contracts.bound import Bound, LeftOut, Limits, Trail
from crawler.contracts.frontier import NewRow
from crawler.contracts.snapshot import PageKind


@dataclass(frozen=True, slots=True)
class Admitted:
    """What became of the rows that one page offered."""

    rows: tuple[NewRow, ...]
    duplicates: int
    left_out: LeftOut


class Room:
    """Holds what is in a cycle, and grows with what is admitted; *known* are fingerprints."""

    def __init__(
        self,
        limits: Limits,
        known: set[str],
        *,
        pages: int = 0,
        listings: int = 0,
        shapes: Mapping[str, int] | None = None,
    ) -> None:
        self._limits = limits
        self._known = known
        self._pages = pages
        self._listings = listings
        self._shapes = Counter(shapes)

    def admit(self, rows: Sequence[NewRow], trail: Trail | None = None) -> Admitted:
        """Take what is new and within all bounds; *trail* is that of the listing they stand on."""
        barren = self._count_barren(rows, trail)
        fresh: list[NewRow] = []
        left_out = Counter[Bound]()
        duplicates = 0
        for row in rows:
            if row.fingerprint in self._known:
                duplicates += 1
                continue
            bound = self._find_bound(row, barren)
            if bound is not None:
                left_out[bound] += 1
                continue
            self._take(row)
            fresh.append(_follow(row, trail, barren))
        return Admitted(tuple(fresh), duplicates, left_out)

    def _count_barren(self, rows: Sequence[NewRow], trail: Trail | None) -> int:
        """Return how many listings in a row, this one too, brought nothing new."""
        if trail is None or trail.has_records or any(map(self._is_new_item, rows)):
            return 0
        return trail.barren + 1

    def _is_new_item(self, row: NewRow) -> bool:
        is_item = row.page_kind is PageKind.DETAIL and row.refused is None
        return is_item and row.fingerprint not in self._known

    def _find_bound(self, row: NewRow, barren: int) -> Bound | None:
        is_listing = row.page_kind is PageKind.LISTING
        used = (
            (Bound.MAX_BARREN, barren if is_listing else 0, self._limits.barren),
            (Bound.MAX_PAGES, self._pages, self._limits.pages),
            (Bound.MAX_LISTINGS, self._listings if is_listing else -1, self._limits.listings),
            (Bound.MAX_PER_SHAPE, self._shapes[row.shape or ""], self._limits.per_shape),
        )
        return next(
            (bound for bound, count, most in used if most is not None and count >= most), None
        )

    def _take(self, row: NewRow) -> None:
        self._known.add(row.fingerprint)
        self._pages += 1
        self._listings += row.page_kind is PageKind.LISTING
        if row.shape:
            self._shapes[row.shape] += 1


def _follow(row: NewRow, trail: Trail | None, barren: int) -> NewRow:
    """Return the row of a listing as one that another listing led to."""
    if trail is None or row.page_kind is not PageKind.LISTING:
        return row
    return replace(row, barren=barren, listed=trail.listed)
