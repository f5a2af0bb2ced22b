"""What a site file says of rendering, checked as far as it belongs together."""

import re
from collections.abc import Iterator
from typing import Any

from pydantic import JsonValue

from crawler.contracts.snapshot import Representation
from crawler.sites.quoting import shorten
from crawler.sites.selectors import find_selector_fault

Finding = tuple[tuple[str | int, ...], str]

MAX_COUNT = 1_000_000
RENDERED_ONLY = (
    ("steps",),
    ("load",),
    ("page_methods",),
    ("capture",),
    ("ready", "marker"),
    ("ready", "network_quiet"),
    ("ready", "dom_quiet"),
    ("ready", "loaded"),
)
"""Keys of ``access`` that only a running page can fulfil."""

# cssselect has more than browsers: https://www.w3.org/TR/selectors-4/ knows neither.
_NOT_OF_BROWSERS = re.compile(r":contains\(|!=|::")


def find_rendering_faults(data: JsonValue) -> Iterator[Finding]:
    """Return the faults of a file that may be incomplete; other ones were reported before."""
    access = data.get("access") if isinstance(data, dict) else None
    if not isinstance(access, dict):
        return
    wanted = _mapping(access.get("representation")).values()
    if all(each in {Representation.HTML, None} for each in wanted):
        yield from _find_useless_keys(access)
    else:
        yield from _find_foreign_selectors(access)
    if access.get("screenshot") and Representation.SCREENSHOT not in wanted:
        yield ("access", "screenshot"), "expected only with representation: screenshot"
    yield from _find_count_faults(access)
    yield from _find_step_faults(access)


def _find_useless_keys(access: dict[str, Any]) -> Iterator[Finding]:
    for place in RENDERED_ONLY:
        section: Any = access
        for key in place:
            section = section.get(key) if isinstance(section, dict) else None
        if section:
            message = "expected only with representation: rendered_dom, screenshot or auto"
            yield ("access", *place), message


def _find_foreign_selectors(access: dict[str, Any]) -> Iterator[Finding]:
    for place, selector in _browser_selectors(access):
        if isinstance(selector, str) and (found := _NOT_OF_BROWSERS.search(selector)):
            yield place, f"{found[0]!r} is not CSS of browsers, found {shorten(selector)}"


def _browser_selectors(access: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    ready = _mapping(access.get("ready"))
    for name in ("present", "absent", "count"):
        entries = ready.get(name) or ()
        for index, selector in enumerate(entries):
            key = selector if name == "count" else index
            yield ("access", "ready", name, key), selector
    for index, step in enumerate(_steps(access)):
        for name in ("click", "scroll", "until"):
            yield ("access", "steps", index, name), _mapping(step).get(name)
    for name, selector in _mapping(_mapping(access.get("screenshot")).get("regions")).items():
        yield ("access", "screenshot", "regions", name), selector


def _find_count_faults(access: dict[str, Any]) -> Iterator[Finding]:
    counts = _mapping(_mapping(access.get("ready")).get("count"))
    for selector, least in counts.items():
        place = ("access", "ready", "count", selector)
        if fault := find_selector_fault(selector):
            yield place, fault
        elif isinstance(least, int) and not 0 < least <= MAX_COUNT:
            yield place, f"expected a number from 1 to {MAX_COUNT}, found {least}"


def _find_step_faults(access: dict[str, Any]) -> Iterator[Finding]:
    for index, step in enumerate(_steps(access)):
        if isinstance(step, dict) and ("click" in step) == ("scroll" in step):
            yield ("access", "steps", index), "expected either click or scroll"


def _steps(access: dict[str, Any]) -> list[Any]:
    steps = access.get("steps")
    return steps if isinstance(steps, list) else []


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
