"""The identity of a page within a site."""

from functools import lru_cache

from crawler.admission.url import fingerprint
from crawler.contracts.rules import LoadedSite
from crawler.document.parameters import without_parameters


def page_fingerprint(url: str, site: LoadedSite, method: str = "GET", body: bytes = b"") -> str:
    """Return the identity of a page: that of its URL without what makes no other page of it."""
    ignored = site.config.collect.ignore_params
    if method == "GET" and not body:
        return _identify_link(url, ignored)
    return fingerprint(method, without_parameters(url, ignored), body)


@lru_cache(maxsize=4096)
def _identify_link(url: str, ignored: tuple[str, ...]) -> str:
    """A link is named when it is offered, and again in what its page lists."""
    return fingerprint("GET", without_parameters(url, ignored), b"")
