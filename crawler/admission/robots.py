"""What a robots file allows (RFC 9309), however it was answered.

Stricter than the RFC where a wrong guess would read pages against the owner's will: an HTML page
in the file's place, and a file too complex to judge in bounded time, allow nothing.
"""

import math
import re
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from protego import Protego

from crawler.document.url import ROBOTS_PATH

MAX_BYTES = 512 * 1024
MAX_RULES = 20_000
MAX_WILDCARDS = 50
MAX_WORK = 500_000
"""Rules times the user agents they are listed under: what the parser has to store."""

_RULE = re.compile(r"\s*(?:dis)?allow\s*:(.*)", re.IGNORECASE)
_AGENT = re.compile(r"\s*user-?\s?agent\s*:", re.IGNORECASE)
_DELAY = re.compile(r"\s*crawl-delay\s*:\s*([^#]*)", re.IGNORECASE)


class RobotsState(StrEnum):
    RULES = "rules"
    NO_FILE = "no_file"
    """The server says that there is none: everything is allowed."""
    UNREACHABLE = "unreachable"
    """Nothing is allowed until the file can be read."""
    REFUSED = "refused"
    """We may not go where the file lies, as the site file stands: nothing is allowed."""
    HOST_REFUSED = "host_refused"
    """We may not connect to the very host: nothing is allowed, its pages neither."""
    NOT_ROBOTS_FILE = "not_robots_file"
    """A web page, such as a login form, stands in its place: nothing is allowed."""
    TOO_COMPLEX = "too_complex"
    """Judging URLs by it could take unbounded time: nothing is allowed."""


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """A robots file as answered, ready to be asked about URLs."""

    state: RobotsState
    notes: tuple[str, ...] = ()
    parser: Protego | None = field(default=None, repr=False, compare=False)

    @property
    def allows_nothing(self) -> bool:
        return self.state not in {RobotsState.RULES, RobotsState.NO_FILE}


def read_robots(status: int | None, body: bytes = b"", content_type: str = "") -> RobotsRules:
    """Return the rules in the final response for a robots file.

    *status* is None when none came (time-out, reset, refused). A redirect that was not followed
    and 429 count as unreachable: neither says that there is no file.
    """
    if status is None or status >= 500 or status == 429 or status < 200 or 300 <= status < 400:
        answer = "no answer" if status is None else f"status {status}"
        return RobotsRules(RobotsState.UNREACHABLE, (answer,))
    if status >= 400:
        return RobotsRules(RobotsState.NO_FILE, (f"status {status}",))
    return _read_file(body, content_type)


def allows(rules: RobotsRules, url: str, user_agent: str) -> bool:
    """The file itself may always be read (RFC 9309, 2.2.2)."""
    if urlsplit(url).path == ROBOTS_PATH:
        return True
    if rules.parser is None:
        return rules.state is RobotsState.NO_FILE
    return rules.parser.can_fetch(url, user_agent)


def crawl_delay(rules: RobotsRules, user_agent: str, *, cap: float) -> float | None:
    """Return the seconds between requests that the file asks for, at most *cap*, or None."""
    delay = rules.parser.crawl_delay(user_agent) if rules.parser is not None else None
    return None if delay is None else min(delay, cap)


def _read_file(body: bytes, content_type: str) -> RobotsRules:
    text, notes = _decode(body)
    if text.lstrip()[:1] == "<":
        return RobotsRules(RobotsState.NOT_ROBOTS_FILE, (content_type[:100] or "no media type",))
    lines = text.splitlines()
    excess = _find_excess(lines)
    if excess is not None:
        return RobotsRules(RobotsState.TOO_COMPLEX, (excess,))
    notes += tuple(map(_describe_ignored_delay, _find_ignored_delays(lines)))
    return RobotsRules(RobotsState.RULES, notes, Protego.parse(text))


def _decode(body: bytes) -> tuple[str, tuple[str, ...]]:
    """Bytes that are not UTF-8 become escapes: that is how such a path stands in a URL."""
    notes: tuple[str, ...] = ()
    if len(body) > MAX_BYTES:
        body = body[: body.rfind(b"\n", 0, MAX_BYTES) + 1]
        notes = (f"cut at {MAX_BYTES} bytes",)
    text = body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", text), notes


def _find_excess(lines: list[str]) -> str | None:
    rules = work = agents = 0
    was_agent = False
    for line in lines:
        if _AGENT.match(line):
            agents, was_agent = (agents + 1 if was_agent else 1), True
        elif rule := _RULE.match(line):
            rules, work, was_agent = rules + 1, work + agents, False
            if rule[1].count("*") > MAX_WILDCARDS:
                return f"a rule with more than {MAX_WILDCARDS} wildcards"
    if rules > MAX_RULES:
        return f"more than {MAX_RULES} rules"
    return f"more than {MAX_WORK} pairs of rule and user agent" if work > MAX_WORK else None


def _find_ignored_delays(lines: list[str]) -> list[str]:
    found = (_DELAY.match(line) for line in lines)
    return [delay[1].strip() for delay in found if delay and not _is_delay(delay[1])][:10]


def _describe_ignored_delay(value: str) -> str:
    return f"crawl-delay {value[:40]!r} ignored"


def _is_delay(text: str) -> bool:
    try:
        return 0 <= float(text) < math.inf
    except ValueError:
        return False
