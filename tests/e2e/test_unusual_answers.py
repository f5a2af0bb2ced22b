"""Answers as faulty and hostile servers give them, all in one crawl: each costs itself only."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass

import brotli  # type: ignore[import-untyped]
import pytest

from tests.e2e.bulletins import article, write_bulletins
from tests.e2e.ledger import Row, read_rows
from tests.e2e.project import Finished, Project
from tests.e2e.server import HTML, Script, Server, Step, page, redirect

pytestmark = pytest.mark.e2e

FORM = "<form action=/login><input type=password></form>"
NOTICE = article("notice").encode()
JAPANESE = "国際疾病分類は世界保健機関によって公表されている。"


def typed(body: bytes, kind: str = "text/html", *more: tuple[str, str]) -> Step:
    return Step(body, headers=(("Content-Type", kind), *more))


def named(key: str, title: str) -> str:
    return f"<main>{article(key, f'<h2>{title}</h2>')}</main>"


def refresh(to: str) -> Step:
    return page(f'<head><meta http-equiv="refresh" content="0;url={to}"></head>')


def undelimited(body: str) -> Step:
    """An answer as HTTP/1.0 gave them: nothing but the end of the connection ends its body."""
    return Step(raw=b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + body.encode())


COOKIE_GATE = (
    "<html><body><script>document.cookie = 'gate=1; path=/'; location.reload();</script>"
    "<noscript>Please enable JavaScript.</noscript></body></html>"
)

READ: dict[str, tuple[Step, str]] = {
    "/mark-before-header": (
        typed(b"\xef\xbb\xbf" + named("mark", "Привет").encode(), "text/html; charset=cp1251"),
        "Привет",
    ),
    "/simplified-chinese": (
        typed(named("gb", "腾讯首页镕").encode("gb18030"), "text/html; charset=GB2312"),
        "腾讯首页镕",
    ),
    "/undeclared": (typed(named("jis", JAPANESE).encode("shift_jis")), JAPANESE),
    "/control-characters": (
        typed(
            named("quote", "the lawyer@s withdrawal").encode().replace(b"@", b"\x92"),
            "text/html; charset=iso-8859-1",
        ),
        "the lawyer\u2019s withdrawal",
    ),
    "/nul": (page(f"<p>\x00</p><a href='file:///C:\x001.xml'>x</a>{named('nul', 'After')}"), "After"),
    "/wrapped-in-consent": (
        page(f"<div class=cookie-consent-wrapper><div>Accept?</div>{named('wrap', 'Offers')}</div>"),
        "Offers",
    ),
    "/beside-a-login-box": (page(f"<header>{FORM}</header>{named('box', 'Open')}"), "Open"),
    "/reloads-itself": (
        page(f'<meta http-equiv="refresh" content="30;url=/reloads-itself">{named("live", "Live")}'),
        "Live",
    ),
    "/without-a-length": (
        undelimited(f"<html><body>{named('length', 'To the end')}</body></html>"), "To the end",
    ),
    "/without-a-length-or-a-root": (undelimited(named("root", "Bare")), "Bare"),
    "/packed-twice": (
        typed(gzip.compress(gzip.compress(named("twice", "Unpacked").encode())), HTML,
              ("Content-Encoding", "gzip"), ("Content-Encoding", "gzip")),
        "Unpacked",
    ),
    "/hostile-headers": (
        typed(
            named("headers", "Harmless").encode(),
            HTML,
            ("Referrer-Policy", "os.system"),
            ("Link", '</followed>; rel="canonical"'),
            ("Refresh", "0; url=/followed"),
            ("X-Odd", "\x1b[31mred\u2028".encode().decode("latin-1")),
        ),
        "Harmless",
    ),
}  # fmt: skip
"""What is read all the same, and the title that it has."""
REFUSED: dict[str, tuple[Step, str, int]] = {
    "/half-a-gzip-stream": (
        typed(gzip.compress(NOTICE * 50)[:-60], HTML, ("Content-Encoding", "gzip")),
        "truncated",
        2,
    ),
    "/a-brotli-stream-without-its-end": (
        typed(brotli.compress(NOTICE * 50)[:-1], HTML, ("Content-Encoding", "br")),
        "truncated",
        2,
    ),
    "/shorter-than-announced": (Step(NOTICE + bytes(5000), truncate=len(NOTICE)), "truncated", 2),
    "/empty": (page(""), "incomplete_snapshot", 2),
    "/half-a-page": (undelimited("<html><body>half"), "truncated", 2),
    "/half-a-page-with-a-notice": (undelimited(f"<html><body>{named('half', 'Half')}"), "truncated", 2),
    "/packed-thrice": (
        typed(gzip.compress(gzip.compress(gzip.compress(NOTICE))), HTML,
              ("Content-Encoding", "gzip, gzip"), ("Content-Encoding", "gzip")),
        "representation_mismatch",
        1,
    ),
    "/to-login": (redirect("/login"), "authorization_review", 1),
    "/blocked": (page("<h1>Sorry, you have been blocked</h1>", 403), "challenge_review", 1),
    "/made-up": (
        page('<title>Page not found</title><h1>We could not find it</h1><a href="/x">on</a>'),
        "soft_404",
        1,
    ),
    "/refresh-itself": (refresh("/refresh-itself"), "http_status", 3),
    "/there": (redirect("/and-back"), "http_status", 3),
    "/cookie-and-again": (page(COOKIE_GATE), "challenge_review", 1),
    "/control-in-location": (redirect("/gone\x1b[2J\x1b]0;x\x07"), "gone", 1),
    "/without-end": (Step(raw=b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000), "attempts_exhausted", 2),
    "/many-headers": (
        Step(raw=b"HTTP/1.1 200 OK\r\n" + b"X-Many: 1\r\n" * 20_000 + b"\r\n"), "attempts_exhausted", 2,
    ),
    "/long-location": (redirect("/" + "a" * 9000), "refused_malformed", 1),
}  # fmt: skip
"""What gives no record: reason and requests."""


TURNING = ("/turn", "/fresh")
"""Each leads to itself under another query, by status and by meta element."""


@dataclass(frozen=True, slots=True)
class Crawled:
    server: Server
    finished: Finished
    rows: dict[str, Row]
    titles: list[str]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("unusual")
    (folder / "sites").mkdir()
    project = Project(sites=folder / "sites", data=folder / "data")
    steps: dict[str, Script] = {target: (step,) for target, (step, _) in READ.items()}
    steps |= {target: (step,) for target, (step, _, _) in REFUSED.items()}
    with Server(steps) as server:
        server.serve("/login", page(f"<title>Sign in</title>{FORM}"))
        server.serve("/and-back", redirect("/there"))
        server.compute("/turn", lambda hit: redirect(f"/turn?n={len(server.log)}"))
        server.compute("/fresh", lambda hit: refresh(f"/fresh?n={len(server.log)}"))
        write_bulletins(project, server, *READ, *REFUSED, *TURNING)
        # So many refusals in a row would end it.
        finished = project.scrapy("crawl", "bulletins", settings={"BREAKER_REFUSALS": 0})
        titles = [record["title"] for record in project.records("bulletins")]
        yield Crawled(server, finished, read_rows(project.data, "bulletins"), titles)


@pytest.mark.parametrize("target", READ)
def test_a_page_is_read_whatever_surrounds_it(crawled: Crawled, target: str) -> None:
    assert crawled.rows[target].reason == "eligible"
    assert crawled.server.hits(target) == 1
    assert crawled.titles.count(READ[target][1]) == 1


@pytest.mark.parametrize("target", REFUSED)
def test_an_answer_that_is_no_page_ends_for_its_reason(crawled: Crawled, target: str) -> None:
    _, reason, requests = REFUSED[target]
    row = crawled.rows[target]

    assert (row.state, row.reason) == ("done", reason)
    assert crawled.server.hits(target) == requests


LOOPS = {
    "/refresh-itself": "/refresh-itself was asked for 3 times, hop 3 not followed",
    "/there": "/there was asked for 3 times, hop 6 not followed",
}


@pytest.mark.parametrize("target", LOOPS)
def test_a_redirect_loop_is_named_with_the_address_that_came_round(
    crawled: Crawled, target: str
) -> None:
    detail = crawled.rows[target].detail or ""
    assert detail == f"redirect loop: {crawled.server.url()[:-1]}{LOOPS[target]}"


def test_an_empty_body_is_asked_for_again_for_a_reason(crawled: Crawled) -> None:
    first, last = crawled.rows["/empty"].decisions
    assert (first["action"], first["reason"]) == ("retry", "incomplete_snapshot")
    assert first["benefit"] == "the next answer may have a body"
    assert (last["action"], last["benefit"]) == ("stop", "none: 2 attempts are used up")


@pytest.mark.parametrize(
    ("target", "missing"),
    [("/half-a-page", "no </html>"), ("/half-a-page-with-a-notice", "no </html>")],
)
def test_a_body_that_the_connection_ended_early_is_named(
    crawled: Crawled, target: str, missing: str
) -> None:
    assert (crawled.rows[target].detail or "").startswith(f"partial; {missing}")


def test_a_page_that_only_sets_a_cookie_is_named_as_a_gate(crawled: Crawled) -> None:
    row = crawled.rows["/cookie-and-again"]
    assert (row.kind, row.reason) == ("challenge", "challenge_review")
    assert (row.detail or "").startswith("cookie-reload (generic)")


@pytest.mark.parametrize("target", TURNING)
def test_a_loop_that_changes_its_query_is_bounded(crawled: Crawled, target: str) -> None:
    row = crawled.rows[target]

    assert (row.reason, len(row.hops)) == ("http_status", 20)
    assert "redirect limit" in (row.detail or "")
    assert crawled.server.hits(target) == 21


def test_nothing_else_is_published_or_followed(crawled: Crawled) -> None:
    assert crawled.finished.code == 0
    assert sorted(crawled.titles) == sorted(title for _, title in READ.values())
    assert crawled.server.hits("/followed") == 0


def test_the_log_holds_no_control_character(crawled: Crawled) -> None:
    assert "\x1b" not in crawled.finished.stderr
    assert not any("\x1b" in hit.target for hit in crawled.server.log)


def test_no_refusal_makes_the_crawl_call_itself_otherwise(crawled: Crawled) -> None:
    assert len({hit.headers.get("user-agent") for hit in crawled.server.log}) == 1


def test_the_links_of_a_page_that_is_not_there_are_not_followed(
    project: Project, server: Server
) -> None:
    made_up = page('<title>Page not found</title><h1>Not found</h1><a href="/made-up/2">on</a>')
    server.serve("/made-up/*", made_up)
    write_bulletins(project, server, "/made-up/1", collect={"links": "a[href]"})

    assert project.scrapy("crawl", "bulletins").code == 0

    assert {hit.path for hit in server.log} == {"/robots.txt", "/made-up/1"}
    assert read_rows(project.data, "bulletins")["/made-up/1"].reason == "soft_404"


def test_a_body_without_end_is_cut_when_its_time_is_used_up(
    project: Project, server: Server
) -> None:
    server.serve("/drip", Step(NOTICE * 10, drip=0.05))
    server.serve("/good", page(NOTICE.decode()))
    write_bulletins(project, server, "/drip", "/good", access={"budget": {"seconds": 1}})

    assert project.scrapy("crawl", "bulletins", timeout=30).code == 0

    rows = read_rows(project.data, "bulletins")
    assert (rows["/drip"].reason, rows["/good"].reason) == ("timeout_exhausted", "eligible")


def test_links_of_any_size_and_in_any_order_are_bounded(project: Project, server: Server) -> None:
    many = "&".join(f"p{number}={number}" for number in range(1000))
    targets = ("/" + "a" * 1_000_000, "/" + "s/" * 5000, f"/q?{many}", "/o?a=1&b=2", "/o?b=2&a=1")
    links = "".join(f'<a href="{target}">x</a>' for target in targets)
    server.serve("/list", page(links + NOTICE.decode()))
    server.serve("/o", page(article("ordered")))
    write_bulletins(project, server, "/list", collect={"links": "a"})

    assert project.scrapy("crawl", "bulletins").code == 0

    assert [hit.path for hit in server.log] == ["/robots.txt", "/list", "/o"]
    assert project.outcomes("bulletins")["duplicates"] == 1


def test_after_a_rate_limit_nothing_more_is_asked_for(project: Project, server: Server) -> None:
    targets = [f"/p/{number}" for number in range(10)]
    server.serve("/p/*", page(NOTICE.decode()))
    server.serve("/p/2", page("slow down", 429))
    write_bulletins(project, server, *targets, access={"concurrency": 1})

    crawl = project.scrapy("crawl", "bulletins", settings={"DEFERRAL_MAX_WAIT": 0})

    assert crawl.code == 4, crawl.stderr
    assert [hit.path for hit in server.log] == ["/robots.txt", *targets[:3]]
    assert not any("cookie" in hit.headers for hit in server.log)
    assert read_rows(project.data, "bulletins")["/p/2"].state == "deferred"
