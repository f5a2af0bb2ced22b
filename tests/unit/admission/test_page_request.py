import pytest

from crawler.admission.page_request import (
    PagePolicy,
    PageRefusal,
    PageRequest,
    decide_page_request,
)
from crawler.contracts.site.access import ResourceKind

POLICY = PagePolicy(
    origins=frozenset({"https://garden.example:443", "http://127.0.0.1:8000"}),
    permits=frozenset({"127.0.0.1:8000"}),
)
OPEN = PagePolicy(
    origins=POLICY.origins,
    load=frozenset(ResourceKind),
    methods=frozenset({"GET", "HEAD", "OPTIONS", "POST"}),
)
SITE = "https://garden.example/a"
MEMBERS = PagePolicy(origins=POLICY.origins, session_hosts=frozenset({"garden.example"}))

ALLOWED = {
    "a script of the site": (PageRequest(SITE, kind="script"), POLICY),
    "a script from elsewhere": (PageRequest("https://cdn.example/a.js", kind="script"), POLICY),
    "data of a permitted address": (PageRequest("http://127.0.0.1:8000/d", kind="fetch"), POLICY),
    "a style sheet": (PageRequest(SITE, kind="stylesheet"), POLICY),
    "a frame of the site": (PageRequest(SITE, is_navigation=True), POLICY),
    "an empty frame": (PageRequest("about:blank", is_navigation=True), POLICY),
    "what the page holds itself": (PageRequest("blob:https://x.example/1", kind="image"), POLICY),
    "a socket of the site": (PageRequest("wss://garden.example/s", kind="websocket"), POLICY),
    "an image that is wanted": (PageRequest(SITE, kind="image"), OPEN),
    "a script of the site with a session": (PageRequest(SITE, kind="script"), MEMBERS),
    "a script from elsewhere with a session": (
        PageRequest("https://cdn.garden.example/a.js", kind="script"),
        MEMBERS,
    ),
    "data by POST where that is allowed": (PageRequest(SITE, "POST", "fetch"), OPEN),
}


@pytest.mark.parametrize(("request_", "policy"), ALLOWED.values(), ids=ALLOWED)
def test_a_page_gets_what_it_needs(request_: PageRequest, policy: PagePolicy) -> None:
    assert decide_page_request(request_, policy) is None


REFUSED = {
    "another port of a host that would be sent a session": (
        PageRequest("https://garden.example:8443/a.js", kind="script"),
        MEMBERS,
        PageRefusal.SCOPE,
    ),
    "another scheme of it": (
        PageRequest("http://garden.example/a.js", kind="fetch"),
        MEMBERS,
        PageRefusal.SCOPE,
    ),
    "an image": (PageRequest(SITE, kind="image"), POLICY, PageRefusal.NOT_WANTED),
    "a font": (PageRequest(SITE, kind="font"), POLICY, PageRefusal.NOT_WANTED),
    "a film": (PageRequest(SITE, kind="media"), POLICY, PageRefusal.NOT_WANTED),
    "data by POST": (PageRequest(SITE, "POST", "xhr"), POLICY, PageRefusal.METHOD),
    "a beacon": (PageRequest(SITE, "POST", "ping"), POLICY, PageRefusal.METHOD),
    "DELETE where POST is allowed": (PageRequest(SITE, "DELETE"), OPEN, PageRefusal.METHOD),
    "a form, whatever scripts may do": (
        PageRequest(SITE, "POST", is_navigation=True),
        OPEN,
        PageRefusal.METHOD,
    ),
    "loopback": (PageRequest("http://127.0.0.1:6800/", kind="fetch"), OPEN, PageRefusal.ADDRESS),
    "loopback by name": (PageRequest("http://localhost/"), OPEN, PageRefusal.ADDRESS),
    "a number for a host": (PageRequest("http://2130706433/"), OPEN, PageRefusal.ADDRESS),
    "the address of a cloud's credentials": (
        PageRequest("http://169.254.169.254/latest", kind="script"),
        OPEN,
        PageRefusal.ADDRESS,
    ),
    "another port of a permitted host": (
        PageRequest("http://127.0.0.1:8001/", kind="fetch"),
        POLICY,
        PageRefusal.ADDRESS,
    ),
    "a frame from elsewhere": (
        PageRequest("https://ads.example/", is_navigation=True),
        OPEN,
        PageRefusal.SCOPE,
    ),
    "a frame of another port": (
        PageRequest("https://garden.example:8443/", is_navigation=True),
        OPEN,
        PageRefusal.SCOPE,
    ),
    "a socket elsewhere": (
        PageRequest("wss://live.example/", kind="websocket"),
        OPEN,
        PageRefusal.SCOPE,
    ),
    "a socket inside": (
        PageRequest("ws://10.0.0.1/", kind="websocket"),
        OPEN,
        PageRefusal.ADDRESS,
    ),
    "a file": (PageRequest("file:///etc/hostname", kind="fetch"), OPEN, PageRefusal.SCHEME),
    "FTP": (PageRequest("ftp://garden.example/"), OPEN, PageRefusal.SCHEME),
    "a user name": (PageRequest("https://a@garden.example/"), OPEN, PageRefusal.MALFORMED),
    "a window": (PageRequest(SITE, is_popup=True, is_navigation=True), OPEN, PageRefusal.POPUP),
}


@pytest.mark.parametrize(("request_", "policy", "why"), REFUSED.values(), ids=REFUSED)
def test_a_page_does_not_get(request_: PageRequest, policy: PagePolicy, why: PageRefusal) -> None:
    assert decide_page_request(request_, policy) is why
