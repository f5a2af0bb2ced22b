"""The session of a run: found before anything is sent, refused for good once the site refuses it."""

import time

from scrapy.settings import BaseSettings

from crawler.contracts.errors import SessionUnusable
from crawler.contracts.session import Session
from crawler.contracts.site.config import SiteConfig
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
        f"{site}: the session {session.name!r} has expired: sign in again, save the storage state to "
        f"{session.path} and crawl again; until then nothing is sent, and the cycle waits"
    )
