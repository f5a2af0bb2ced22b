"""Whether what a site lists was collected whole."""

from dataclasses import dataclass

import sqlalchemy as sa

from crawler.contracts.collection import Collection, is_complete
from crawler.ledger.tables import cycles
from crawler.ledger.text import COLLECTIONS


@dataclass(frozen=True, slots=True)
class JudgedCycle:
    """The verdicts on one closed cycle, one for each start address."""

    cycle: int
    """Primary key."""
    number: int
    collections: tuple[Collection, ...]

    @property
    def is_complete(self) -> bool:
        return is_complete(self.collections)


def find_judged_cycle(conn: sa.Connection, site: str) -> JudgedCycle | None:
    """Return the verdicts on the site's latest cycle; None while it is open."""
    query = sa.select(cycles).where(cycles.c.site == site).order_by(cycles.c.number.desc())
    cycle = conn.execute(query.limit(1)).one_or_none()
    if cycle is None or cycle.collections is None:
        return None
    return JudgedCycle(cycle.id, cycle.number, COLLECTIONS.load(cycle.collections))
