"""What an authorisation is worth on a given day."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from crawler.contracts.site.config import SiteConfig


class AuthorizationState(StrEnum):
    VALID = "valid"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class AuthorizationReport:
    state: AuthorizationState
    days_left: int
    """Whole days after *today* on which requests may still be sent; negative once expired."""


def authorization_state(config: SiteConfig, today: date) -> AuthorizationReport:
    """Return whether requests may be sent on *today* (UTC), the day of expiry included."""
    days_left = (config.authorization.expires - today).days
    state = AuthorizationState.VALID if days_left >= 0 else AuthorizationState.EXPIRED
    return AuthorizationReport(state, days_left)
