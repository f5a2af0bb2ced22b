"""What is kept beside a rendered document: the JSON that its scripts loaded, and its picture."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bulletins import article, write_bulletins
from tests.e2e.ledger import Row, connected, read_rows
from tests.e2e.project import Finished, Project
from tests.e2e.server import Hit, Server, Step, page

pytestmark = pytest.mark.e2e

JSON = (("Content-Type", "application/json"), ("Set-Cookie", "lamp=lit"))
DONE = "document.querySelector('main').textContent = 'shown'"
MAP = f"""<title>Map</title><main></main><script>
(async () => {{
  const part = key => fetch('/api/notices?board=%s&part=' + key).then(answer => answer.json());
  const late = part(1), early = part(2);  // The first to be asked for is the last to come.
  await early; await late; await fetch('/other/status');
  {DONE}
}})();
</script>"""
ASKS_ONCE = (
    f"<title>Map</title><main></main><script>fetch('%s').finally(() => {{ {DONE} }})</script>"
)
RECORD = {
    "type": "notice",
    "each": "loaded:/api/notices $.notices[*]",
    "fields": {"id": "json:$.id", "title": "json:$.title", "published": "json:$.day", "url": "json:$.href"},
}  # fmt: skip
PAGES = {
    "/map": (page(MAP % "a"), "eligible"),
    "/silent": (page(f"<title>Map</title><main></main><script>{DONE}</script>"), "incomplete_snapshot"),
    "/fails": (page(ASKS_ONCE % "/api/notices?board=broken"), "incomplete_snapshot"),
    "/login": (page(ASKS_ONCE % "/api/notices?board=login"), "incomplete_snapshot"),
    "/refused": (page(ASKS_ONCE.replace("'%s'", "'/api/notices', {method: 'POST'}")), "incomplete_snapshot"),
    "/elsewhere": (page(ASKS_ONCE % "http://127.0.0.2:9/api/notices"), "incomplete_snapshot"),
}  # fmt: skip


def answer(hit: Hit) -> Step:
    """The API: two parts of a board, of which the first is slow; or what is no answer."""
    part = hit.target[-1]
    if "broken" in hit.target:
        return Step(b'{"notices":[]}', 500, JSON)
    if "login" in hit.target:
        return page("<form><input type=password></form>")
    rows = [
        {"id": f"n{part}", "title": f"Notice {part}", "day": "2026-09-10", "href": f"/n/{part}"}
    ]
    return Step(
        json.dumps({"notices": rows}).encode(), headers=JSON, delay=0.3 if part == "1" else 0
    )


@dataclass(frozen=True, slots=True)
class Crawled:
    server: Server
    project: Project
    finished: Finished
    rows: dict[str, Row]
    captures: list[dict[str, Any]]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder: Path = tmp_path_factory.mktemp("captured")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    with Server() as server:
        for target, (step, _) in PAGES.items():
            server.serve(target, step)
        server.compute("/api/notices*", answer)
        server.serve("/other/status", Step(b"{}", headers=JSON))
        access = {
            "representation": "screenshot",
            "screenshot": {"width": 400, "regions": {"text": "main", "map": "#map"}},
            "ready": {"text": ["shown"]},
            "capture": ["/api/**"],
            "permit_private": [server.authority],
            "budget": {"attempts": 1},
        }
        write_bulletins(project, server, *PAGES, record=RECORD, access=access)
        finished = project.scrapy("crawl", "bulletins")
        rows = read_rows(project.data, "bulletins")
        with connected(project.data) as ledger:
            found = ledger.execute("SELECT * FROM captures ORDER BY id").fetchall()
        yield Crawled(server, project, finished, rows, [dict(row) for row in found])


@pytest.mark.parametrize(("target", "reason"), [(key, end) for key, (_, end) in PAGES.items()])
def test_a_page_without_its_data_is_not_whole(crawled: Crawled, target: str, reason: str) -> None:
    row = crawled.rows[target]

    assert (row.reason, row.trace) == (reason, None), (row.detail, crawled.finished.stderr)


DETAILS = {
    "/silent": "/api/notices: nothing that fits was loaded",
    "/fails": "broken: status 500",
    "/login": "login: not_json",
    "/refused": "/api/notices: nothing that fits was loaded",
    "/elsewhere": "/api/notices: nothing that fits was loaded",
}


@pytest.mark.parametrize(("target", "detail"), DETAILS.items())
def test_what_it_lacks_is_said(crawled: Crawled, target: str, detail: str) -> None:
    assert (crawled.rows[target].detail or "").endswith(detail)


def test_records_cite_the_response_they_stand_in(crawled: Crawled) -> None:
    records = crawled.project.records("bulletins")

    assert [record["title"] for record in records] == ["Notice 1", "Notice 2"]
    evidence = records[0]["evidence"]["title"]
    (cited,) = [c for c in crawled.captures if c["capture_id"] == evidence["capture_id"]]
    assert cited["final_url"] == crawled.server.url("/api/notices?board=a&part=1")
    assert (cited["representation"], cited["digest"]) == ("json", evidence["digest"])
    assert (evidence["source"], evidence["locator"]) == ("json", "$['notices'][0]['title']")
    body = crawled.project.scrapy("snapshot", cited["capture_id"]).stdout
    start, end = evidence["span"]
    assert body[start:end] == '"Notice 1"'


def test_only_what_was_asked_for_is_kept_and_without_cookies(crawled: Crawled) -> None:
    kept = [c for c in crawled.captures if c["representation"] == "json" and c["eligible"]]
    described = crawled.project.scrapy("snapshot", kept[0]["capture_id"], "--headers").stdout

    assert [c["final_url"].rpartition("=")[2] for c in kept] == ["1", "2"]
    assert "loaded by: urn:uuid:" in described
    assert "notes: asked for by a script of the page" in described
    assert "set-cookie" not in described.lower()
    assert "'rendering/captured': 4" in crawled.finished.stderr


def test_the_picture_of_a_page_is_evidence_beside_it(crawled: Crawled) -> None:
    (shown,) = [
        c
        for c in crawled.captures
        if c["representation"] == "screenshot" and c["final_url"] == crawled.server.url("/map")
    ]
    (page,) = [c for c in crawled.captures if c["eligible"] and c["media_type"] == "text/html"]
    described = crawled.project.scrapy("snapshot", shown["capture_id"], "--headers").stdout
    target = crawled.project.data.parent / "picture.png"
    crawled.project.scrapy("snapshot", shown["capture_id"], "-o", str(target))

    assert shown["eligible"]
    assert f"picture of: {page['capture_id']}" in described
    assert "shows: 400x720 at 0,0 of 400x720" in described
    assert "region text: main: 384x18 at 8,8" in described
    assert "region map: #map: not found" in described
    assert target.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert "'rendering/pictures': 6" in crawled.finished.stderr


def test_it_is_listed_and_intact(crawled: Crawled) -> None:
    listed = crawled.project.scrapy("snapshots", "bulletins", "--json").json
    explained = crawled.project.scrapy("explain", crawled.server.url("/map")).stdout

    assert sum(each["representation"] == "json" for each in listed) == 4
    assert "/api/notices?board=a&part=2" in explained
    assert crawled.project.scrapy("verify").code == 0


def test_replay_reads_what_was_loaded_then_by_other_rules(crawled: Crawled) -> None:
    project, before = crawled.project, len(crawled.server.log)
    site = project.sites / "bulletins.yaml"
    rules = site.read_text()
    try:
        site.write_text(rules.replace("json:$.title", "json:$.href"))
        (replayed,) = project.scrapy("replay", "bulletins", "--json").json
    finally:
        site.write_text(rules)

    changes = [(each["field"], each["old"], each["new"]) for each in replayed["differences"]]
    assert changes == [("title", "Notice 1", "/n/1"), ("title", "Notice 2", "/n/2")]
    assert len(crawled.server.log) == before


def test_replay_reads_what_was_loaded_then(crawled: Crawled) -> None:
    before = len(crawled.server.log)

    replay = crawled.project.scrapy("replay", "bulletins")

    assert replay.code == 0, replay.stdout
    assert "same; pages read again: 6" in replay.stderr
    assert len(crawled.server.log) == before


LIST = """<title>List</title><canvas></canvas><button>more</button><script>
let part = 0;
const load = () => fetch('/api/list?part=' + ++part);
document.querySelector('button').onclick = load;
load();
</script>"""
"""Its items are painted, and no element ever shows one."""


def list_part(hit: Hit) -> Step:
    """Two items a part, of three parts; there is nothing more behind them."""
    part = int(hit.target[-1])
    items = [f"/n/{2 * part - 1}", f"/n/{2 * part}"]
    body = {"items": [{"link": {"href": href}} for href in items], "total": 6}
    return Step(json.dumps(body).encode(), headers=JSON) if part <= 3 else Step(b"", 204)


def test_a_list_that_is_painted_leads_to_its_pages_by_what_it_loaded(
    project: Project, server: Server
) -> None:
    server.serve("/list", page(LIST))
    server.compute("/api/list*", list_part)
    server.compute("/n/*", lambda hit: page(article(hit.path)))
    place = "loaded:/api/list $"
    write_bulletins(
        project,
        server,
        "/list",
        collect={
            "links": f"{place}.items[*].link.href",
            "complete": {"expected_count": f"{place}.total"},
        },
        access={
            "representation": {"listing": "rendered_dom", "detail": "html"},
            "ready": {},
            "capture": "/api/list",
            "steps": [{"click": "button", "patience": 0.5}],
            "permit_private": [server.authority],
        },
    )

    crawl = project.scrapy("crawl", "bulletins")

    assert crawl.code == 0, crawl.stderr
    rows = read_rows(project.data, "bulletins")
    assert {target: row.reason for target, row in rows.items()} == dict.fromkeys(
        ("/list", *(f"/n/{number}" for number in range(1, 7))), "eligible"
    )
    assert len(project.records("bulletins")) == 6
