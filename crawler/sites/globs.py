"""Whether the URL patterns of a site file can be read."""

from crawler.document.url_pattern import BadPatternError, read_pattern
from crawler.sites.quoting import shorten

GLOB_WORDS = "a URL pattern such as /events/<int>/* or https://www.example.org/events/**"


def find_glob_fault(text: str) -> str | None:
    """Return what keeps *text* from being compared with URLs."""
    if not text.startswith(("/", "http://", "https://")):
        return f"expected {GLOB_WORDS}, found {shorten(text)}"
    try:
        read_pattern(text)
    except BadPatternError as error:
        return f"expected {GLOB_WORDS}, found {shorten(text)} ({error})"
    return None
