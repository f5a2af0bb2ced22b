"""Everything that is read from the ledger without writing to it.

Each function takes a connection of ``reading`` and returns frozen values or plain dicts; nothing
here needs the writer, and a crawl may go on meanwhile.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from crawler.ledger.database import DEFAULT_WAIT, open_for_reading
from crawler.ledger.failures import storage_failed


@contextmanager
def reading(url: str, *, wait: float = DEFAULT_WAIT) -> Iterator[sa.Connection]:
    """Yield a connection that sees the ledger as it is now, throughout.

    Raises CrawlerError when there is no ledger, LedgerVersionError, StorageFailed.
    """
    engine = open_for_reading(url, wait=wait)
    try:
        with engine.connect() as conn:
            yield conn
    except sa.exc.DBAPIError as error:
        raise storage_failed(error) from error
    finally:
        engine.dispose()
