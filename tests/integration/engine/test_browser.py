"""The real browser, and pages that would hang, crash, escape or fill it."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from scrapy.exceptions import DownloadFailedError, DownloadTimeoutError

from crawler.admission.refusal import TransferAborted
from crawler.contracts.errors import CrawlerError
from crawler.contracts.rendering import Rendering
from crawler.contracts.site.access import PageMethod, Ready, ResourceKind, Step
from crawler.engine.browser_process import CLOSE_SECONDS
from crawler.engine.chromium import plan_launch
from tests.e2e.processes import list_processes, read_memory
from tests.e2e.server import Server, redirect
from tests.e2e.server import Step as Answer
from tests.integration.engine.rendering import Desk, at_desk

SHELL = "headless"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


def ended(found: Rendering | BaseException) -> str:
    return type(found).__name__


async def gather(*shown: "asyncio.Future[Rendering]") -> list[Rendering | BaseException]:
    return await asyncio.gather(*shown, return_exceptions=True)


# What a page becomes


def test_what_scripts_made_is_read(server: Server) -> None:
    server.serve("/api", Answer(b'"caf\xc3\xa9"', headers=(("Content-Type", "application/json"),)))

    async def show(desk: Desk) -> Rendering:
        return await desk.show(
            "<!DOCTYPE html><title>x</title><p id=o></p><script>"
            "fetch('/api').then(a => a.json()).then(t => { o.textContent = t })</script>",
        )

    rendering = at_desk(server, show, ready=Ready(text=("Café",)))

    assert b'<p id="o">caf\xc3\xa9</p>' in rendering.body
    assert rendering.body.startswith(b"<!DOCTYPE html>\n<html><head>")
    assert (rendering.unmet, rendering.flags) == ((), ())
    assert rendering.readiness == ("text 'Café': shown",)


def test_the_page_is_who_the_crawl_is(server: Server) -> None:
    server.serve("/echo", Answer(b"1"))
    html = "<script>fetch('/echo').then(() => document.body.append(navigator.userAgent))</script>"

    async def show(desk: Desk) -> Rendering:
        return await desk.show(html, cookies=(("lamp", "lit"),))

    rendering = at_desk(server, show, ready=Ready(text=("desk/1",)))

    (hit,) = [hit for hit in server.log if hit.path == "/echo"]
    assert b"desk/1" in rendering.body
    assert (hit.headers["user-agent"], hit.headers["cookie"]) == ("desk/1", "lamp=lit")
    assert hit.headers["accept-language"] == "en"


def test_no_page_learns_of_another(server: Server) -> None:
    async def show(desk: Desk) -> bytes:
        await desk.show("<script>document.cookie = 'a=1'; localStorage.b = 2</script>x")
        rendering = await desk.show(
            "<script>document.write('[' + document.cookie + localStorage.length + ']')</script>"
        )
        return rendering.body

    assert b"[0]" in at_desk(server, show)


def test_an_address_that_a_script_wrote_is_that_of_the_page(server: Server) -> None:
    async def show(desk: Desk) -> Rendering:
        return await desk.show("<p>x</p><script>history.pushState(0, '', '/state#part')</script>")

    assert at_desk(server, show).url == server.url("/state")


def test_a_document_that_is_too_large_is_cut(server: Server) -> None:
    html = "<script>document.write('x'.repeat(3e6))</script>"

    async def show(desk: Desk) -> Rendering:
        return await desk.show(html)

    rendering = at_desk(server, show, budget={"bytes": 2_000_000})

    assert (rendering.flags, len(rendering.body)) == (("too_large",), 1 << 20)


def test_a_page_without_a_type_is_html(server: Server) -> None:
    async def show(desk: Desk) -> Rendering:
        return await desk.show("words first <b>x</b>", headers=())

    assert b"<body>words first <b>x</b></body>" in at_desk(server, show).body


def test_what_a_script_uncovers_is_uncovered(server: Server) -> None:
    html = """<div id="content" style="visibility:hidden"><p>Article</p></div>
    <script>content.style.visibility = "visible"</script>"""

    async def show(desk: Desk) -> Rendering:
        return await desk.show(html)

    assert b'style="visibility: visible;"' in at_desk(server, show).body


# What is waited for

LATE = "setTimeout(() => { %s }, 700)"
OBSERVED: dict[str, tuple[Ready, str]] = {
    "an element comes": (Ready(present=("b",)), LATE % "document.body.innerHTML = '<b>x</b>'"),
    "an element goes": (Ready(absent=("i",)), LATE % "document.querySelector('i').remove()"),
    "a text": (Ready(text=("All  here",)), LATE % "document.body.append('all here')"),
    "a style uncovers a text": (
        Ready(text=("late",)),
        "let h = document.querySelector('i'); h.textContent = 'late'; h.style.display = 'none';"
        + LATE % "h.removeAttribute('style')",
    ),
    "a number of elements": (
        Ready(count={"b": 3}),
        (
            "let n = 0; let t = setInterval(() => { document.body.append("
            "document.createElement('b')); if (++n === 3) clearInterval(t) }, 250)"
        ),
    ),
    "a variable": (Ready(marker="app.isReady"), LATE % "window.app = {isReady: true}"),
    "a document that settles": (
        Ready(dom_quiet=0.4),
        (
            "let n = 0; let t = setInterval(() => { document.body.append('.'); "
            "if (++n === 5) clearInterval(t) }, 150)"
        ),
    ),
    "a network that settles": (Ready(network_quiet=0.3), "fetch('/slow')"),
}


@pytest.mark.parametrize(("ready", "script"), OBSERVED.values(), ids=OBSERVED)
def test_a_page_is_read_when_what_was_asked_for_is_there(
    server: Server, ready: Ready, script: str
) -> None:
    server.serve("/slow", Answer(b"1", delay=0.7))

    async def show(desk: Desk) -> tuple[Rendering, float]:
        started = time.monotonic()
        rendering = await desk.show(f"<body><i>x</i><script>{script}</script>")
        return rendering, time.monotonic() - started

    rendering, seconds = at_desk(server, show, ready=ready)

    assert (rendering.unmet, rendering.flags) == ((), ())
    assert rendering.readiness != ()
    assert seconds > 0.6


NEVER: dict[str, tuple[Ready, str]] = {
    "an element": (Ready(present=("b",)), "b matches nothing"),
    "a number": (Ready(count={"i": 2}), "i matches 1 of 2"),
    "an element that stays": (Ready(absent=("i",)), "i is still there"),
    "a text": (Ready(text=("gone",)), 'the text "gone" is not shown'),
    "a variable": (Ready(marker="a.b.c"), "a.b.c is not set"),
    "no quiet": (Ready(network_quiet=1), "steps and quiet: not reached in time"),
    "no still document": (Ready(dom_quiet=1), "steps and quiet: not reached in time"),
}


@pytest.mark.parametrize(("ready", "what"), NEVER.values(), ids=NEVER)
def test_a_page_that_is_not_ready_in_time_is_kept_with_what_was_missing(
    server: Server, ready: Ready, what: str
) -> None:
    server.serve("/status", Answer(b"1"))
    html = (
        "<i>x</i><u></u><script>setInterval(() => { fetch('/status'); "
        "document.querySelector('u').textContent = Math.random() }, 100)</script>"
    )

    # One that outlasts its seconds raises, see the pages that hang.
    rendering = at_desk(server, lambda desk: desk.show(html, seconds=5), ready=ready)

    assert rendering.readiness == (f"not in time: {what}",)
    assert rendering.flags == ("unsettled",)
    assert b"<i>x</i>" in rendering.body


# Steps

LIST = """<div id=list></div><p id=said>Showing 24 of 96</p><script>
let shown = 0, loading = false;
const more = () => { for (let i = 0; i < 24; i++) { const e = document.createElement('li');
  e.textContent = ++shown; e.style.display = 'block'; e.style.height = '60px';
  document.querySelector('#list').append(e); } };
