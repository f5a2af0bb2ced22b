"""Refusals that show only once a connection is about to be made, and the end of one by our hand.

The download handler raises them and whoever handles its failures reads them, so they stand where
both may import them. No text here says which address a name has.
"""

from crawler.admission.decision import ADDRESS_DETAIL
from crawler.contracts.errors import CrawlerError


class ConnectionRefusedByPolicy(CrawlerError):
    """Nothing was sent: we refuse to talk to this peer."""

    detail = "the connection is not allowed"

    def __init__(self) -> None:
        super().__init__(self.detail)


class AddressRefused(ConnectionRefusedByPolicy):
    """The host is, or resolves to, an address that may not be contacted."""

    detail = ADDRESS_DETAIL


class CertificateRefused(ConnectionRefusedByPolicy):
    """The peer did not prove that it is the host: its certificate is invalid."""

    detail = "the certificate of the host is not valid"


class ProxyRefused(ConnectionRefusedByPolicy):
    """A proxy was asked for that no site file names."""

    detail = "no proxy is allowed"


class TransferAborted(CrawlerError):
    """Cut because the crawl is ending: says nothing of the page, whose row stays open."""
