"""The session of a run: found before anything is sent, refused for good once the site refuses it."""

import time
from typing import Any

from scrapy.settings import BaseSettings

from crawler.contracts.errors import SessionUnusable
from crawler.contracts.session import Session
from crawler.contracts.site import SiteConfig
from crawler.sites.session_file import load_session


def find_session(config: SiteConfig, settings: BaseSettings) -> Session | None:
    """Return the session that a site file names. Settings: SESSIONS_DIR, COOKIES_ENABLED.

    Raises SessionUnusable.
    """
    named = config.access.session
    if named is None:
        return None
    if not settings.getbool("COOKIES_ENABLED", default=True):
        raise SessionUnusable(f"{config.site}: access.session needs COOKIES_ENABLED")
    return load_session(config, named, settings.get("SESSIONS_DIR") or "", now=time.time())


def describe_expiry(site: str, session: Session) -> str:
    """Return what a person has to do before the next crawl."""
    return (
        f"{site}: the session {session.name!r} has expired; nobody signs in by itself: sign in "
        f"again, save the storage state to {session.path} and crawl again, the cycle goes on there"
    )


def storage_state(session: Session) -> dict[str, Any]:
    """Return what Playwright's ``new_context`` takes, in the form in which it was read."""
    return {
        "cookies": [
            {
                "name": cookie.name,
                "value": cookie.value,
                "domain": cookie.host if cookie.is_host_only else f".{cookie.host}",
                "path": cookie.path,
                "expires": -1 if cookie.expires is None else cookie.expires,
                "httpOnly": cookie.is_http_only,
                "secure": cookie.is_secure,
                "sameSite": cookie.same_site,
            }
            for cookie in session.cookies
        ],
        "origins": [
            {
                "origin": each.origin,
                "localStorage": [{"name": name, "value": value} for name, value in each.items],
            }
            for each in session.storage
        ],
    }
