"""Links beside a page that lead to other uses of it, not to another item."""

import re
from collections.abc import Sequence

from crawler.document.url_pattern import UrlParts

_WORDS = frozenset(
    [
        "share",
        "print",
        "printable",
        "email-friend",
        "send-to-friend",
        "login",
        "log-in",
        "signin",
        "sign-in",
        "signup",
        "sign-up",
        "register",
        "logout",
        "password",
        "subscribe",
        "unsubscribe",
        "cart",
        "basket",
        "checkout",
        "wishlist",
        "ticket",
        "tickets",
        "buy-tickets",
        "book-now",
        "rsvp",
        "calendar",
        "ical",
        "ics",
        "webcal",
        "outlook",
        "rss",
        "feed",
        "atom",
        "comment",
        "reply",
        "embed",
        "amp",
        "edit",
    ]
)
_FILES = re.compile(
    r"\.(?:ics|ical|vcs|vcf|rss|atom|xml|json|css|js|jpe?g|png|gif|webp|svg|ico|pdf|zip|mp[34])$",
    re.IGNORECASE,
)
_PARAMETERS = frozenset(
    [
        "share",
        "print",
        "ical",
        "outlook-ical",
        "outlook-live",
        "replytocom",
        "add-to-cart",
        "add_to_cart",
        "login",
        "redirect_to",
        "returnurl",
        "return_to",
        "format",
        "printable",
        "tickets",
    ]
)


def is_unwanted(url: UrlParts, patterns: Sequence[str]) -> bool:
    """Tell whether a link is a way to share, print, book or log in, or no page at all.

    A word that the site's patterns spell out themselves is wanted.
    """
    spelled = "\n".join(patterns).lower()
    words = (segment.lower() for segment in url.segments)
    names = (name.lower() for name, _ in url.parameters)
    found = [
        *(word for word in words if word in _WORDS),
        *(name for name in names if name in _PARAMETERS),
        *(match[0].lower() for match in map(_FILES.search, url.segments[-1:]) if match),
    ]
    return any(word not in spelled for word in found)
