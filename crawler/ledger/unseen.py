"""The records of a site that a cycle has not, each with what became in it of its former page."""

import sqlalchemy as sa

from crawler.ledger.tables import (
    aliases,
    cycles,
    disappearances,
    observations,
    records,
    rejections,
    requests,
)

CYCLE: sa.BindParameter[int] = sa.bindparam("cycle", type_=sa.BigInteger)

_seen = observations.alias("seen")
"""Where a record was found last."""
_former = requests.alias("former")
"""The page that it was found on, in the cycle of then."""
_here = requests.alias("here")
"""The row of that page in this cycle."""
_target = requests.alias("target")
"""The row in which the page was read, where its own led to another's."""
_led = requests.alias("led")
"""The row that was redirected to the page, where it has none of its own."""

_SITE = sa.select(cycles.c.site).where(cycles.c.id == CYCLE).scalar_subquery()
_LAST_CYCLE = (
    sa.select(sa.func.max(observations.c.cycle))
    .where(observations.c.record == records.c.id)
    .scalar_subquery()
)
_IS_SEEN_NOW = sa.exists().where(
    observations.c.cycle == CYCLE, observations.c.record == records.c.id
)
_HAS_VANISHED_SINCE = sa.exists().where(
    disappearances.c.record == records.c.id, disappearances.c.cycle > _seen.c.cycle
)

_PAGE = sa.func.coalesce(_target.c.id, _here.c.id, _led.c.id)
_END = sa.func.coalesce(_target.c.reason, _here.c.reason, _led.c.reason)
_HAS_REJECTIONS = sa.exists().where(rejections.c.row_id == _PAGE)
_RECORDS_ON_FORMER = (
    sa.select(sa.func.count())
    .select_from(observations)
    .where(observations.c.row_id == _former.c.id)
    .scalar_subquery()
)


def _names_former(table: sa.FromClause) -> sa.ColumnElement[bool]:
    return (table.c.cycle == CYCLE) & (table.c.fingerprint == _former.c.fingerprint)


_FROM = (
    sa.join(records, _seen, (_seen.c.record == records.c.id) & (_seen.c.cycle == _LAST_CYCLE))
    .join(_former, _former.c.id == _seen.c.row_id)
    .outerjoin(_here, _names_former(_here))
    .outerjoin(_target, _target.c.id == _here.c.same_as)
    .outerjoin(aliases, _names_former(aliases))
    .outerjoin(_led, _led.c.id == aliases.c.row_id)
)

UNSEEN = (
    sa.select(
        records.c.id.label("record"),
        _seen.c.cycle.label("last_cycle"),
        _former.c.page_kind,
        _END.label("end"),
        _HAS_REJECTIONS.label("rejections"),
        _RECORDS_ON_FORMER.label("records"),
    )
    .select_from(_FROM)
    .where(
        records.c.site == _SITE,
        records.c.current_version.is_not(None),
        _seen.c.cycle < CYCLE,
        ~_IS_SEEN_NOW,
        ~_HAS_VANISHED_SINCE,
    )
    .order_by(records.c.id)
)
"""Takes ``cycle``. Leaves out what had vanished before."""
