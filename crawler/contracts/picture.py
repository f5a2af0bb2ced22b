"""What a picture of a page shows, in CSS pixels of the page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; x and y are counted from the top left of the whole page."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the page that the site file names."""

    name: str
    selector: str
    matches: int
    """Elements that match; of several, the box is that of the first."""
    box: Box | None
    """None when nothing matches."""


@dataclass(frozen=True, slots=True)
class Picture:
    shown: Box
    """The part of the page that is in the picture."""
    page_width: float
    page_height: float
    scroll_x: float
    scroll_y: float
    scale: float
    """Pixels of the picture for one CSS pixel."""
    regions: tuple[Region, ...] = ()
