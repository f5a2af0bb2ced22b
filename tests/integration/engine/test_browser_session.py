"""A session in the real browser: each page has it, no other host and no later page does."""

import asyncio
import json
from dataclasses import replace

from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.session import OriginStorage, Session, SessionCookie, SessionUse
from crawler.contracts.site.access import Ready
from tests.e2e.server import Server, Step, page
from tests.integration.engine.rendering import HTML, Desk, at_desk

SHOWN = """<title>x</title><p id=o></p><script>
localStorage.setItem('mark', 'left');
Promise.all([fetch('/api/data').then(a => a.status), fetch(OTHER).then(() => 'got', () => 'kept')])
  .then(said => { o.textContent = JSON.stringify(
    [said, document.cookie, localStorage.getItem('token'), localStorage.length]) + '.' })
</script>"""
TURNED = """<title>x</title><p id=o></p><script>
localStorage.setItem('token', 't-2');
fetch('/api/turn').then(() => { o.textContent = '].' })</script>"""
MOVED = "<script>document.cookie = 'set=here; path=/'; location = '/next'</script>"


def make_session(server: Server) -> Session:
    """One of its cookies is none that Chromium takes."""
    cookie = SessionCookie("sid", "s", "127.0.0.1", True, "/", None, False)
    cookies = (
        replace(cookie, is_http_only=True, same_site="Strict"),
        replace(cookie, name="api", path="/api"),
        replace(cookie, name="till", expires=1e300),
        replace(cookie, name="refused", path="/" + "x" * 2000),
    )
    storage = (
        OriginStorage(server.url("").rstrip("/"), (("token", "t-1"), ("more", '"{}'))),
        OriginStorage("http://127.0.0.1:9", (("token", "of another port"),)),
    )
    return Session(SessionUse("members", "f"), "/none", cookies, storage)


def test_a_page_has_the_session_and_the_next_one_has_it_as_it_was() -> None:
    with Server() as server, Server() as neighbour:
        server.serve("/api/data", page("1"))
        server.serve("/api/turn", Step(b"1", headers=(("Set-Cookie", "sid=s-2; Path=/"),)))
        neighbour.serve("/x", page("1"))
        html = SHOWN.replace("OTHER", json.dumps(neighbour.url("/x")))
        document = Document(
            server.url("/in/page"), HTML, html.encode(), 10.0, session=make_session(server)
        )

        async def show(desk: Desk) -> list[Rendering]:
            plain = replace(document, session=None)
            moved = replace(document, body=MOVED.encode())
            turned = replace(document, body=TURNED.encode())
            shown = [desk.browser.render(each) for each in (document, plain, moved, turned)]
            return [*await asyncio.gather(*shown), await desk.browser.render(document)]

        permits = (server.authority, neighbour.authority)
        session = {"session": {"name": "members"}, "permit_private": permits}
        ready = Ready(text=("].",))
        first, plain, moved, turned, last = at_desk(server, show, ready=ready, **session)

        said = '[[200,"kept"],"till=s","t-1",3].'
        assert said in first.body.decode()
        assert said in last.body.decode()
        assert '[[200,"kept"],"",null,1].' in plain.body.decode()
        asked = [hit.headers.get("cookie", "") for hit in server.log if hit.path == "/api/data"]
        assert sorted(asked) == ["", *["api=s; sid=s; till=s"] * 2]
        assert not neighbour.log, "another port of a host that would be sent the session"
        assert (moved.moved_to, moved.cookies) == (server.url("/next"), (("set", "here"),))
        assert first.changed is plain.changed is last.changed is None
        changed = turned.changed
        assert changed is not None
        assert [(each.name, each.value) for each in changed.cookies] == [("sid", "s-2")]
        assert [each.items for each in changed.storage] == [(("token", "t-2"),)]
