"""Tell a challenge, a captcha or a block page from the page that was asked for.

Recognising one ends the attempt; nothing here tries to pass it.
"""

from crawler.classification import (
    abroad_sign,
    plugin_sign,
    refusal_sign,
    regional_sign,
    traffic_sign,
    vendor_sign,
    widget_sign,
)
from crawler.classification.page import FetchedPage
from crawler.classification.signature import find_verdict
from crawler.contracts.outcome import Verdict

SIGNS = (
    *vendor_sign.SIGNS,
    *regional_sign.SIGNS,
    *plugin_sign.SIGNS,
    *widget_sign.SIGNS,
    *refusal_sign.SIGNS,
    *traffic_sign.SIGNS,
    *abroad_sign.SIGNS,
)
"""Makers before wordings: theirs are surer, and name the vendor."""


def find_challenge(page: FetchedPage) -> Verdict | None:
    """Return what was served in place of *page*, or None for a page that is no challenge."""
    return find_verdict(page, SIGNS)