more();
addEventListener('scroll', () => { if (loading || shown >= 96) return; loading = true;
  setTimeout(() => { more(); loading = false; if (shown >= 96)
    document.querySelector('#said').className = 'end' }, [900, 100, 1600][shown / 24 - 1]) });
</script>"""


@pytest.mark.parametrize(
    ("ready", "step"),
    [
        (Ready(), Step(scroll="html", until=".end")),
        (Ready(count={"li": 96}), Step(scroll="html")),
        (Ready(), Step(scroll="html", patience=2)),
    ],
    ids=["an end marker", "a number", "a round that brings nothing"],
)
def test_a_list_is_scrolled_to_its_end(server: Server, ready: Ready, step: Step) -> None:
    async def show(desk: Desk) -> Rendering:
        return await desk.show(LIST, seconds=20)

    rendering = at_desk(server, show, ready=ready, steps=(step,))

    assert rendering.body.count(b"<li") == 96
    assert rendering.flags == ()


def test_a_list_that_ends_early_is_not_taken_for_whole(server: Server) -> None:
    async def show(desk: Desk) -> Rendering:
        return await desk.show(LIST.replace("shown >= 96", "shown >= 48"), seconds=6)

    steps = (Step(scroll="html", patience=2),)
    rendering = at_desk(server, show, ready=Ready(count={"li": 96}), steps=steps)

    assert rendering.readiness == ("not in time: li matches 48 of 96",)


def test_a_button_is_clicked_until_it_is_gone(server: Server) -> None:
    html = (
        "<button onclick=\"this.insertAdjacentHTML('beforebegin', '<li>x'); "
        "if (document.querySelectorAll('li').length === 5) this.remove()\">more</button>"
    )

    async def show(desk: Desk) -> Rendering:
        return await desk.show(html)

    steps = (Step(click="button", patience=0.5),)
    assert at_desk(server, show, steps=steps).body.count(b"<li>") == 5


def test_rounds_are_bounded(server: Server) -> None:
    html = "<button onclick=\"this.insertAdjacentHTML('beforebegin', '<li>x')\">more</button>"

    async def show(desk: Desk) -> Rendering:
        return await desk.show(html)

    assert at_desk(server, show, steps=(Step(click="button", times=7),)).body.count(b"<li>") == 7


# What a page may not do

STORM = "for (let i = 0; i < 1000; i++) window.open('/popup' + i);"
NATIVE = "const link = document.createElement('a'); link.href = '/popup'; link.target = '_blank';"
DOWNLOADS = (
    "for (let i = 0; i < 100; i++) { const a = document.createElement('a');"
    "a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'a'; a.click(); }"
)
HARMLESS = {
    "dialogs": "alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay'; print();",
    "windows": STORM,
    "windows by links": NATIVE + "for (let i = 0; i < 50; i++) link.click();",
    "downloads": DOWNLOADS,
    "memory": "try { window.a = new ArrayBuffer(2 ** 31) } catch {}",
    "graphics": "document.createElement('canvas').getContext('webgl')",
    "sound": "new (window.AudioContext || Object)()",
    "a service worker": "navigator.serviceWorker.register('/sw.js').catch(() => {})",
    "a frame elsewhere": "document.body.innerHTML += '<iframe src=http://127.0.0.2:9/></iframe>'",
    "a form": "document.body.innerHTML += '<form method=post action=/popup></form>';"
    "document.forms[0].submit()",
}


@pytest.mark.parametrize("script", HARMLESS.values(), ids=HARMLESS)
def test_a_page_that_misbehaves_is_read_like_any_other(server: Server, script: str) -> None:
    html = f"<body><p>x</p><b>there</b><script>{script}</script>"

    async def show(desk: Desk) -> tuple[Rendering, int]:
        rendering = await desk.show(html)
        return rendering, await desk.count_contexts()

    rendering, contexts = at_desk(server, show, ready=Ready(present=("b",)))

    assert b"<b>there</b>" in rendering.body
    assert contexts == 0
    assert not [hit for hit in server.log if hit.path.startswith(("/popup", "/sw"))]


def test_nothing_reaches_an_address_that_is_not_permitted(server: Server) -> None:
    """hostile.md 10 and 11: whatever a page tries, the other server hears nothing."""
    with Server() as internal:
        inside = internal.url("/")
        server.serve("/hop", redirect(inside))
        server.serve("/hop.js", redirect(inside))
        server.serve("/data", Answer(b"1"))
        host = internal.authority
        html = f"""<body><img src="{inside}i"><iframe src="{inside}f"></iframe>
        <iframe src="/hop"></iframe><script src="/hop.js"></script>
        <link rel=prefetch href="{inside}p"><link rel=preconnect href="{inside}">
        <link rel=stylesheet href="{inside}s"><script src="{inside}j"></script>
        <form id=f method=post enctype=multipart/form-data action="{inside}addversion.json"></form>
        <form id=g method=post target=t action="{inside}frame"></form><iframe name=t></iframe>
        <script>
        fetch("{inside}q", {{mode: "no-cors"}}).catch(() => 0);
        fetch("/hop", {{mode: "no-cors"}}).catch(() => 0);
        navigator.sendBeacon("{inside}b", "x");
        new WebSocket("ws://{host}/w"); new EventSource("{inside}e");
        new Worker(URL.createObjectURL(new Blob(['fetch("{inside}k", {{mode: "no-cors"}});'
          + 'new WebSocket("ws://{host}/wk")'])));
        const call = new RTCPeerConnection({{iceServers: [{{urls: "stun:{host}"}},
          {{urls: "turn:{host}?transport=tcp", username: "a", credential: "b"}}]}});
        call.createDataChannel("x"); call.createOffer().then(o => call.setLocalDescription(o));
        window.open("{inside}o"); g.submit(); f.submit();
        fetch("/data").then(() => setTimeout(() => document.body.append("done"), 1000));
        </script>"""

        async def show(desk: Desk) -> Rendering:
            return await desk.show(html)

        rendering = at_desk(
            server,
            show,
            ready=Ready(text=("done",)),
            load=tuple(ResourceKind),
            page_methods=tuple(PageMethod),
        )

        assert b"done" in rendering.body
        assert "refused address" in " ".join(rendering.notes)
        assert internal.log == ()


def test_a_page_cannot_have_its_address_told_elsewhere(server: Server) -> None:
    with Server() as other:
        other.serve("/lib.js", Answer(b"document.body.append('done')"))
        server.serve("/own.js", Answer(b"1"))
        html = f"""<meta name=referrer content=unsafe-url><body><script src="/own.js"></script>
        <script src="{other.url("/lib.js")}"></script>"""

        async def show(desk: Desk) -> Rendering:
            return await desk.show(html, "/doc?token=secret")

        permits = (server.authority, other.authority)
        at_desk(server, show, ready=Ready(text=("done",)), permit_private=permits)

        (own,) = [hit for hit in server.log if hit.path == "/own.js"]
        assert own.headers["referer"] == server.url("/doc?token=secret")
        assert other.log[0].headers["referer"] == server.url("/")


@pytest.mark.parametrize(
    ("access", "paths"),
    [
        ({}, {"/s.css", "/a.js", "/x"}),
        ({"load": (ResourceKind.IMAGES,)}, {"/s.css", "/a.js", "/x", "/i.png"}),
        ({"page_methods": (PageMethod.POST,)}, {"/s.css", "/a.js", "/x", "/post"}),
    ],
    ids=["by default", "images", "posts"],
)
def test_only_what_is_wanted_is_loaded(access: dict[str, object], paths: set[str]) -> None:
    html = """<link rel=stylesheet href=/s.css><script src=/a.js></script><img src=/i.png>
    <video src=/v.mp4></video><script>Promise.allSettled([fetch('/x'),
    fetch('/post', {method: 'POST'})]).then(() => document.body.append('done'))</script>"""
    with Server() as own:
        for path in ("/s.css", "/a.js", "/x", "/i.png", "/v.mp4", "/post"):
            own.serve(path, Answer(b"1"))

        async def show(desk: Desk) -> Rendering:
            return await desk.show(html)

        at_desk(own, show, ready=Ready(text=("done",)), **access)

        assert {hit.path for hit in own.log} == paths


def test_where_scripts_go_is_told_with_the_cookies_for_it(server: Server) -> None:
    async def show(desk: Desk) -> Rendering:
        return await desk.show("<script>document.cookie='a=1'; location = '/next#x'</script>")

    rendering = at_desk(server, show)

    assert (rendering.moved_to, rendering.cookies) == (server.url("/next"), (("a", "1"),))
    assert rendering.body == b""


# How it goes wrong


def test_a_page_that_is_aborted_before_it_began_is_answered(server: Server) -> None:
    async def show(desk: Desk) -> list[Rendering | BaseException]:
        shown = asyncio.ensure_future(desk.show("<b>x</b>"))
        await asyncio.sleep(0)  # Its work is planned, and has not begun.
        desk.browser.abort_all()
        return await asyncio.wait_for(gather(shown), 5)

    assert [ended(each) for each in at_desk(server, show)] == [TransferAborted.__name__]


HANGING = {
    "a loop after load": "setTimeout(() => { while (true) {} }, 50)",
    "a loop at once": "while (true) {}",
    "alerts without end": "while (true) alert(1)",
}


@pytest.mark.parametrize("script", HANGING.values(), ids=HANGING)
def test_a_page_that_hangs_is_killed_at_its_deadline_alone(server: Server, script: str) -> None:
    async def show(desk: Desk) -> tuple[list[Rendering | BaseException], float]:
        await desk.show("<b>warm</b>")
        started = time.monotonic()
        hanging = asyncio.ensure_future(desk.show(f"<script>{script}</script>", seconds=1.5))
        others = [asyncio.ensure_future(desk.show("<b>x</b>")) for _ in range(3)]
        await asyncio.wait({hanging})
        seconds = time.monotonic() - started
        return await gather(hanging, *others), seconds

    (hung, *others), seconds = at_desk(server, show, ready=Ready(present=("b",)))

    assert isinstance(hung, DownloadTimeoutError)
    assert [ended(other) for other in others] == ["Rendering"] * 3
    assert 1.4 < seconds < 1.5 + CLOSE_SECONDS, "it is answered before the browser is done with it"


def test_a_page_that_crashes_fails_alone(server: Server) -> None:
    async def show(desk: Desk) -> list[Rendering | BaseException]:
        await desk.show("<b>warm</b>")
        crashing = asyncio.ensure_future(desk.show("<p>waits</p>"))
        await asyncio.sleep(0.7)
        for pid in list_processes("--type=renderer"):
            os.kill(pid, signal.SIGKILL)
        found = await gather(crashing)
        return [*found, await desk.show("<b>x</b>")]

    crashed, other = at_desk(server, show, ready=Ready(present=("b",)))

    assert isinstance(crashed, DownloadFailedError)
    assert "crashed" in str(crashed)
    assert ended(other) == "Rendering"


@pytest.mark.parametrize("victim", [SHELL, "run-driver"])
def test_a_browser_that_is_killed_is_started_again(server: Server, victim: str) -> None:
    async def show(desk: Desk) -> tuple[list[Rendering | BaseException], int]:
        await desk.show("<b>warm</b>")
        interrupted = asyncio.ensure_future(desk.show("<p>waits</p>"))
        await asyncio.sleep(0.5)
        for pid, command in list_processes(victim).items():
            if "--type=" not in command:
                os.kill(pid, signal.SIGKILL)
        found = await gather(interrupted)
        return [*found, await desk.show("<b>x</b>")], desk.count("browsers")

    (interrupted, other), browsers = at_desk(server, show, ready=Ready(present=("b",)))

    assert isinstance(interrupted, DownloadFailedError)
    assert (ended(other), browsers) == ("Rendering", 2)


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "crawler.engine.browser_process.plan_launch",
        lambda path: replace(plan_launch(path), is_sandboxed=False),
    )


@pytest.mark.usefixtures("no_sandbox")
def test_pages_of_an_untrusted_site_are_not_shown_without_a_sandbox(server: Server) -> None:
    async def show(desk: Desk) -> int:
        with pytest.raises(CrawlerError, match="untrusted asks for the browser's sandbox"):
            await desk.show("<b>x</b>")
        return desk.count("browsers")

    assert at_desk(server, show, untrusted=True) == 0


@pytest.mark.usefixtures("no_sandbox")
def test_a_browser_without_its_sandbox_is_told(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    shown = at_desk(server, lambda desk: desk.show("<b>x</b>"))

    assert ended(shown) == "Rendering"
    assert "the browser runs without its sandbox" in caplog.text


def test_two_browsers_of_one_process_do_not_close_each_other(server: Server) -> None:
    async def show(desk: Desk) -> list[str]:
        other = Desk(server)
        try:
            shown = [await desk.show("<b>x</b>"), await other.show("<b>x</b>")]
            await desk.browser.close()
            shown.append(await other.show("<b>x</b>"))
        finally:
            await other.browser.close()
        return [ended(each) for each in shown]

    assert at_desk(server, show) == ["Rendering"] * 3


def test_restarts_are_bounded(server: Server) -> None:
    async def show(desk: Desk) -> int:
        for _ in range(20):
            await desk.show("<b>x</b>")
            assert desk.browser._process._browser is not None
            await desk.browser._process._browser.close()
        return desk.count("browsers")

    with pytest.raises(CrawlerError, match="ended 6 times in this run"):
        at_desk(server, show)


def test_a_run_that_ends_ends_its_pages(server: Server) -> None:
    async def show(desk: Desk) -> tuple[list[Rendering | BaseException], float]:
        shown = [asyncio.ensure_future(desk.show("<p>waits</p>", seconds=60)) for _ in range(6)]
        await asyncio.sleep(1.5)
        started = time.monotonic()
        desk.browser.abort_all()
        found = await gather(*shown)
        await desk.browser.close()
        return found, time.monotonic() - started

    found, seconds = at_desk(server, show, ready=Ready(present=("b",)))

    assert [ended(each) for each in found] == [TransferAborted.__name__] * 6
    assert seconds < 15, "a minute was left to each"
    assert list_processes(SHELL) == {}
    assert list_processes("run-driver") == {}


def test_pages_and_processes_are_gone_when_their_work_is_done(server: Server) -> None:
    async def show(desk: Desk) -> tuple[int, int, int]:
        await desk.show("<b>x</b>")
        before = len(list_processes(SHELL))
        await gather(*(asyncio.ensure_future(desk.show(f"<b>{n}</b>")) for n in range(24)))
        contexts = await desk.count_contexts()
        for _ in range(100):
            if (after := len(list_processes(SHELL))) <= before + 1:
                break
            await asyncio.sleep(0.1)
        return contexts, before, after

    contexts, before, after = at_desk(server, show, ready=Ready(present=("b",)))

    assert contexts == 0
    assert after <= before + 1


@pytest.mark.slow
def test_many_pages_leave_nothing_behind(server: Server) -> None:
    html = "<p id=o></p><script>o.innerHTML = '<b>x</b>'.repeat(300)</script>"

    async def show(desk: Desk) -> list[tuple[int, int]]:
        seen = []
        for _ in range(3):
            for _ in range(10):
                await gather(*(asyncio.ensure_future(desk.show(html)) for _ in range(4)))
            assert await desk.count_contexts() == 0
            await asyncio.sleep(0.5)
            processes = list_processes()
            seen.append((len(processes), sum(map(read_memory, processes))))
        return seen

    _, early, late = at_desk(server, show, ready=Ready(present=("b",)))

    assert late[0] <= early[0] + 1
    # The driver collects its garbage late: it grows by a fifth, and comes back.
    assert late[1] < 1.3 * early[1]
