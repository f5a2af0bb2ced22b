"""A real browser behind the proxy, shown pages that attack a service on loopback.

Each attack is shown twice: with a permit for the service, where it must arrive (else the test would
show nothing), and without one.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from crawler.admission.egress import EgressPolicy, EgressRefusal
from crawler.engine.chromium import plan_launch
from crawler.engine.egress import EgressProxy
from tests.e2e.server import Server, page, redirect
from tests.integration.engine.internal_service import InternalService
from tests.integration.engine.names import ScriptedResolver

pytestmark = pytest.mark.browser

WAIT = 5.0
WEBRTC = "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"

# SERVICE stands for host:port of the service.
ATTACKS = {
    "img": "<img src='http://SERVICE/'>",
    "img over https": "<img src='https://SERVICE/'>",
    "iframe": "<iframe src='http://SERVICE/'></iframe>",
    "script": "<script src='http://SERVICE/'></script>",
    "stylesheet": "<link rel=stylesheet href='http://SERVICE/'>",
    "css import": "<style>@import 'http://SERVICE/';</style>",
    "object": "<object data='http://SERVICE/'></object>",
    "video": "<video src='http://SERVICE/' preload=auto></video>",
    "prefetch": "<link rel=prefetch href='http://SERVICE/'>",
    "preload": "<link rel=preload as=fetch crossorigin href='http://SERVICE/'>",
    "fetch": "<script>fetch('http://SERVICE/', {mode: 'no-cors'})</script>",
    "fetch post": "<script>fetch('http://SERVICE/', {mode: 'no-cors', method: 'POST', body: 'x'})"
    "</script>",
    "xhr": "<script>x = new XMLHttpRequest; x.open('GET', 'http://SERVICE/'); x.send()</script>",
    "beacon": "<script>navigator.sendBeacon('http://SERVICE/', 'x')</script>",
    "event source": "<script>new EventSource('http://SERVICE/')</script>",
    "websocket": "<script>new WebSocket('ws://SERVICE/')</script>",
    "secure websocket": "<script>new WebSocket('wss://SERVICE/')</script>",
    "worker": "<script>new Worker(URL.createObjectURL(new Blob("
    '[\'fetch("http://SERVICE/", {mode: "no-cors"})\'])))</script>',
    "form post": "<form method=post action='http://SERVICE/addversion.json' "
    "enctype=multipart/form-data><input name=project value=x></form>"
    "<script>document.forms[0].submit()</script>",
    "form post into a frame": "<iframe name=f></iframe><form method=post target=f "
    "action='http://SERVICE/'></form><script>document.forms[0].submit()</script>",
    "meta refresh": "<meta http-equiv=refresh content='0; url=http://SERVICE/'>",
    "navigation": "<script>location = 'http://SERVICE/'</script>",
    "pop-up": "<script>window.open('http://SERVICE/')</script>",
    "redirected frame": "<iframe src='/redirect'></iframe>",
    "redirected fetch": "<script>fetch('/redirect', {mode: 'no-cors'})</script>",
}


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


class Attacked:
    """A page, a service on loopback, and a browser that reaches the page alone."""

    def __init__(self, playwright: Playwright, **changes: Any) -> None:
        self.server = Server()
        self.service = InternalService()
        self.closed = EgressProxy(self._policy())
        self.open = EgressProxy(self._policy(f"127.0.0.1:{self.service.port}"))
        for proxy in (self.closed, self.open):
            proxy.start()
        self._playwright = playwright
        self._browsers: list[Browser] = []
        self.behind_closed = self.launch(self.closed)
        self.behind_open = self.launch(self.open)

    def launch(self, proxy: EgressProxy, *, without: str = "") -> Browser:
        options = plan_launch().options(proxy.address)
        options["args"] = [argument for argument in options["args"] if argument != without]
        browser = self._playwright.chromium.launch(**options)
        self._browsers.append(browser)
        return browser

    def visit(self, browser: Browser, html: str, host: str = "127.0.0.1") -> BrowserContext:
        place = f"{host}:{self.service.port}"
        self.server.serve("/", page(html.replace("SERVICE", place)))
        self.server.serve("/redirect", redirect(f"http://{place}/"))
        context = browser.new_context()
        context.new_page().goto(self.server.url(), wait_until="commit")
        return context

    def close(self) -> None:
        for browser in self._browsers:
            browser.close()
        self.closed.stop()
        self.open.stop()
        self.service.__exit__(None, None, None)
        self.server.close()

    def _policy(self, *permits: str) -> EgressPolicy:
        return EgressPolicy(permits=frozenset({self.server.authority, *permits}), is_open=True)


@pytest.fixture(scope="module")
def attacked(playwright: Playwright) -> Iterator[Attacked]:
    there = Attacked(playwright)
    yield there
    there.close()


def wait_until(context: BrowserContext, condition: Callable[[], bool]) -> None:
    """Wait with Playwright's own loop running: it answers the browser in the meantime."""
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline
        context.pages[0].wait_for_timeout(10)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_an_attack_on_a_loopback_service_is_refused(attacked: Attacked, attack: str) -> None:
    before = attacked.service.connections
    with attacked.visit(attacked.behind_open, attack) as context:
        wait_until(context, lambda: attacked.service.connections > before)

    arrived = attacked.service.connections
    refused = attacked.closed.counts.get("refused/address", 0)
    with attacked.visit(attacked.behind_closed, attack) as context:
        wait_until(context, lambda: attacked.closed.counts.get("refused/address", 0) > refused)
    assert attacked.service.connections == arrived


