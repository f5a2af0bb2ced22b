"""Tell pages that ask for consent, money or another country from the page asked for.

A banner beside the content is no wall: the page must have little else to read.
"""

import re

from crawler.classification.page import FetchedPage
from crawler.classification.signature import (
    BodySign,
    Signs,
    TitleSign,
    find_sign,
    verdict_of,
)
from crawler.contracts.outcome import Kind, Reason, Verdict

SIGNS = Signs(
    titles=(
        TitleSign(
            "before-you-continue", "google", Kind.CONSENT, re.compile(r"before you continue.*")
        ),
        TitleSign(
            "not-in-region",
            "generic",
            Kind.GEO,
            re.compile(r".*\b(not|un)\s?available in your (country|region|location|area)\b.*"),
        ),
        TitleSign(
            "subscribe-to-read",
            "generic",
            Kind.PAYWALL,
            re.compile(r"subscribe to (read|continue)\b.*"),
        ),
    ),
    bodies=(
        BodySign("consent-form", "google", Kind.CONSENT, (b'action="https://consent.',)),
        BodySign("geo-country", "generic", Kind.GEO, (b"available in your country",)),
        BodySign("geo-region", "generic", Kind.GEO, (b"available in your region",)),
        BodySign("geo-location", "generic", Kind.GEO, (b"available in your location",)),
        BodySign("geo-gdpr", "generic", Kind.GEO, (b"european economic area", b"unavailable")),
    ),
)


def find_wall(page: FetchedPage) -> Verdict | None:
    if page.status == 451:  # RFC 7725
        return Verdict(Kind.GEO, Reason.AUTHORIZATION_REVIEW, ("status 451",))
    sign = find_sign(page, SIGNS)
    return None if sign is None else verdict_of(sign)
