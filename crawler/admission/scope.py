"""Which URLs belong to a site, and which of them share a pace."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from crawler.admission.address import literal_address
from crawler.admission.url import ParsedUrl, parse_url
from crawler.contracts.site.config import SiteConfig

if TYPE_CHECKING:
    from tldextract import TLDExtract


def site_origins(config: SiteConfig) -> frozenset[str]:
    """Return the origins a site's pages may come from: those of its start URLs and its hosts."""
    urls = map(parse_url, (*config.start, *config.access.hosts))
    return frozenset(url.origin for url in urls if url is not None)


def is_in_scope(url: ParsedUrl, origins: frozenset[str]) -> bool:
    """Scheme, host and port must all be the same: a suffix or another port is another site."""
    return url.origin in origins


def scope_of(url: str, configured: str | None = None) -> str:
    """Return the name under which pace and cool-down of *url* are kept.

    The site file's own name for it, else the registrable domain, else the host.
    """
    if configured is not None:
        return configured
    parsed = parse_url(url)
    return "" if parsed is None else _registrable_domain(parsed.host)


@lru_cache(maxsize=4096)
def _registrable_domain(host: str) -> str:
    address = literal_address(host)
    if address is not None:
        return str(address)
    parts = _suffix_list()(host)
    return f"{parts.domain}.{parts.suffix}" if parts.domain and parts.suffix else host


def is_public_suffix(host: str) -> bool:
    """Tell whether strangers register names below *host*: ``co.uk``, ``github.io``, ``org``."""
    parts = _suffix_list()(host, include_psl_private_domains=True)
    return parts.suffix == host


@cache
def _suffix_list() -> "TLDExtract":
    """The list bundled with the package: nothing is downloaded, nothing is written."""
    from tldextract import TLDExtract  # noqa: PLC0415  # slow to import, and not always needed

    return TLDExtract(suffix_list_urls=(), cache_dir=None)
