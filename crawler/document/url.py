"""References in a page, as the absolute addresses that browsers would take them for."""

import re
from urllib.parse import urljoin, urlsplit

ROBOTS_PATH = "/robots.txt"
"""Where a site says what may be asked for (RFC 9309, 2.3)."""
_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_TAB_AND_NEWLINE = {ord(character): None for character in "\t\n\r"}
_UNUSABLE = re.compile("[\x00-\x1f\x7f\ufffd]")
_WITHOUT_HOST = re.compile(r"(?:https?:)?//(?:[/?#]|$)", re.IGNORECASE)


def resolve_url(base: str, reference: str) -> str | None:
    """Return *reference* as an absolute http(s) URL, fragment kept; None when it is none.

    Trimmed and cleaned of tabs and line breaks as browsers do (URL Standard, 4.4). A reference
    with another control character or U+FFFD was damaged on its way here and names nothing.
    """
    trimmed = reference.strip(_C0_AND_SPACE).translate(_TAB_AND_NEWLINE)
    if not trimmed or _UNUSABLE.search(trimmed):
        return None
    cleaned = _clean_slashes(trimmed)
    if cleaned is None:
        return None
    try:
        url = urljoin(base, cleaned)
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return None
    return url.replace(" ", "%20") if is_web else None


def _clean_slashes(reference: str) -> str | None:
    """Return a reference with slashes for backslashes (URL Standard, 4.4); None without a host."""
    if "\\" in reference:
        path = re.match(r"[^?#]*", reference)
        assert path is not None
        reference = path[0].replace("\\", "/") + reference[path.end() :]
    return None if _WITHOUT_HOST.match(reference) else reference
