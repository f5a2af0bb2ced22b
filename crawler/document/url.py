"""References in a page, as the absolute addresses that browsers would take them for."""

import re
from urllib.parse import urljoin, urlsplit

ROBOTS_PATH = "/robots.txt"
"""Where a site says what may be asked for (RFC 9309, 2.3)."""
_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_TAB_AND_NEWLINE = {ord(character): None for character in "\t\n\r"}
_UNUSABLE = re.compile("[\x00-\x1f\x7f\ufffd]")


def resolve_url(base: str, reference: str) -> str | None:
    """Return *reference* as an absolute http(s) URL, fragment kept; None when it is none.

    Trimmed and cleaned of tabs and line breaks as browsers do (URL Standard, 4.4). A reference
    with another control character or U+FFFD was damaged on its way here and names nothing.
    """
    trimmed = reference.strip(_C0_AND_SPACE).translate(_TAB_AND_NEWLINE)
    if not trimmed or _UNUSABLE.search(trimmed):
        return None
    try:
        url = urljoin(base, trimmed)
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return None
    return url.replace(" ", "%20") if is_web else None