@pytest.mark.parametrize(
    "host", ["localhost", "x.localhost", "127.1", "2130706433", "0x7f.1", "0.0.0.0", "[::1]",
             "[::ffff:127.0.0.1]", "127.0.0.2"]
)  # fmt: skip
@pytest.mark.parametrize("attack", ["img", "websocket", "navigation"])
def test_no_spelling_of_loopback_goes_round_the_proxy(
    attacked: Attacked, host: str, attack: str
) -> None:
    arrived = attacked.service.connections
    refused = attacked.closed.counts.get("refused/address", 0)
    with attacked.visit(attacked.behind_closed, ATTACKS[attack], host) as context:
        wait_until(context, lambda: attacked.closed.counts.get("refused/address", 0) > refused)
    assert attacked.service.connections == arrived


def test_a_redirect_of_the_page_itself_is_refused(attacked: Attacked) -> None:
    arrived = attacked.service.connections
    attacked.visit(attacked.behind_closed, "")
    context = attacked.behind_closed.new_context()

    response = context.new_page().goto(attacked.server.url("/redirect"))

    assert response is not None
    assert response.status == 403
    found = attacked.closed.find_refusal("127.0.0.1", attacked.service.port)
    assert found is EgressRefusal.ADDRESS
    assert attacked.service.connections == arrived


def test_a_name_of_a_loopback_address_is_refused(
    playwright: Playwright, attacked: Attacked
) -> None:
    """The proxy asks its name server; the browser asks nobody."""
    port = attacked.service.port
    arrived = attacked.service.connections
    names = ScriptedResolver(["127.0.0.1"])
    with EgressProxy(
        EgressPolicy(frozenset({f"http://inside.example:{port}"})), make_resolver=lambda: names
    ) as proxy:
        browser = attacked.launch(proxy)
        response = browser.new_page().goto(f"http://inside.example:{port}/")

        assert response is not None
        assert response.status == 403
        assert proxy.find_refusal("inside.example", port) is EgressRefusal.ADDRESS
        assert names.asked == 1
    assert attacked.service.connections == arrived


STUN = """<script>
const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:SERVICE'}]});
peer.createDataChannel('x');
peer.onicegatheringstatechange = () => document.title = peer.iceGatheringState;
peer.createOffer().then(offer => peer.setLocalDescription(offer));
</script>"""


def test_webrtc_sends_nothing_by_udp(attacked: Attacked) -> None:
    browser = attacked.launch(attacked.closed, without=WEBRTC)
    with attacked.visit(browser, STUN) as context:
        wait_until(context, lambda: attacked.service.datagrams > 0)

    arrived = attacked.service.datagrams
    with attacked.visit(attacked.behind_closed, STUN) as context:
        wait_until(context, lambda: context.pages[0].title() == "complete")
        context.pages[0].wait_for_timeout(300)
    assert attacked.service.datagrams == arrived
