"""A named session: what a browser keeps of a person who has signed in to one site.

It comes from a file outside of the repository and stays in memory. What is recorded anywhere is its
name, and a fingerprint by which the same file is known again.
"""

from dataclasses import dataclass, field
from typing import Literal

SameSite = Literal["Strict", "Lax", "None"]
"""As browsers and Playwright spell it."""


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """A cookie as RFC 6265, 5.3 stores it."""

    name: str
    value: str = field(repr=False)
    host: str
    """Lower-case, without a leading dot."""
    is_host_only: bool
    """False: for names below ``host``, too."""
    path: str
    expires: float | None
    """Epoch seconds; None for as long as the browser runs."""
    is_secure: bool
    is_http_only: bool = False
    same_site: SameSite = "Lax"


@dataclass(frozen=True, slots=True)
class OriginStorage:
    """The local storage of one origin, ``scheme://host:port``."""

    origin: str
    items: tuple[tuple[str, str], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SessionUse:
    """Which session a run works with; no part of its secrets."""

    name: str
    fingerprint: str
    """SHA-256 of what the file holds: another one is another session."""


@dataclass(frozen=True, slots=True)
class Session:
    """Of one site. Every cookie and every origin is one that the site may see."""

    use: SessionUse
    path: str
    """The file it was read from: where a person puts the next one."""
    cookies: tuple[SessionCookie, ...] = field(repr=False)
    storage: tuple[OriginStorage, ...] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        return self.use.name
