"""Pictures that the real browser takes; their pixels are read with nothing but zlib."""

import asyncio
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from crawler.contracts.picture import Box, Region
from crawler.contracts.rendering import Rendering, Shot
from crawler.contracts.site.access import ResourceKind, Screenshot
from crawler.engine import page_picture
from tests.e2e.server import Server
from tests.e2e.server import Step as Answer
from tests.integration.engine.rendering import Desk, at_desk

RED, GREEN, WHITE = (255, 0, 0), (0, 128, 0), (255, 255, 255)
STYLE = "<!DOCTYPE html><style>body{margin:0}div{position:absolute;width:50px;height:50px}</style>"
PAGE = f"""{STYLE}<title>x</title><p id=o>ready</p>
<div style="left:10px;top:100px;background:red" class=price></div>
<div style="left:10px;top:900px;background:green" class=price></div>"""
MOVING = f"""{STYLE}<style>@keyframes go {{ from {{ background:red }} to {{ background:green }} }}
#a {{ left:0; top:0; animation: go 30s linear forwards }}</style><div id=a></div>x"""
PICTURED = f"{STYLE}<img src=/dot.svg style='position:absolute;left:0;top:0' width=50 height=50>x"
DOT = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50">'
    b'<rect width="50" height="50" fill="red"/></svg>'
)
LYING = f"{STYLE}x<script>Object.defineProperty(Element.prototype, 'scrollHeight', {{get: () => 1e9}})</script>"

