"""Pages for members: asked for with a session, left alone once it has ended."""

import gzip
from collections import Counter

import pytest

from crawler.ledger.database import ledger_url
from crawler.ledger.sessions import SessionHold
from tests.e2e.bulletins import write_bulletins
from tests.e2e.ledger import read_ends, read_rows, read_versions
from tests.e2e.processes import Crawls, wait_until
from tests.e2e.project import Finished, Project
from tests.e2e.server import Hit, Server, Step, page
from tests.e2e.sessions import (
    NAME,
    MembersOnly,
    cookie,
    save_session,
    sessions_dir,
    to_login,
    token_of,
)

pytestmark = pytest.mark.e2e

SITE = "bulletins"
EXPIRED, BUSY = 6, 7


def write_site(project: Project, server: Server, **session: str) -> None:
    access = {
        "session": {"name": NAME, **session} if session else NAME,
        "concurrency": 1,
        "permit_private": [server.authority],
    }
    write_bulletins(project, server, "/list", collect={"links": "a"}, access=access)


def count_outcomes(project: Project) -> dict[str, int]:
    """Return how many rows ended as what; those that wait are ``open``."""
    rows = read_rows(project.data, SITE).values()
    return dict(Counter(row.reason or f"open, {row.state}" for row in rows))


def crawl(project: Project) -> Finished:
    settings = {"SESSIONS_DIR": sessions_dir(project), "LOG_LEVEL": "DEBUG", "COOKIES_DEBUG": True}
    return project.scrapy("crawl", SITE, settings=settings)


def test_a_session_that_ends_stops_the_run_and_the_next_one_ends_the_cycle(
    project: Project, server: Server
) -> None:
    site = MembersOnly(server, pages=8, is_turning=True, uses={"c4n4ry-1": 3, "c4n4ry-2": 99})
    write_site(project, server)
    path = save_session(project, SITE, cookie("c4n4ry-1"))

    first = crawl(project)
    asked = len(server.log)
    left = count_outcomes(project)
    path.write_text(path.read_text().replace(", ", " , "))  # another file, the same session
    again = crawl(project)

    assert first.code == again.code == EXPIRED, first.stderr
    assert f"sign in again, save the storage state to {path} and crawl again" in first.stderr
    assert f"{SITE}: session_expired (4 eligible, 1 session_expired; 3 records)" in first.stderr
    assert "Traceback" not in first.stderr + again.stderr
    assert left == {"eligible": 4, "session_expired": 1, "open, pending": 4}
    tokens = [token_of(hit) for hit in site.hits]
    assert tokens == [f"c4n4ry-1{'+' * number}" for number in range(4)], (
        "nothing more is sent once a page has asked to sign in"
    )
    assert len(server.log) == asked, "nothing at all is sent with a session that has ended"
    assert read_ends(project.data) == ["session_expired"]

    save_session(project, SITE, cookie("c4n4ry-2"))
    last = crawl(project)
    listing = project.scrapy("explain", server.url("/list"))
    capture = next(line for line in listing.stdout.splitlines() if "capture" in line)
    name = next(word for word in capture.split() if word.startswith("urn:uuid:"))
    described = project.scrapy("snapshot", name, "--headers")

    assert last.code == 0, last.stderr
    assert "of cycle 1 (continued)" in last.stderr
    assert count_outcomes(project) == {"eligible": 9}
    assert capture.endswith(f"session {NAME}")
    assert f"session: {NAME}" in described.stdout
    robots = [hit for hit in server.log if hit.path == "/robots.txt"]
    assert all("cookie" not in hit.headers for hit in robots)
    shown = [first, again, last, listing, described]
    assert_nowhere(
        "c4n4ry", project, *(text for each in shown for text in (each.stdout, each.stderr))
    )


def assert_nowhere(secret: str, project: Project, *texts: str) -> None:
    files = [path for path in project.data.rglob("*") if path.is_file()]
    stored = [
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in files
    ]
    assert len(stored) > 2
    assert [path for path, body in zip(files, stored, strict=True) if secret.encode() in body] == []
    assert [text for text in texts if secret in text] == []


SIGNED_OUT = page("<main><a class=sign-in>Sign in</a><article data-id=teaser></article></main>")
WALLS: dict[str, tuple[Step, str]] = {
    "a redirect to one that robots.txt forbids": (to_login(), "User-agent: *\nDisallow: /login"),
    "a page that only a worker knows for one": (SIGNED_OUT, ""),
}


IN_FLIGHT = 1
"""Pages that are under way while it is being found out."""


@pytest.mark.parametrize("wall", WALLS)
def test_however_a_site_says_so_a_session_that_has_ended_ends_the_run(
    project: Project, server: Server, wall: str
) -> None:
    step, robots = WALLS[wall]
    site = MembersOnly(server, pages=6, wall=step, uses={"a": 2})
    server.serve("/robots.txt", page(robots) if robots else page("", 404))
    write_site(project, server, signed_out="a.sign-in")
    save_session(project, SITE, cookie("a"))

    finished = crawl(project)

    assert finished.code == EXPIRED, finished.stderr
    outcomes = count_outcomes(project)
    assert outcomes.keys() == {"eligible", "session_expired", "open, pending"}
    assert outcomes["eligible"] == 3
    assert 1 <= outcomes["session_expired"] <= 1 + IN_FLIGHT
    assert len(site.hits) <= 3 + IN_FLIGHT


