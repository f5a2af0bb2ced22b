"""What the real browser loads for a page, as far as it is to be kept."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from crawler.contracts.rendering import LoadedResponse, Rendering
from crawler.contracts.site.access import PageMethod, Ready, Step
from crawler.engine.page_loads import MAX_LOADS
from tests.e2e.server import Hit, Server, redirect
from tests.e2e.server import Step as Answer
from tests.integration.engine.rendering import Desk, at_desk

JSON = (("Content-Type", "application/json"), ("Set-Cookie", "a=b"), ("X-Total", "7"))
SCRIPT = (("Content-Type", "text/javascript"),)


def script(code: str) -> str:
    return f"<title>x</title><body><script>(async () => {{ {code}; }})()</script>"


PAGES = {
    "in order": script(
        "const late = fetch('/api/late'), early = fetch('/api/early');"
        "await early; await late; await fetch('/api/last')"
    ),
    "not asked for at once": "<body>x<script>setTimeout(() => fetch('/api/early'), 400)</script>",
    "by POST": script("await fetch('/api/post', {method: 'POST', body: '{}', headers: {'X-Key': 'k'}})"),
    "by XMLHttpRequest": script(
        "await new Promise(end => { const asked = new XMLHttpRequest(); asked.onload = end;"
        "asked.open('GET', '/api/early'); asked.send(); })"
    ),
    "ahead of its script": "<link rel=preload href=/api/ahead as=fetch crossorigin><body>x",
    "by a worker": "<body>x<script>new Worker('/worker.js')</script>",
    "redirected": script("await fetch('/api/moved')"),
    "in a frame": "<body>x<iframe src=/frame></iframe>",
    "given up": script(
        "const stop = new AbortController(); const asked = fetch('/api/late', {signal: stop.signal});"
        "stop.abort(); await asked.catch(() => 0); await fetch('/api/early')"
    ),
    "cut off": script("await fetch('/api/broken').then(a => a.text()).catch(() => 0)"),
    "large": script("await fetch('/api/large').then(a => a.text())"),
    "a bomb": script("await fetch('/api/bomb').then(a => a.arrayBuffer())"),
    "no JSON": script("await fetch('/api/page'); await fetch('/api/nothing')"),
    "an error": script("await fetch('/api/error')"),
    "many": script(
        f"for (let n = 0; n < {MAX_LOADS + 2}; n++) await fetch('/api/early?' + n)"
    ),
    "not on the list": script("await fetch('/other'); await fetch('/api/deep/er')"),
    "not in the document": """<title>x</title><body>x<button onclick="fetch('/api/part?' + ++n)">
        more</button><script>let n = 0;</script>""",
    "never": "<body>x<script>fetch('/api/silent')</script>",
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        for name in ("ahead", "last", "post", "deep/er"):
            running.serve(f"/api/{name}", Answer(json.dumps(name).encode(), headers=JSON))
        running.compute("/api/early*", lambda _: Answer(b'"early"', headers=JSON))
        running.compute("/api/part*", _part)
        running.serve("/api/late", Answer(b'"late"', headers=JSON, delay=0.3))
        running.serve("/api/moved", redirect("/api/early"))
        running.serve("/api/large", Answer(b'["' + b"x" * 5 * 2**20 + b'"]', headers=JSON))
        bomb = gzip.compress(b"[" + b" " * 30 * 2**20 + b"]")
        coded = (*JSON, ("Content-Encoding", "gzip"))
        running.serve("/api/bomb", Answer(bomb, headers=coded))
        running.serve("/api/page", Answer(b"<p>x</p>"))
        running.serve("/api/nothing", Answer(b"", 204))
        running.serve("/api/error", Answer(b'{"error": 1}', 500, JSON))
        running.serve("/api/broken", Answer(b"[1, 2]" * 50, headers=JSON, truncate=5))
        running.serve("/api/silent", Answer(is_silent=True))
        running.serve("/worker.js", Answer(b"fetch('/api/early')", headers=SCRIPT))
        running.serve("/other", Answer(b"1", headers=JSON))
        running.serve("/frame", Answer(b"<script>fetch('/api/early')</script>"))
        yield running


def _part(hit: Hit) -> Answer:
    """Three parts, and nothing that is kept behind them."""
    number = int(hit.target.rpartition("?")[2])
    return Answer(b"[%d]" % number, headers=JSON) if number <= 3 else Answer(b"", 204)


@pytest.fixture(scope="module")
def shown(server: Server) -> dict[str, Rendering]:
    """All pages shown by one browser, which keeps what fits."""

    async def show(desk: Desk) -> dict[str, Rendering]:
        renderings = await asyncio.gather(
            *(
                desk.show(html, f"/{number}", seconds=4 if name == "never" else 20)
                for number, (name, html) in enumerate(PAGES.items())
            )
        )
        return dict(zip(PAGES, renderings, strict=True))

    return at_desk(
        server,
        show,
        capture=("/api/*",),
        page_methods=(PageMethod.POST,),
        ready=Ready(network_quiet=0.8),
        steps=(Step(click="button", patience=0.5),),
    )


def loaded(rendering: Rendering) -> list[tuple[str, int]]:
    return [(each.url.rpartition("/api/")[2], each.status) for each in rendering.loaded]


KEPT = {
    "in order": [("late", 200), ("early", 200), ("last", 200)],
    "not asked for at once": [("early", 200)],
    "by POST": [("post", 200)],
    "by XMLHttpRequest": [("early", 200)],
    "redirected": [("early", 200)],
    "ahead of its script": [("ahead", 200)],
    "by a worker": [("early", 200)],
    "in a frame": [("early", 200)],
    "given up": [("early", 200)],
    "large": [("large", 200)],
    "a bomb": [("bomb", 200)],
    "no JSON": [("page", 200)],
    "an error": [("error", 500)],
    "not on the list": [],
    "not in the document": [("part?1", 200), ("part?2", 200), ("part?3", 200)],
}


@pytest.mark.parametrize(("name", "expected"), KEPT.items())
def test_what_fits_is_kept_in_the_order_in_which_it_was_asked_for(
    shown: dict[str, Rendering], name: str, expected: list[tuple[str, int]]
) -> None:
    rendering = shown[name]

    assert loaded(rendering) == expected
    assert rendering.flags == (), rendering.notes


@pytest.mark.parametrize(
    ("name", "flag"),
    [("large", "too_large"), ("no JSON", "not_json"), ("a bomb", "unreadable")],
    ids=str,
)
def test_of_what_is_no_use_the_head_is_kept(
    shown: dict[str, Rendering], name: str, flag: str
) -> None:
    (response,) = shown[name].loaded

    assert (response.flags, response.body) == ((flag,), b"")


def test_a_response_is_kept_without_its_secrets(shown: dict[str, Rendering]) -> None:
    (response,) = shown["by POST"].loaded

    assert (response.method, response.body) == ("POST", b'"post"')
    assert ("x-total", "7") in response.headers
    assert ("x-key", "k") in response.request_headers
    assert not {"cookie", "set-cookie"} & {name for name, _ in names_of(response)}


def names_of(response: LoadedResponse) -> tuple[tuple[str, str], ...]:
    return (*response.headers, *response.request_headers)


LEFT_OUT: dict[str, Any] = {
    "cut off": ("not captured, net::ERR_", []),
    "many": ("not captured, too many: 2", [("early?", 200)] * MAX_LOADS),
    "never": ("not captured, still loading: 1", []),
}


@pytest.mark.parametrize(("name", "note", "kept"), [(k, *v) for k, v in LEFT_OUT.items()], ids=str)
def test_what_is_missing_is_said(
    shown: dict[str, Rendering], name: str, note: str, kept: list[tuple[str, int]]
) -> None:
    rendering = shown[name]

    assert "loads_left_out" in rendering.flags
    assert any(each.startswith(note) for each in rendering.notes), rendering.notes
    assert [(name.rstrip("0123456789"), status) for name, status in loaded(rendering)] == kept


def test_a_page_that_never_loads_it_all_is_not_whole(shown: dict[str, Rendering]) -> None:
    assert "unsettled" in shown["never"].flags


def test_a_page_is_read_when_what_is_waited_for_has_come(server: Server) -> None:
    late = "<body>x<script>setTimeout(() => fetch('/api/early'), 700)</script>"

    async def show(desk: Desk) -> list[Rendering]:
        return [await desk.show(late), await desk.show("<body>x", seconds=6)]

    whole, unready = at_desk(server, show, capture=("/api/*",), ready=Ready(loaded=("/api/*",)))

    assert (loaded(whole), whole.readiness) == ([("early", 200)], ("/api/*: loaded",))
    assert unready.unmet == ("/api/*: nothing that fits was loaded",)
    assert "unsettled" in unready.flags
