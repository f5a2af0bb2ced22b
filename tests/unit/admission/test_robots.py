import time

import pytest

from crawler.admission.robots import (
    MAX_BYTES,
    RobotsState,
    allows,
    crawl_delay,
    read_robots,
)

AGENT = "crawler (+https://crawler.example)"
PAGE = "https://example.com/private/a"
EVERYTHING = b"User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize("status", [None, 500, 503, 429, 302, 103])
def test_an_unreadable_file_allows_nothing(status: int | None) -> None:
    rules = read_robots(status)
    assert rules.state is RobotsState.UNREACHABLE
    assert rules.allows_nothing
    assert not allows(rules, PAGE, AGENT)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_a_file_that_does_not_exist_allows_everything(status: int) -> None:
    assert allows(read_robots(status, b"<h1>no</h1>", "text/html"), PAGE, AGENT)


@pytest.mark.parametrize(
    "body", [b"<!DOCTYPE html><form>", b"\xef\xbb\xbf\n <html>", b"<?xml version='1.0'?>"]
)
def test_a_web_page_in_its_place_allows_nothing(body: bytes) -> None:
    rules = read_robots(200, body, "text/html")
    assert rules.state is RobotsState.NOT_ROBOTS_FILE
    assert not allows(rules, PAGE, AGENT)


@pytest.mark.parametrize(
    ("body", "is_allowed"),
    [
        (b"", True),
        (EVERYTHING, False),
        (b"\xef\xbb\xbf" + EVERYTHING, False),
        (EVERYTHING + b"# caf\xe9", False),
        (EVERYTHING.replace(b"\n", b"\r\n"), False),
        (b"User-agent: *\nDisallow: /private\nAllow: /private/a", True),
        (b"User-agent: *\nDisallow: /public", True),
        (b"User-agent: crawler\nDisallow: /private\n\nUser-agent: *\nDisallow:", False),
        (b"User-agent: crawl\nDisallow: /", False),
        (b"User-agent: awler\nDisallow: /", True),
        (b"User-agent: other\nDisallow: /", True),
    ],
)
def test_rules_are_honoured_as_written(body: bytes, is_allowed: bool) -> None:
    assert allows(read_robots(200, body, "text/html"), PAGE, AGENT) is is_allowed


def test_a_path_in_another_encoding_matches_its_escapes() -> None:
    rules = read_robots(200, b"User-agent: *\nDisallow: /caf\xe9")
    assert not allows(rules, "https://example.com/caf%E9/menu", AGENT)
    assert allows(rules, "https://example.com/caf%C3%A9/menu", AGENT)


@pytest.mark.parametrize(
    ("value", "delay"),
    [("5", 5.0), ("0.5", 0.5), ("7200", 30.0), ("1,5", None), ("-3", None), ("nan", None)],
)
def test_crawl_delay_is_capped_and_checked(value: str, delay: float | None) -> None:
    rules = read_robots(200, f"User-agent: *\nCrawl-delay: {value}\nDisallow:".encode())
    assert crawl_delay(rules, AGENT, cap=30.0) == delay
    assert bool(rules.notes) is (delay is None)


def test_a_huge_file_is_cut_at_a_line() -> None:
    line = b"# " + b"x" * 97 + b"\n"
    rules = read_robots(200, EVERYTHING + line * (2 * MAX_BYTES // len(line)))
    assert not allows(rules, PAGE, AGENT)
    assert rules.notes == (f"cut at {MAX_BYTES} bytes",)


COMPLEX = {
    "rules": b"User-agent: *\n" + b"Disallow: /a\n" * 30_000,
    "wildcards": b"User-agent: *\nDisallow: /" + b"*a" * 200 + b"b",
    "agents": b"".join(b"User-agent: a%d\n" % n for n in range(9000)) + b"Disallow: /a\n" * 9000,
}


@pytest.mark.parametrize("body", COMPLEX.values(), ids=COMPLEX)
def test_a_file_too_complex_to_judge_allows_nothing_and_costs_little(body: bytes) -> None:
    started = time.process_time()
    rules = read_robots(200, body)
    assert rules.state is RobotsState.TOO_COMPLEX
    assert not allows(rules, PAGE, AGENT)
    assert time.process_time() - started < 1.0


def test_a_file_at_the_limits_is_judged_in_bounded_time() -> None:
    rules = read_robots(200, b"User-agent: *\n" + b"Disallow: /*a*a*a*a*a*b\n" * 19_000)
    started = time.process_time()
    assert allows(rules, "https://example.com/" + "a" * 2000, AGENT)
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize(
    ("path", "is_allowed"), [("/robots.txt", True), ("/robots.txt/a", False), ("/robots", False)]
)
def test_the_file_itself_may_always_be_read(path: str, is_allowed: bool) -> None:
    rules = read_robots(200, b"User-agent: *\nDisallow: /", "text/plain")

    assert allows(rules, f"https://hall.example{path}", "any") is is_allowed
