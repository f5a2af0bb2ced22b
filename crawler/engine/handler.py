"""The one way out for plain HTTP: every connection is checked, bounded and can be cut."""

import asyncio
import ssl
from functools import cached_property, lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from time import monotonic
from typing import TYPE_CHECKING, cast

import aiohttp
import yarl
from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler, _ClientResponse
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.http import Headers, Response
from scrapy.utils._download_handlers import make_response
from scrapy.utils.ssl import _make_ssl_context

from crawler.admission.address import host_refusal
from crawler.admission.refusal import (
    AddressRefused,
    CertificateRefused,
    ProxyRefused,
    TransferAborted,
)
from crawler.contracts.meta import ACCEPT_SHORT, CUT_AT_LIMIT
from crawler.engine.resolver import GuardedResolver

if TYPE_CHECKING:
    from scrapy.core.downloader.handlers._base_streaming import _BaseResponseArgs

MAX_HEADER_BYTES = 32 * 1024
"""Of one header line; real cookies and policies stay below half of it."""
MAX_HEADERS = 256
READ_BUFFER = 256 * 1024
BODILESS = frozenset({204, 304})
NO_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=None)
"""One deadline of our own covers a request from look-up to last byte."""

# First match wins: the subclasses stand before their bases.
_TRANSLATIONS: tuple[tuple[type[Exception], type[Exception]], ...] = (
    (aiohttp.InvalidUrlClientError, UnsupportedURLSchemeError),
    (aiohttp.NonHttpUrlClientError, UnsupportedURLSchemeError),
    (aiohttp.ClientConnectorDNSError, CannotResolveHostError),
    (aiohttp.ClientConnectorError, DownloadConnectionRefusedError),
    (aiohttp.ClientError, DownloadFailedError),
)


