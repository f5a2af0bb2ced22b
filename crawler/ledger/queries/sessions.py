"""Named sessions that a site has refused."""

import sqlalchemy as sa

from crawler.contracts.session import SessionUse
from crawler.ledger.tables import expired_sessions


def list_expired(conn: sa.Connection) -> dict[tuple[str, SessionUse], float]:
    """Return when each was refused, by site and session."""
    query = sa.select(
        expired_sessions.c.site,
        expired_sessions.c.name,
        expired_sessions.c.fingerprint,
        expired_sessions.c.expired_at,
    )
    return {
        (site, SessionUse(name, fingerprint)): at
        for site, name, fingerprint, at in conn.execute(query)
    }