NOISE = f"""{STYLE}<canvas width=400 height=900 style="display:block"></canvas><script>
const pen = document.querySelector('canvas').getContext('2d'), image = pen.createImageData(400, 900);
let seed = 1;
for (let n = 0; n < image.data.length; n++)
  image.data[n] = n % 4 == 3 ? 255 : (seed = seed * 48271 % 2147483647) & 255;
pen.putImageData(image, 0, 0);
</script>"""
SHY = """<title>x</title><p>shy</p><script>
const root = document.documentElement;
const read = Object.getOwnPropertyDescriptor(Element.prototype, 'outerHTML').get;
Object.defineProperty(root, 'outerHTML', {get: () => {
  setTimeout(() => { for (;;); }, 0);
  return read.call(root);
}});
</script>"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        running.serve("/dot.svg", Answer(DOT, headers=(("Content-Type", "image/svg+xml"),)))
        yield running


@pytest.fixture(scope="module")
def shown(server: Server) -> dict[str, Rendering]:
    """All pages shown by one browser."""
    regions = {"price": ".price", "map": "#map"}
    wanted = {
        "page": (PAGE, Screenshot(regions=regions)),
        "window": (PAGE, Screenshot(area="viewport", width=400, height=300, scale=2)),
        "scrolled": (
            PAGE + "<script>scrollTo(0, 1500)</script>",
            Screenshot(area="viewport", regions=regions),
        ),
        "moving": (MOVING, Screenshot(area="viewport")),
        "without images": (PICTURED, Screenshot(area="viewport")),
        "long": (f"{STYLE}<div style='height:90000px'></div>", Screenshot()),
        "lying": (LYING, Screenshot(width=200, height=200)),
        "shy": (SHY, Screenshot()),
        "none": (PAGE, None),
    }

    async def show(desk: Desk) -> dict[str, Rendering]:
        renderings = await asyncio.gather(
            *(
                desk.show(html, f"/{number}", screenshot=spec, seconds=5 if html == SHY else 20)
                for number, (html, spec) in enumerate(wanted.values())
            )
        )
        return dict(zip(wanted, renderings, strict=True))

    return at_desk(server, show)


def shot_of(rendering: Rendering) -> Shot:
    assert rendering.shot is not None, rendering.notes
    return rendering.shot


def test_the_whole_page_is_in_it_with_its_regions(shown: dict[str, Rendering]) -> None:
    shot = shot_of(shown["page"])
    picture = Pixels(shot.body)

    assert (picture.width, picture.height) == (1280, 950)
    assert (picture.at(20, 110), picture.at(20, 910), picture.at(200, 110)) == (RED, GREEN, WHITE)
    assert shot.picture.shown == Box(0, 0, 1280, 950)
    assert shot.picture.regions == (
        Region("price", ".price", 2, Box(10, 100, 50, 50)),
        Region("map", "#map", 0, None),
    )
    assert shot.flags == ()
    assert b"ready" in shown["page"].body, "the document is read as well"


def test_a_window_shows_a_part_as_sharp_as_was_asked_for(shown: dict[str, Rendering]) -> None:
    shot = shot_of(shown["window"])
    picture = Pixels(shot.body)

    assert (picture.width, picture.height) == (800, 600)
    assert (picture.at(40, 220), picture.at(40, 180)) == (RED, WHITE)
    assert (shot.picture.page_height, shot.picture.scale) == (950, 2)


def test_boxes_are_counted_from_the_top_of_the_page(shown: dict[str, Rendering]) -> None:
    shot = shot_of(shown["scrolled"])

    assert shot.picture.scroll_y == 230, "as far as the page goes"
    assert shot.picture.shown == Box(0, 230, 1280, 720)
    assert shot.picture.regions[0].box == Box(10, 100, 50, 50)
    assert Pixels(shot.body).at(20, 910 - 230) == GREEN


def test_what_moves_is_at_its_end(shown: dict[str, Rendering]) -> None:
    assert Pixels(shot_of(shown["moving"]).body).at(10, 10) == GREEN


@pytest.fixture(scope="module")
def bounded(server: Server) -> Iterator[dict[str, Rendering]]:
    """Pages with their images, by a browser whose pictures must be small."""
    whole = Screenshot(width=400, height=200)

    async def show(desk: Desk) -> dict[str, Rendering]:
        return {
            "with images": await desk.show(PICTURED, screenshot=Screenshot(area="viewport")),
            "noise": await desk.show(NOISE, screenshot=whole),
        }

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_picture, "MAX_BYTES", 200_000)
        yield at_desk(server, show, load=(ResourceKind.IMAGES,))


def test_images_are_in_it_only_where_they_may_be_loaded(
    shown: dict[str, Rendering], bounded: dict[str, Rendering]
) -> None:
    assert Pixels(shot_of(shown["without images"]).body).at(25, 25) == WHITE
    assert Pixels(shot_of(bounded["with images"]).body).at(25, 25) == RED


def test_of_a_picture_that_is_too_large_the_beginning_is_kept(
    bounded: dict[str, Rendering],
) -> None:
    shot = shot_of(bounded["noise"])

    assert 100_000 < len(shot.body) <= 200_000
    assert shot.flags == ("picture_cut",)
    assert Pixels(shot.body).height == shot.picture.shown.height < shot.picture.page_height


def test_a_long_page_is_cut_and_it_is_said(shown: dict[str, Rendering]) -> None:
    shot = shot_of(shown["long"])

    assert Pixels(shot.body).height == 16_000
    assert shot.picture.page_height == 90_000
    assert shot.flags == ("picture_cut",)


def test_a_page_that_lies_about_its_size_costs_nobody_more(shown: dict[str, Rendering]) -> None:
    picture = Pixels(shot_of(shown["lying"]).body)

    assert picture.height <= 16_000


def test_a_page_that_stops_when_it_was_read_is_kept_without_its_picture(
    shown: dict[str, Rendering],
) -> None:
    rendering = shown["shy"]

    assert rendering.shot is None
    assert b"shy" in rendering.body
    assert rendering.notes == ("no picture: it took too long",)
    assert rendering.flags == ()


def test_without_a_wish_no_picture_is_taken(shown: dict[str, Rendering]) -> None:
    assert shown["none"].shot is None


class Pixels:
    """The colours of a PNG of eight bits a channel."""

    def __init__(self, body: bytes) -> None:
        chunks = dict[bytes, bytes]()
        position = 8
        while position < len(body):
            (length,) = struct.unpack_from(">I", body, position)
            kind = body[position + 4 : position + 8]
            chunks[kind] = chunks.get(kind, b"") + body[position + 8 : position + 8 + length]
            position += 12 + length
        self.width, self.height, depth, colour = struct.unpack_from(">IIBB", chunks[b"IHDR"])
        assert depth == 8
        self._channels = {2: 3, 6: 4}[colour]
        self._data = zlib.decompress(chunks[b"IDAT"])

    def at(self, x: int, y: int) -> tuple[int, ...]:
        row = self._rows(y)
        return tuple(row[x * self._channels : x * self._channels + 3])

    def _rows(self, last: int) -> bytearray:
        """Undo the filters (PNG, 9.2) of the rows up to *last*, and return that one."""
        step, size = self._channels, self.width * self._channels
        above = bytearray(size)
        for y in range(last + 1):
            start = y * (size + 1)
            kind, row = self._data[start], bytearray(self._data[start + 1 : start + 1 + size])
            if kind:
                _unfilter(kind, row, above, step)
            above = row
        return above


def _unfilter(kind: int, row: bytearray, above: bytearray, step: int) -> None:
    for index in range(len(row)):
        left = row[index - step] if index >= step else 0
        corner = above[index - step] if index >= step else 0
        row[index] = (row[index] + PREDICTORS[kind](left, above[index], corner)) & 255


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


PREDICTORS: dict[int, Any] = {
    1: lambda left, up, corner: left,
    2: lambda left, up, corner: up,
    3: lambda left, up, corner: (left + up) // 2,
    4: _paeth,
}
