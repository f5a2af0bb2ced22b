"""How long a run may use the session of its site, and how it ends when it may no longer."""

import logging
from typing import TYPE_CHECKING

from crawler.admission.refusal import TransferAborted
from crawler.contracts.errors import SessionBusy, StorageFailed
from crawler.contracts.frontier import RunEnd
from crawler.contracts.session import Session
from crawler.engine.session import describe_expiry
from crawler.engine.store import Store

if TYPE_CHECKING:
    from crawler.engine.run import Run

logger = logging.getLogger(__name__)


class SessionUse:
    def __init__(self, run: "Run", store: Store, session: Session | None) -> None:
        self._run = run
        self._store = store
        self._session = session
        self._is_over = False

    def end(self) -> None:
        """Send nothing more with it. What is in transfer comes back and is judged as ever."""
        if self._session is not None and not self._is_over:
            self._is_over = True
            logger.error("%s", describe_expiry(self._run.site.config.site, self._session))
            self._run.end(RunEnd.SESSION_EXPIRED)

    async def keep(self) -> None:
        """Raises TransferAborted where the session may not be used now."""
        if self._is_over:
            raise TransferAborted
        try:
            await self._store.keep_session()
        except StorageFailed as error:
            self._run.fail_storage(error)
            raise TransferAborted from error
        except SessionBusy as error:
            self._is_over = True
            logger.error("%s", error)
            self._run.end(RunEnd.SESSION_BUSY)
            self._run.closing.abort_transfers()
            raise TransferAborted from error
