"""The identity of a page within a site."""

from crawler.admission.url import fingerprint
from crawler.contracts.rules import LoadedSite
from crawler.document.parameters import without_parameters


def page_fingerprint(url: str, site: LoadedSite, method: str = "GET", body: bytes = b"") -> str:
    """Return the identity of a page: that of its URL without what makes no other page of it."""
    return fingerprint(method, without_parameters(url, site.config.collect.ignore_params), body)
