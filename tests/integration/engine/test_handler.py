"""The handler against real servers on loopback; only name servers are made up."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.admission.refusal import (
    AddressRefused,
    CertificateRefused,
    ProxyRefused,
    TransferAborted,
)
from crawler.engine import resolver
from crawler.engine.handler import GuardedDownloadHandler
from tests.e2e.server import RESET, SILENCE, Server, Step, page, redirect
from tests.integration.engine.certificates import DAY, make_authority, make_tls
from tests.integration.engine.names import ScriptedResolver

PUBLIC = "93.184.215.14"
T = TypeVar("T")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({"/": [page("<h1>Hello</h1>")]}) as running:
        yield running


def use(
    action: Callable[[GuardedDownloadHandler], Coroutine[Any, Any, T]],
    *permits: str,
    **settings: object,
) -> T:
    """Run *action* with a handler built as Scrapy builds it, for a site with these permits."""

    async def session() -> T:
        crawler = get_crawler(
            Spider, {"DOWNLOAD_VERIFY_CERTIFICATES": True, **settings}, prevent_warnings=True
        )
        access = SimpleNamespace(permit_private=permits)
        crawler.spider = SimpleNamespace(  # type: ignore[assignment]
            site=SimpleNamespace(config=SimpleNamespace(access=access))
        )
        handler = GuardedDownloadHandler(crawler)
        try:
            return await action(handler)
        finally:
            await handler.close()

    return asyncio.run(session())


def fetch(url: str, *permits: str, **meta: object) -> Response:
    request = Request(url, meta={"download_timeout": 5.0, **meta})
    return use(lambda handler: handler.download_request(request), *permits)


def answer_names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> ScriptedResolver:
    scripted = ScriptedResolver(*answers)
    monkeypatch.setattr(resolver, "ThreadedResolver", lambda: scripted)
    return scripted


def test_a_page_arrives_with_its_bytes_and_address(server: Server) -> None:
    response = fetch(server.url(), server.authority)

    assert (response.status, response.body) == (200, b"<h1>Hello</h1>")
    assert str(response.ip_address) == "127.0.0.1"
    assert response.flags == []


def test_a_header_that_is_not_utf_8_is_kept(server: Server) -> None:
    server.serve("/", Step(b"x", headers=(("X-Name", "caf\xe9"),)))
    response = fetch(server.url(), server.authority)
    assert response.headers["X-Name"] == b"caf\xe9"


LOCAL = ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "[::1]"]


@pytest.mark.parametrize("host", [*LOCAL, "127.0.0.1.", "[::ffff:127.0.0.1]", "0.0.0.0"])
def test_a_local_address_is_refused_before_a_connection(server: Server, host: str) -> None:
    port = server.authority.rpartition(":")[2]
    with pytest.raises(AddressRefused):
        fetch(f"http://{host}:{port}/", "127.0.0.1:1")
    assert server.log == ()


def test_a_refusal_reads_the_same_for_open_and_closed_ports(server: Server) -> None:
    with pytest.raises(AddressRefused) as open_port:
        fetch(server.url())
    with pytest.raises(AddressRefused) as closed_port:
        fetch("http://127.0.0.1:1/")
    assert str(open_port.value) == str(closed_port.value)
    assert "127" not in str(open_port.value)


def test_a_name_with_a_local_address_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_names(monkeypatch, ["127.0.0.1"])
    port = server.authority.rpartition(":")[2]
    with pytest.raises(AddressRefused) as refusal:
        fetch(f"http://public.example:{port}/")
    assert "127" not in str(refusal.value)
    assert server.log == ()


def test_a_name_with_one_private_address_among_public_ones_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer_names(monkeypatch, [PUBLIC, "10.0.0.1"])
    with pytest.raises(AddressRefused):
        fetch("http://public.example/")


def test_the_connection_uses_the_addresses_that_were_checked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = answer_names(monkeypatch, ["127.0.0.1"], [PUBLIC])
    port = server.authority.rpartition(":")[2]
    response = fetch(f"http://intranet.example:{port}/", f"intranet.example:{port}")
    assert response.status == 200
    assert names.asked == 1


def test_an_answer_that_changes_is_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ScriptedResolver([PUBLIC], ["127.0.0.1"])
    guarded = resolver.GuardedResolver(frozenset, names)
    assert asyncio.run(guarded.resolve("public.example", 80))[0]["host"] == PUBLIC
    with pytest.raises(AddressRefused):
        asyncio.run(guarded.resolve("public.example", 80))


def test_a_name_that_does_not_exist_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_names(monkeypatch, [])
    with pytest.raises(CannotResolveHostError):
        fetch("http://nowhere.example/")


def test_a_redirect_is_handed_over_and_not_followed(server: Server) -> None:
    server.serve("/", redirect("http://169.254.169.254/"))
    response = fetch(server.url(), server.authority)
    assert response.status == 302
    assert len(server.log) == 1


def test_a_proxy_is_refused_whoever_asked_for_it(server: Server) -> None:
    with pytest.raises(ProxyRefused):
        fetch("http://example.com/", server.authority, proxy=server.url())
    assert server.log == ()


def test_proxies_of_the_environment_are_not_used(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url())
        monkeypatch.setenv("http_proxy", proxy.url())
        assert fetch(server.url(), server.authority).status == 200
        assert proxy.log == ()


DRIPS = {
    "silent": SILENCE,
    "a body": Step(b"x" * 1_000, drip=0.05),
    "headers": Step(raw=b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1_000, drip=0.05),
    "a status line": Step(raw=b"HTTP/1.1 200 " + b"O" * 1_000, drip=0.05),
    "promises to continue": Step(raw=b"HTTP/1.1 100 Continue\r\n\r\n" * 40, drip=0.02),
    "a chunk": Step(
        raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 1_000, drip=0.02
    ),
}


@pytest.mark.parametrize("step", DRIPS.values(), ids=DRIPS.keys())
def test_the_deadline_is_for_the_whole_transfer(server: Server, step: Step) -> None:
    server.serve("/", step)
    started = time.monotonic()
    with pytest.raises(DownloadTimeoutError):
        fetch(server.url(), server.authority, download_timeout=0.3)
    assert time.monotonic() - started < 10, "all of it takes 20 s"


BODIES = {
    "announced": Step(b"x" * 2000),
    "not announced": Step(raw=b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2000),
    "chunked": Step(
        raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"64\r\n%b\r\n" % (b"x" * 100) * 20
    ),
}


@pytest.mark.parametrize("step", BODIES.values(), ids=BODIES)
def test_a_body_above_the_limit_is_cut_off(server: Server, step: Step) -> None:
    server.serve("/", step)
    with pytest.raises(DownloadCancelledError):
        fetch(server.url(), server.authority, download_maxsize=1000)


HEADS = {
    "a long line": b"X-Long: " + b"x" * 1_000_000 + b"\r\n",
    "many lines": b"X-Many: 1\r\n" * 20_000,
    "many cookies": b"Set-Cookie: a=b\r\n" * 5_000,
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_headers_without_end_are_refused(server: Server, head: bytes) -> None:
    server.serve("/", Step(raw=b"HTTP/1.1 200 OK\r\n" + head + b"\r\nbody"))
    with pytest.raises(DownloadFailedError):
        fetch(server.url(), server.authority)


def test_ordinary_large_headers_pass(server: Server) -> None:
    server.serve("/", Step(b"x", headers=(("Content-Security-Policy", "a" * 12_000),)))
    assert fetch(server.url(), server.authority).status == 200


def test_a_body_that_breaks_off_is_an_error_or_flagged(server: Server) -> None:
    server.serve("/", Step(b"x" * 5000, truncate=16))
    with pytest.raises(ResponseDataLossError):
        fetch(server.url(), server.authority)
    response = fetch(server.url(), server.authority, download_fail_on_dataloss=False)
    assert (response.body, response.flags) == (b"x" * 16, ["dataloss"])


def test_a_body_that_is_shorter_than_announced_can_be_accepted(server: Server) -> None:
    server.serve("/", Step(b"x" * 5000, truncate=16))
    response = fetch(server.url(), server.authority, accept_short=True)
    assert (response.body, response.flags) == (b"x" * 16, ["short"])


def test_a_chunk_that_breaks_off_is_accepted_from_nobody(server: Server) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.serve("/", Step(raw=head + b"64\r\nhalf"))
    with pytest.raises(ResponseDataLossError):
        fetch(server.url(), server.authority, accept_short=True)


def test_a_body_that_only_the_connection_ends_is_flagged(server: Server) -> None:
    server.serve("/", Step(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>half"))
    assert fetch(server.url(), server.authority).flags == ["partial"]


def test_a_reset_connection_is_a_failure_of_the_transport(server: Server) -> None:
    server.serve("/", RESET)
    with pytest.raises(DownloadFailedError):
        fetch(server.url(), server.authority)


def test_a_refused_connection_names_no_address() -> None:
    with Server() as closed:
        authority = closed.authority
    with pytest.raises(DownloadConnectionRefusedError) as error:
        fetch(f"http://{authority}/", authority)
    assert "127" not in str(error.value)


def test_a_running_transfer_can_be_cut(server: Server) -> None:
    server.serve("/", SILENCE)

    async def cut(handler: GuardedDownloadHandler) -> float:
        transfer = asyncio.ensure_future(handler.download_request(Request(server.url())))
        await asyncio.sleep(0.1)
        started = time.monotonic()
        handler.abort_all()
        with pytest.raises(TransferAborted):
            await transfer
        with pytest.raises(TransferAborted):
            await handler.download_request(Request(server.url()))
        return time.monotonic() - started

    assert use(cut, server.authority) < 5
    assert len(server.log) == 1


def test_a_spider_without_a_site_file_has_no_permits(server: Server) -> None:
    async def fetch_bare(handler: GuardedDownloadHandler) -> Response:
        handler.crawler.spider = Spider("bare")
        return await handler.download_request(Request(server.url()))

    with pytest.raises(AddressRefused):
        use(fetch_bare, server.authority)


def test_a_certificate_that_its_own_host_signed_proves_nothing(tmp_path: Path) -> None:
    context = make_tls(tmp_path, authority=None)
    requests: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.read(1))
        writer.close()

    async def connect(handler: GuardedDownloadHandler) -> None:
        listener = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
        port = listener.sockets[0].getsockname()[1]
        handler._known_permits = frozenset({f"127.0.0.1:{port}"})
        async with listener:
            with pytest.raises(CertificateRefused) as refusal:
                await handler.download_request(Request(f"https://127.0.0.1:{port}/"))
        assert refusal.value.detail.endswith("nobody but the host itself signed it")
        assert refusal.value.host == "127.0.0.1"

    use(connect)
    assert requests == []


INVALID = {
    "expired": ({"valid": (-2 * DAY, -DAY)}, "it has expired"),
    "not yet valid": ({"valid": (DAY, 2 * DAY)}, "its time has not come"),
    "of another host": ({"address": "127.0.0.2"}, "it is for another address"),
}


@pytest.mark.parametrize(("fault", "cause"), INVALID.values(), ids=INVALID.keys())
def test_a_certificate_is_refused_for_a_reason_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any], cause: str
) -> None:
    authority = make_authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with Server(tls=make_tls(tmp_path, authority, **fault)) as server:
        with pytest.raises(CertificateRefused) as refusal:
            fetch(server.url(), server.authority)
        assert server.log == ()
    assert refusal.value.detail == f"the certificate of the host is not valid: {cause}"


def test_a_name_that_the_certificate_does_not_hold_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = make_authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with Server(tls=make_tls(tmp_path, authority)) as server:
        url = server.url().replace("127.0.0.1", "localhost")
        with pytest.raises(CertificateRefused) as refusal:
            fetch(url, server.authority.replace("127.0.0.1", "localhost"))
    assert refusal.value.detail.endswith("it is for another host name")


def test_an_authority_that_is_not_known_is_told_apart_from_one_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, unknown = make_authority(tmp_path), make_authority(tmp_path, "Another")
    monkeypatch.setenv("SSL_CERT_FILE", str(known.file))
    with Server({"/": [page("x")]}, tls=make_tls(tmp_path, unknown)) as server:
        with pytest.raises(CertificateRefused) as refusal:
            fetch(server.url(), server.authority)
        assert refusal.value.detail.endswith("nobody that is trusted here signed it")
    with Server({"/": [page("x")]}, tls=make_tls(tmp_path, known)) as server:
        assert fetch(server.url(), server.authority).status == 200
