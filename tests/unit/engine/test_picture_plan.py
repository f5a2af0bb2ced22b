from math import inf, nan
from typing import Any

import pytest

from crawler.contracts.picture import Box, Region
from crawler.contracts.site.access import Screenshot
from crawler.engine.picture_plan import MAX_PIXELS, MAX_SIDE, is_cut, plan_picture

PAGE, VIEWPORT = Screenshot(), Screenshot(area="viewport")


def measured(width: Any = 1280, height: Any = 2000, **more: Any) -> dict[str, Any]:
    return {"width": width, "height": height, "scrollX": 0, "scrollY": 0, "regions": [], **more}


SHOWN = {
    "a page": (PAGE, measured(), Box(0, 0, 1280, 2000), False),
    "a page shorter than the window": (PAGE, measured(height=90), Box(0, 0, 1280, 720), False),
    "a page wider than the window": (PAGE, measured(3000), Box(0, 0, 3000, 2000), False),
    "a page that is scrolled": (PAGE, measured(scrollY=900), Box(0, 0, 1280, 2000), False),
    "a window": (VIEWPORT, measured(), Box(0, 0, 1280, 720), False),
    "a window that is scrolled": (VIEWPORT, measured(scrollY=900), Box(0, 900, 1280, 720), False),
    "a window of many pixels": (
        Screenshot(area="viewport", width=3000, height=3000, scale=3),
        measured(),
        Box(0, 0, 3000, 888),
        True,
    ),
    "a long page": (PAGE, measured(height=100_000), Box(0, 0, 1280, 16_000), True),
    "a long and wide page": (PAGE, measured(4_000, 50_000), Box(0, 0, 4_000, 6_000), True),
    "a page of great width": (PAGE, measured(90_000), Box(0, 0, 16_000, 1_500), True),
    "a long page of many pixels": (
        Screenshot(scale=2),
        measured(height=100_000),
        Box(0, 0, 1280, 4_687),
        True,
    ),
}


@pytest.mark.parametrize(("spec", "page", "shown", "cut"), SHOWN.values(), ids=SHOWN)
def test_a_picture_shows_the_page_as_far_as_it_may(
    spec: Screenshot, page: dict[str, Any], shown: Box, *, cut: bool
) -> None:
    picture = plan_picture(spec, page)

    assert picture.shown == shown
    assert is_cut(spec, picture) is cut
    pixels = (shown.width * spec.scale, shown.height * spec.scale)
    assert max(pixels) <= MAX_SIDE
    assert pixels[0] * pixels[1] <= MAX_PIXELS


LIES: list[Any] = [None, "long", -5, nan, inf, -inf, 10**400, True, [1], {}]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: repr(lie)[:8])
def test_what_a_page_says_of_itself_is_bounded(lie: Any) -> None:
    spec = Screenshot(regions={"a": "p", "b": "q"})
    page = measured(lie, lie, scrollX=lie, scrollY=lie, regions=[[1, lie, lie, lie, lie], lie])

    picture = plan_picture(spec, page)

    assert plan_picture(spec, lie).shown == Box(0, 0, 1280, 720)
    assert 200 <= picture.shown.width <= MAX_SIDE
    assert 200 <= picture.shown.height <= MAX_SIDE
    assert [region.name for region in picture.regions] == ["a", "b"]
    assert picture.regions[1].box is None


def test_a_region_that_is_not_there_is_said_to_be_missing() -> None:
    spec = Screenshot(regions={"price": ".price", "map": "#map", "foot": "footer"})
    page = measured(regions=[[3, 10.004, 20.5, 30, 40], [0, 0, 0, 0, 0]])

    regions = plan_picture(spec, page).regions

    assert regions == (
        Region("price", ".price", 3, Box(10.0, 20.5, 30, 40)),
        Region("map", "#map", 0, None),
        Region("foot", "footer", 0, None),
    )
