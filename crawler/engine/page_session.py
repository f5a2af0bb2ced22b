"""A session as Playwright spells it: what a page's context is given, and what it became there."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from crawler.admission.url import parse_url
from crawler.contracts.rendering import Document
from crawler.contracts.session import OriginStorage, Session, SessionCookie

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, StorageState

LATEST = 253_402_300_799.0
"""The end of the year 9999, after which no cookie may end (Playwright)."""
LARGEST_ITEM = 2**20
SECOND = 1.0
"""Browsers round the end of a cookie, and let none last longer than they like."""


def list_cookies(document: Document) -> list[Any]:
    """Return what Playwright's ``add_cookies`` takes."""
    if document.session is None:
        return [
            {"name": name, "value": value, "url": document.url} for name, value in document.cookies
        ]
    return [_spell(cookie) for cookie in document.session.cookies]


def _spell(cookie: SessionCookie) -> dict[str, Any]:
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.host if cookie.is_host_only else f".{cookie.host}",
        "path": cookie.path,
        "expires": -1 if cookie.expires is None else min(cookie.expires, LATEST),
        "httpOnly": cookie.is_http_only,
        "secure": cookie.is_secure,
        "sameSite": cookie.same_site,
    }


def storage_state(session: Session | None) -> "StorageState | None":
    """Return what Playwright's ``new_context`` takes for the local storage of a session."""
    if session is None or not session.storage:
        return None
    return {
        "origins": [
            {
                "origin": each.origin,
                "localStorage": [{"name": name, "value": value} for name, value in each.items],
            }
            for each in session.storage
        ]
    }


async def read_changes(context: "BrowserContext", session: Session) -> Session | None:
    """Return what of *session* a page was given another value of; None for nothing."""
    if session.storage:  # Read in pages of their own, one for each origin.
        return find_changes(session, await context.storage_state())
    return find_changes(session, {"cookies": await context.cookies()})


def find_changes(session: Session, state: Mapping[str, Any]) -> Session | None:
    """*state* is a storage state, or a part of one."""
    values = {
        (origin["origin"], item["name"]): item["value"]
        for origin in state.get("origins", [])
        for item in origin["localStorage"]
    }
    storage = tuple(
        OriginStorage(each.origin, items)
        for each in session.storage
        if (items := _changed_items(each, values))
    )
    cookies = tuple(
        replace(cookie, value=found["value"], expires=_end_of(found))
        for cookie in session.cookies
        for found in state.get("cookies", [])
        if _is_other(cookie, found)
    )
    return replace(session, cookies=cookies, storage=storage) if cookies or storage else None


def _changed_items(
    storage: OriginStorage, values: Mapping[tuple[str, str], str]
) -> tuple[tuple[str, str], ...]:
    origin = _spell_origin(storage.origin)
    return tuple(
        (name, new)
        for name, old in storage.items
        if (new := values.get((origin, name), old)) != old and len(new) <= LARGEST_ITEM
    )


def _spell_origin(origin: str) -> str:
    """Return it as browsers do: without the port that goes without saying."""
    parsed = parse_url(origin)
    return parsed.text.removesuffix("/") if parsed else origin


def _is_other(cookie: SessionCookie, found: Any) -> bool:
    is_same = (found["name"], found["domain"].removeprefix("."), found["path"]) == (
        cookie.name,
        cookie.host,
        cookie.path,
    )
    end, had = _end_of(found) or 0.0, cookie.expires or 0.0
    return is_same and (found["value"] != cookie.value or end - had >= SECOND)


def _end_of(found: Any) -> float | None:
    return None if found["expires"] == -1 else found["expires"]
