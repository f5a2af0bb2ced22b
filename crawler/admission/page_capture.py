"""Which of a rendered page's responses are kept: decided by address, and by what kind they are of."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urldefrag

from crawler.admission.scope import is_in_scope, site_origins
from crawler.admission.url import parse_url
from crawler.contracts.site.config import SiteConfig
from crawler.document.sniff import starts_as_json
from crawler.document.url_pattern import fits, split_url

DATA_KINDS = frozenset({"fetch", "xhr", "other"})
"""The browser's name of what scripts ask for as data; what a page loads ahead for them is other."""
WITHOUT_CONTENT = frozenset({"HEAD", "OPTIONS"})
EMPTY_STATUSES = frozenset({204, 205})
MAX_BYTES = 4 * 2**20
"""Of one response; the browser itself holds on to ten megabytes of one at most."""


@dataclass(frozen=True, slots=True)
class CapturePolicy:
    """What a site file wants kept."""

    patterns: tuple[str, ...] = ()
    origins: frozenset[str] = frozenset()
    """Of the site, as ``site_origins`` returns them: a pattern without a host means these only."""


def capture_policy(config: SiteConfig) -> CapturePolicy:
    return CapturePolicy(config.access.capture, site_origins(config))


def is_wanted(url: str, method: str, kind: str, policy: CapturePolicy) -> bool:
    """Return whether the answer to a script's request is to be kept."""
    if kind not in DATA_KINDS or method in WITHOUT_CONTENT:
        return False
    bare = urldefrag(url).url
    parts, parsed = split_url(bare), parse_url(bare)
    if parts is None or parsed is None:
        return False
    is_own = is_in_scope(parsed, policy.origins)
    patterns = [each for each in policy.patterns if is_own or not each.startswith("/")]
    return fits(patterns, parts)


def has_content(status: int) -> bool:
    """Whether an answer says anything itself: a redirect is followed by what does."""
    return status not in EMPTY_STATUSES and not 300 <= status < 400


def find_flaw(headers: Mapping[str, str], body: bytes) -> str | None:
    """Return why a body is not kept; what is called JSON or begins as such is.

    The name is a flag of its snapshot. Many servers call JSON text.
    """
    if len(body) > MAX_BYTES:
        return "too_large"
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = media_type.endswith(("/json", "+json")) or starts_as_json(body)
    return None if is_json else "not_json"
