"""How much of a page its picture shows: decided from what the page says of itself, which may be lies."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from crawler.contracts.picture import Box, Picture, Region
from crawler.contracts.site.access import Screenshot

MAX_SIDE = 16_000
"""Pixels; Chromium paints what lies beyond 16,384 again from the beginning, or not at all."""
MAX_PIXELS = 24_000_000
"""About a hundred megabytes in the browser's memory."""
MAX_LENGTH = 10_000_000.0
"""CSS pixels; no page is longer."""
MAX_MATCHES = 1_000_000


def plan_picture(spec: Screenshot, measured: Any) -> Picture:
    """Return what the picture will show; *measured* is what ``page_scripts.MEASURE`` returned."""
    facts = measured if isinstance(measured, Mapping) else {}
    page_width, page_height, scroll_x, scroll_y = (
        _length(facts.get(name)) for name in ("width", "height", "scrollX", "scrollY")
    )
    left, top, width, height = (
        (0.0, 0.0, max(page_width, spec.width), max(page_height, spec.height))
        if spec.area == "page"
        else (scroll_x, scroll_y, float(spec.width), float(spec.height))
    )
    width = min(width, MAX_SIDE // spec.scale)
    height = min(height, MAX_SIDE // spec.scale, MAX_PIXELS / spec.scale**2 // width)
    return Picture(
        shown=Box(left, top, width, height),
        page_width=page_width,
        page_height=page_height,
        scroll_x=scroll_x,
        scroll_y=scroll_y,
        scale=spec.scale,
        regions=_read_regions(spec, facts.get("regions")),
    )


def is_cut(spec: Screenshot, picture: Picture) -> bool:
    """Whether a picture shows less of the page, or of the window, than was asked for."""
    whole = (
        (picture.page_width, picture.page_height)
        if spec.area == "page"
        else (spec.width, spec.height)
    )
    return picture.shown.width < whole[0] or picture.shown.height < whole[1]


def _read_regions(spec: Screenshot, found: Any) -> tuple[Region, ...]:
    boxes: Sequence[Any] = found if isinstance(found, list) else ()
    padded = [*boxes, *[None] * len(spec.regions)]
    return tuple(
        _read_region(name, selector, box)
        for (name, selector), box in zip(spec.regions.items(), padded, strict=False)
    )


def _read_region(name: str, selector: str, found: Any) -> Region:
    numbers = found if isinstance(found, list) and len(found) == 5 else [0] * 5
    matches = int(min(_length(numbers[0]), MAX_MATCHES))
    x, y, width, height = map(_coordinate, numbers[1:])
    box = Box(x, y, max(width, 0.0), max(height, 0.0)) if matches else None
    return Region(name, selector, matches, box)


def _coordinate(value: Any) -> float:
    """Return a place on the page, to a hundredth; one to the left of it is negative."""
    if not isinstance(value, int | float) or (isinstance(value, float) and isnan(value)):
        return 0.0
    return round(float(min(max(value, -MAX_LENGTH), MAX_LENGTH)), 2)


def _length(value: Any) -> float:
    return max(_coordinate(value), 0.0)
