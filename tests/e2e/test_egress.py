"""A crawl of rendered pages that attack a service on loopback which the site may not reach."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.bulletins import article, write_bulletins
from tests.e2e.project import Finished, Project
from tests.e2e.server import Server, page, redirect
from tests.integration.engine.internal_service import InternalService

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

# SERVICE stands for host:port of the service. What asks first is seen where requests are routed;
# a redirect and a socket are seen by the proxy alone.
ATTACKS = {
    "/fetch": "<script>fetch('http://SERVICE/', {mode: 'no-cors', method: 'POST'})</script>",
    "/form": "<iframe name=f></iframe><form method=post target=f enctype=multipart/form-data "
    "action='http://SERVICE/addversion.json'><input name=project value=x></form>"
    "<script>document.forms[0].submit()</script>",
    "/iframe": "<iframe src='http://SERVICE/'></iframe>",
    "/websocket": "<script>new WebSocket('ws://SERVICE/')</script>",
    "/pop-up": "<script>window.open('http://SERVICE/')</script>",
    "/redirected-frame": "<iframe src='/away?frame'></iframe>",
    "/redirected-script": "<script src='/away?script'></script>",
    "/redirected-fetch": "<script>fetch('/away?fetch', {mode: 'no-cors'})</script>",
    "/stun": "<script>p = new RTCPeerConnection({iceServers: [{urls: 'stun:SERVICE'}]});"
    "p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o))</script>",
}
NAVIGATIONS = {
    "/navigation": "<script>location = 'http://SERVICE/'</script>",
    "/redirected-navigation": "<script>location = '/away?navigation'</script>",
}


@dataclass(frozen=True, slots=True)
class Attacked:
    finished: Finished
    server: Server
    connections: int
    datagrams: int
    outcomes: dict[str, int]


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """One crawl of all of them."""
    folder: Path = tmp_path_factory.mktemp("attacked")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server() as server, InternalService() as service:
        place = f"127.0.0.1:{service.port}"
        late = f"<script>document.body.insertAdjacentHTML('beforeend', `{article('a')}`)</script>"
        for target, attack in (ATTACKS | NAVIGATIONS).items():
            server.serve(target, page(f"<body>{attack.replace('SERVICE', place)}{late}"))
        server.serve("/away", redirect(f"http://{place}/"))
        access = {
            "permit_private": [server.authority],
            "representation": "rendered_dom",
            "ready": {"present": ["article"], "dom_quiet": 0.2},
            "page_methods": ["POST"],
            "budget": {"attempts": 1},
            "timeout": 30,
        }
        write_bulletins(project, server, *ATTACKS, *NAVIGATIONS, access=access)
        finished = project.scrapy("crawl", "bulletins")
        outcomes = project.outcomes("bulletins")["outcomes"]
        yield Attacked(finished, server, service.connections, service.datagrams, outcomes)


def test_no_attack_reaches_the_service(attacked: Attacked) -> None:
    assert attacked.finished.code == 0, attacked.finished.stderr
    assert (attacked.connections, attacked.datagrams) == (0, 0)


def test_the_pages_that_attack_are_rendered_nevertheless(attacked: Attacked) -> None:
    assert attacked.outcomes["eligible"] >= len(ATTACKS)


@pytest.mark.parametrize("kind", ["frame", "script", "fetch"])
def test_the_redirects_were_asked_for_and_ended_at_the_proxy(attacked: Attacked, kind: str) -> None:
    assert attacked.server.hits(f"/away?{kind}") == 1

    refused = re.search(r"'egress/refused/address': (\d+)", attacked.finished.stderr)
    assert refused is not None
    assert int(refused[1]) >= 3