def test_a_session_is_one_workers_until_it_is_killed(
    project: Project, server: Server, crawls: Crawls
) -> None:
    site = MembersOnly(server, pages=3, uses={"a": 99})
    site.is_open.clear()
    write_site(project, server)
    save_session(project, SITE, cookie("a"))
    settings = {"SESSIONS_DIR": sessions_dir(project)}
    holder = crawls.start(SITE, {**settings, "USER_AGENT": "holder"})
    assert wait_until(lambda: bool(site.hits), 30)

    other = project.scrapy("crawl", SITE, settings={**settings, "USER_AGENT": "other"})
    is_held = holder.is_running
    holder.kill()
    site.is_open.set()
    heir = project.scrapy("crawl", SITE, settings={**settings, "USER_AGENT": "heir"})

    assert is_held
    assert (other.code, heir.code) == (BUSY, 0), other.stderr + heir.stderr
    assert "belongs to one at a time" in other.stderr
    assert "Traceback" not in other.stderr
    assert {hit.headers["user-agent"] for hit in server.log} == {"holder", "heir"}
    assert count_outcomes(project) == {"eligible": 4}


def test_a_session_that_another_worker_takes_meanwhile_stops_the_run(
    project: Project, server: Server
) -> None:
    site = MembersOnly(server, pages=6, uses={"a": 99})
    taken: list[SessionHold] = []

    def take(_: Hit) -> Step:
        """The lock goes without a word, as with a connection to PostgreSQL."""
        for lock in (project.data / "locks").glob("session-*.lock"):
            lock.unlink()
            taken.append(SessionHold(ledger_url(project.data), SITE, NAME))
        return page("<main>last</main>")

    server.compute("/p/1", take)
    write_site(project, server)
    save_session(project, SITE, cookie("a"))

    finished = crawl(project)

    assert finished.code == BUSY, finished.stderr
    assert "Traceback" not in finished.stderr
    assert f"{SITE}: another worker has the session '{NAME}'" in finished.stderr
    [hold] = taken
    hold.release()
    assert [hit.path for hit in site.hits][-1] == "/p/1", "nothing is sent once it is another's"
    assert count_outcomes(project)["open, pending"] >= 4
    assert read_ends(project.data) == ["session_busy"]


def test_a_session_without_its_file_is_one_error_and_no_request(
    project: Project, server: Server
) -> None:
    write_site(project, server)
    path = sessions_dir(project) / f"{SITE}.{NAME}.json"

    finished = crawl(project)

    assert finished.code == 2
    assert finished.stderr.startswith(f"{path}: no such file; save the storage")
    assert "Traceback" not in finished.stderr
    assert not server.log


RENDERED = """<title>Board</title><main></main><script>
fetch('/api' + location.pathname, {headers: {'X-Token': localStorage.getItem('token')}})
  .then(answer => answer.ok ? answer.text() : (location = '/login', ''))
  .then(html => document.querySelector('main').innerHTML = html)
</script>"""


def test_rendered_pages_have_the_session_until_one_is_led_to_sign_in(
    project: Project, server: Server
) -> None:
    site = MembersOnly(server, pages=4, is_turning=True, uses={"c4n4ry-1": 2})
    links = "".join(f"<a href=/p/{number}>x</a>" for number in range(4))
    server.serve("/list", page(f"<main>{links}</main>"))
    server.serve("/p/*", page(RENDERED))
    site.serve_data("/api/p/*")
    access = {
        "session": NAME,
        "concurrency": 1,
        "representation": "rendered_dom",
        "ready": {"present": ["main > *"]},
        "capture": ["/api/**"],
        "permit_private": [server.authority],
    }
    write_bulletins(project, server, "/list", collect={"links": "a"}, access=access)
    origin = server.url("").rstrip("/")
    stored = [{"origin": origin, "localStorage": [{"name": "token", "value": "c4n4ry-0"}]}]
    save_session(project, SITE, cookie("c4n4ry-1"), origins=stored)

    finished = crawl(project)

    assert finished.code == EXPIRED, finished.stderr
    assert count_outcomes(project) == {"eligible": 3, "session_expired": 1, "open, pending": 1}
    asked = [hit.headers for hit in server.log if hit.path.startswith("/api/")]
    assert [sent["cookie"].count("+") for sent in asked[:3]] == [0, 1, 2], (
        "each is asked with the last"
    )
    assert {sent["x-token"] for sent in asked} == {"c4n4ry-0"}
    assert set(read_versions(project.data, SITE)) == {"/api/p/0", "/api/p/1"}
    assert_nowhere("c4n4ry", project, finished.stdout, finished.stderr)


def test_a_token_that_is_renewed_on_a_way_through_sign_in_ends_nothing(
    project: Project, server: Server
) -> None:
    MembersOnly(server, pages=6, wall=to_login(), uses={"a": 2, "b": 99})
    renewed = (("Set-Cookie", "token=b; Path=/"),)
    server.compute(
        "/login",
        lambda hit: Step(status=302, headers=(("Location", "/p/2?again"), *renewed)),
    )
    write_site(project, server)
    save_session(project, SITE, cookie("a"))

    finished = crawl(project)

    assert finished.code == 0, finished.stderr
    assert count_outcomes(project) == {"eligible": 7}
    assert server.hits("/login") <= 1 + IN_FLIGHT
