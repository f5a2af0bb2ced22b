"""Whether a site may be read today at all."""

from datetime import date

from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.site.config import Authorization


def decide_authorization(authorization: Authorization | None, *, today: date) -> Outcome | None:
    """Return the refusal, or None while the authorisation holds: through its last day, in UTC."""
    if authorization is None:
        return Outcome(Reason.REFUSED_AUTHORIZATION, detail="no authorisation is recorded")
    if today > authorization.expires:
        detail = f"the authorisation expired on {authorization.expires.isoformat()}"
        return Outcome(Reason.REFUSED_AUTHORIZATION, detail=detail)
    return None