class GuardedDownloadHandler(AiohttpDownloadHandler):
    """Meta: ``download_timeout``, ``download_maxsize``, ``cut_at_limit``, ``accept_short``,
    ``download_fail_on_dataloss``.

    Sends no ``headers_received`` and ``bytes_received`` signals: they cost more than the transfer.
    A response that only the end of the connection delimits is flagged ``partial``.
    """

    experimental = False

    def __init__(self, crawler: Crawler) -> None:
        # Past the parent, which would open a session that resolves names unguarded.
        super(AiohttpDownloadHandler, self).__init__(crawler)
        self._timeout = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._known_permits: frozenset[str] | None = None
        self._deadlines: set[asyncio.Timeout] = set()
        self._is_aborted = False
        connector = aiohttp.TCPConnector(
            resolver=GuardedResolver(self._permits),
            local_addr=self._bind_address,
            limit=self._pool_size_total,
            limit_per_host=0,  # the scheduler's business
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            response_class=_ClientResponse,
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
            timeout=NO_TIMEOUT,
            trust_env=False,
            read_bufsize=READ_BUFFER,
            max_line_size=MAX_HEADER_BYTES,
            max_field_size=MAX_HEADER_BYTES,
            max_headers=MAX_HEADERS,
        )
        # aiohttp would send a request again when its connection breaks: a retry nobody decided.
        self._session._retry_connection = False

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Made for the first https request: it reads every root certificate of the machine."""
        return _make_ssl_context(self.crawler.settings)

    async def download_request(self, request: Request) -> Response:
        if request.meta.get("proxy"):
            raise ProxyRefused
        url = yarl.URL(request.url, encoded=True)  # as admitted, not as yarl would spell it
        host = url.raw_host or ""
        if host_refusal(host, url.port or 0, self._permits()) is not None:
            raise AddressRefused(host)
        seconds: float = request.meta.get("download_timeout") or self._timeout
        try:
            return await self._transfer(request, url, seconds)
        except TimeoutError as error:
            if self._is_aborted:
                raise TransferAborted from error
            message = f"Getting {request.url} took longer than {seconds} seconds."
            raise DownloadTimeoutError(message) from error
        except aiohttp.ClientConnectorCertificateError as error:
            code = getattr(error.certificate_error, "verify_code", 0)
            raise CertificateRefused(host, code) from error
        except aiohttp.ClientError as error:
            raise _translate(error) from error

    def abort_all(self) -> None:
        """Cut every running transfer, and refuse later ones; each ends as ``TransferAborted``."""
        self._is_aborted = True
        now = asyncio.get_running_loop().time()
        for deadline in self._deadlines:
            deadline.reschedule(now)

    async def _transfer(self, request: Request, url: yarl.URL, seconds: float) -> Response:
        started = monotonic()
        async with asyncio.timeout(0 if self._is_aborted else seconds) as deadline:
            self._deadlines.add(deadline)
            try:
                async with self._session.request(
                    request.method,
                    url,
                    data=request.body or None,
                    headers=_request_headers(request),
                    ssl=self._tls if url.scheme == "https" else True,
                    allow_redirects=False,
                ) as response:
                    request.meta["download_latency"] = monotonic() - started
                    return await self._read(cast("_ClientResponse", response), request)
            finally:
                self._deadlines.discard(deadline)

    async def _read(self, response: _ClientResponse, request: Request) -> Response:
        limit: int = request.meta.get("download_maxsize", self._default_maxsize)
        size = response.content_length
        is_over = limit and size is not None and size > limit and request.method != "HEAD"
        if is_over and not request.meta.get(CUT_AT_LIMIT):
            self._cancel_maxsize(size or 0, limit, request, expected=True)
        body, flags = await self._read_body(response, request, limit)
        arguments = self._build_base_response_args(
            response, request, Headers(list(response.raw_headers))
        )
        return make_response(**arguments, body=body, flags=flags)

    async def _read_body(
        self, response: aiohttp.ClientResponse, request: Request, limit: int
    ) -> tuple[bytes, list[str]]:
        chunks: list[bytes] = []
        size = 0
        try:
            while chunk := await response.content.readany():
                chunks.append(chunk)
                size += len(chunk)
                if limit and size > limit:
                    if request.meta.get(CUT_AT_LIMIT):
                        return b"".join(chunks)[:limit], ["too_large"]
                    self._cancel_maxsize(size, limit, request, expected=False)
        except (aiohttp.ClientPayloadError, aiohttp.ClientConnectionError) as error:
            if request.meta.get(ACCEPT_SHORT) and "Content-Length" in response.headers:
                return b"".join(chunks), ["short"]
            if request.meta.get("download_fail_on_dataloss", self._fail_on_dataloss):
                raise ResponseDataLossError(
                    f"{request.url} broke off after {size} bytes"
                ) from error
            return b"".join(chunks), ["dataloss"]
        return b"".join(chunks), [] if _is_delimited(response) else ["partial"]

    @staticmethod
    def _build_base_response_args(
        response: _ClientResponse, request: Request, headers: Headers
    ) -> "_BaseResponseArgs":
        peer, tls = response._peername, response._ssl_object
        version = response.version
        return {
            "status": response.status,
            "url": request.url,
            "headers": headers,
            "certificate": tls.getpeercert(binary_form=True) if tls else None,
            "ip_address": _address(peer[0]) if peer else None,
            "protocol": f"HTTP/{version.major}.{version.minor}" if version else None,
        }

    def _permits(self) -> frozenset[str]:
        """The site file's; a spider without one has none."""
        if self._known_permits is None:
            access = getattr(getattr(self.crawler.spider, "site", None), "config", None)
            access = getattr(access, "access", None)
            self._known_permits = frozenset(getattr(access, "permit_private", ()))
        return self._known_permits


def _request_headers(request: Request) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, value in request.headers.to_tuple_list()
        if name != "Proxy-Authorization"
    ]


def _is_delimited(response: aiohttp.ClientResponse) -> bool:
    """Whether an early end of the connection could have been told from the end of the body."""
    headers = response.headers
    return (
        "Content-Length" in headers
        or "chunked" in headers.get("Transfer-Encoding", "").lower()
        or response.method == "HEAD"
        or response.status in BODILESS
    )


def _translate(error: aiohttp.ClientError) -> Exception:
    translation = next(target for source, target in _TRANSLATIONS if isinstance(error, source))
    return translation(f"{type(error).__name__}")


@lru_cache(maxsize=1024)
def _address(text: str) -> IPv4Address | IPv6Address:
    return ip_address(text)
