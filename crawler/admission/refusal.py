"""Refusals that show only once a connection is about to be made, and the end of one by our hand.

The download handler raises them and whoever handles its failures reads them, so they stand where
both may import them. No text here says which address a name has.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from crawler.admission.decision import ADDRESS_DETAIL
from crawler.contracts.errors import CrawlerError


class ConnectionRefusedByPolicy(CrawlerError):
    """Nothing was sent: we refuse to talk to this peer."""

    detail = "the connection is not allowed"

    def __init__(self, host: str = "") -> None:
        """*host* is the name that was asked for."""
        super().__init__(self.detail)
        self.host = host


class AddressRefused(ConnectionRefusedByPolicy):
    """The host is, or resolves to, an address that may not be contacted."""

    detail = ADDRESS_DETAIL


class CertificateRefused(ConnectionRefusedByPolicy):
    """The peer did not prove that it is the host: its certificate is invalid."""

    detail = "the certificate of the host is not valid"
    CAUSES: ClassVar[Mapping[int, str]] = MappingProxyType({
        9: "its time has not come",
        10: "it has expired",
        18: "nobody but the host itself signed it",
        19: "it leads to a root that nobody here trusts",
        20: "nobody that is trusted here signed it",
        21: "nobody that is trusted here signed it",
        23: "it was revoked",
        62: "it is for another host name",
        64: "it is for another address",
    })  # fmt: skip
    """By OpenSSL's code of the check that failed (x509_vfy.h)."""

    def __init__(self, host: str = "", code: int = 0) -> None:
        super().__init__(host)
        cause = self.CAUSES.get(code)
        self.detail = f"{type(self).detail}: {cause}" if cause else type(self).detail


class ProxyRefused(ConnectionRefusedByPolicy):
    """A proxy was asked for that no site file names."""

    detail = "no proxy is allowed"


class TransferAborted(CrawlerError):
    """Cut because the crawl is ending: says nothing of the page, whose row stays open."""
