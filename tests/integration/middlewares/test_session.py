import asyncio
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from crawler.admission.refusal import TransferAborted
from crawler.contracts.meta import ROW
from crawler.contracts.session import Session, SessionUse
from crawler.middlewares.session import SessionMiddleware
from tests.unit.rows import make_leased_row

URL = "https://garden.example/"
SESSION = Session(SessionUse("members", "f"), "/none", ())


async def refuse() -> None:
    raise TransferAborted


def make_middleware(session: Session | None) -> SessionMiddleware:
    crawler = get_crawler()
    run = SimpleNamespace(session=session, keep_session=refuse)
    crawler.spider = SimpleNamespace(run=run)  # type: ignore[assignment]
    return SessionMiddleware.from_crawler(crawler)


def test_nothing_is_sent_with_a_session_that_is_not_this_workers() -> None:
    middleware = make_middleware(SESSION)

    with pytest.raises(TransferAborted):
        asyncio.run(middleware.process_request(Request(URL, meta={ROW: make_leased_row(URL)})))


def test_what_is_asked_for_without_the_session_needs_none() -> None:
    asyncio.run(make_middleware(SESSION).process_request(Request(f"{URL}robots.txt")))


def test_a_site_without_a_session_has_no_use_for_it() -> None:
    with pytest.raises(NotConfigured):
        make_middleware(None)
