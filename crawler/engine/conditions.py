"""The readiness of a site file as a browser is asked for it."""

from typing import Any

from crawler.contracts.site.access import Ready, Step

DEFAULT_QUIET = 0.5
"""Seconds without change that are waited for where a site file names no condition."""


def is_named(ready: Ready) -> bool:
    """Tell whether the site file says what a complete page is."""
    return ready != Ready()


def conditions_of(ready: Ready) -> dict[str, Any]:
    """Return what ``page_scripts`` calls conditions; ``quiet`` in milliseconds."""
    has_names = is_named(ready)
    quiet = ready.dom_quiet if has_names else DEFAULT_QUIET
    return {
        "count": [*((selector, 1) for selector in ready.present), *ready.count.items()],
        "absent": list(ready.absent),
        "text": [" ".join(text.split()) for text in ready.text],
        "marker": ready.marker,
        "quiet": 1000 * (quiet or 0.0),
        "loaded": not has_names,
    }


def describe(ready: Ready) -> tuple[str, ...]:
    """Return in words what was observed once all conditions were fulfilled."""
    return (
        *(f"{selector}: present" for selector in ready.present),
        *(f"{selector}: absent" for selector in ready.absent),
        *(f"{selector}: at least {least}" for selector, least in ready.count.items()),
        *(f"text {text!r}: shown" for text in ready.text),
        *(f"{pattern}: loaded" for pattern in ready.loaded),
        *([f"{ready.marker}: set"] if ready.marker else []),
        *([f"document unchanged for {ready.dom_quiet:g} s"] if ready.dom_quiet else []),
        *([f"nothing loading for {ready.network_quiet:g} s"] if ready.network_quiet else []),
    )


def step_argument(step: Step, ready: Ready) -> dict[str, Any]:
    """Return what ``page_scripts.ROUND`` takes. What only waits in a page ends no step."""
    lasting = bool(ready.count or ready.text or ready.marker)
    return {
        "click": step.click,
        "scroll": step.scroll,
        "until": step.until,
        "patience": 1000 * step.patience,
        "isBounded": lasting,
        "conditions": conditions_of(ready),
    }
