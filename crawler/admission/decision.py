"""The decision that stands before every request, redirect hops and robots files included."""

import re
from dataclasses import dataclass
from datetime import date

from crawler.admission.address import host_refusal
from crawler.admission.authorization import decide_authorization
from crawler.admission.scope import is_in_scope, site_origins
from crawler.admission.url import DEFAULT_PORTS, MAX_LENGTH, ParsedUrl, parse_url
from crawler.contracts.outcome import Outcome, Reason
from crawler.contracts.site.config import Authorization, SiteConfig

ADDRESS_DETAIL = "the address of the host may not be contacted"
"""The same words for every host: what it resolves to is nobody's business."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}):")


@dataclass(frozen=True, slots=True)
class AdmissionPolicy:
    """What a site file says of where requests may go; built once for a run."""

    authorization: Authorization | None
    origins: frozenset[str]
    permits: frozenset[str] = frozenset()
    """host:port pairs that may be contacted although their address is private."""


def admission_policy(config: SiteConfig) -> AdmissionPolicy:
    return AdmissionPolicy(
        config.authorization, site_origins(config), frozenset(config.access.permit_private)
    )


def decide_admission(url: str, policy: AdmissionPolicy, *, today: date) -> Outcome | None:
    """Return the outcome of a URL that may not be asked for, or None when it is admitted."""
    parsed = parse_url(url)
    if parsed is None:
        return refuse_unreadable(url)
    return (
        decide_authorization(policy.authorization, today=today)
        or _decide_scope(parsed, policy)
        or _decide_address(parsed, policy)
    )


def refuse_unreadable(url: str) -> Outcome:
    """Return the outcome of a URL that ``parse_url`` does not read."""
    if len(url) > MAX_LENGTH:
        return Outcome(Reason.REFUSED_MALFORMED, detail=f"longer than {MAX_LENGTH} characters")
    scheme = _SCHEME.match(url)
    if scheme is not None and scheme[1].lower() not in DEFAULT_PORTS:
        return Outcome(Reason.REFUSED_SCOPE, detail=f"scheme {scheme[1].lower()}")
    return Outcome(Reason.REFUSED_MALFORMED, detail="not one host to every parser")


def _decide_scope(url: ParsedUrl, policy: AdmissionPolicy) -> Outcome | None:
    if is_in_scope(url, policy.origins):
        return None
    return Outcome(Reason.REFUSED_SCOPE, detail=f"{url.origin} is not listed for the site")


def _decide_address(url: ParsedUrl, policy: AdmissionPolicy) -> Outcome | None:
    if host_refusal(url.host, url.port, policy.permits) is None:
        return None
    return Outcome(Reason.REFUSED_ADDRESS, detail=ADDRESS_DETAIL)
