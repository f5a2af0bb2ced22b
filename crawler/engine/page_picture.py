"""The picture of a page that is ready."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.contracts.picture import Box, Picture
from crawler.contracts.rendering import Shot
from crawler.contracts.site.access import Screenshot
from crawler.engine import page_scripts
from crawler.engine.browser_process import first_line
from crawler.engine.picture_plan import is_cut, plan_picture

if TYPE_CHECKING:
    from playwright.async_api import Page

MAX_BYTES = 16 * 2**20
"""Of one picture."""


async def take_picture(page: "Page", spec: Screenshot, seconds: float) -> Shot | str:
    """Return the picture, or why there is none."""
    from playwright.async_api import Error  # noqa: PLC0415  # loaded with the browser only

    try:
        async with asyncio.timeout(seconds):
            return await _take(page, spec)
    except TimeoutError:
        return "it took too long"
    except Error as error:
        return first_line(error)


async def _take(page: "Page", spec: Screenshot) -> Shot | str:
    """A picture that is too large is taken once more, of as much as can be kept."""
    selectors = list(spec.regions.values())
    picture = plan_picture(spec, await page.evaluate(page_scripts.MEASURE, selectors))
    body = await _shoot(page, spec, picture)
    if len(body) > MAX_BYTES:
        picture = _shortened(picture, MAX_BYTES / len(body))
        body = await _shoot(page, spec, picture)
    if len(body) > MAX_BYTES:
        return f"it has more than {MAX_BYTES} bytes"
    return Shot(body, picture, ("picture_cut",) if is_cut(spec, picture) else ())


async def _shoot(page: "Page", spec: Screenshot, picture: Picture) -> bytes:
    """What is cut off is at the right and the bottom: a clip is counted from what would be shown."""
    return await page.screenshot(
        type="png",
        full_page=spec.area == "page",
        clip={"x": 0, "y": 0, "width": picture.shown.width, "height": picture.shown.height},
        animations="disabled",
        caret="hide",
        scale="device",
        timeout=0,
    )


def _shortened(picture: Picture, share: float) -> Picture:
    """Bytes are spread unevenly over a page: something is left to spare."""
    box = picture.shown
    height = max(1.0, box.height * share * 0.8 // 1)
    return replace(picture, shown=Box(box.x, box.y, box.width, height))
