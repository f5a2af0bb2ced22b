"""What the pages of one kind have shown of whether they must be rendered."""

from dataclasses import dataclass
from enum import StrEnum

from crawler.contracts.snapshot import PageKind, Representation


class Shown(StrEnum):
    """What one page showed, where its site leaves open whether pages are rendered."""

    WHOLE = "whole"
    """It was whole as it was served."""
    NEEDED = "needed"
    """It was whole only once it was rendered."""
    AT_ONCE = "at_once"
    """It was rendered without a look at what was served."""
    IN_VAIN = "in_vain"
    """So it was, and was not whole even then."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a page is read as when its response has come."""

    representation: Representation
    notes: tuple[str, ...] = ()
    """Why a page is rendered at once though its site file leaves that open."""


@dataclass(frozen=True, slots=True)
class PageNeed:
    """What one page showed of its kind."""

    kind: PageKind
    shown: Shown
    site_hash: str
    missing: str = ""
    """What it lacked as it was served; of a page that needed rendering."""


@dataclass(frozen=True, slots=True)
class RenderingNeed:
    """What the pages of a kind showed, all told; kept from run to run."""

    site_hash: str
    """SHA-256 of the site file under which all of it was seen."""
    in_a_row: int = 0
    """Pages that needed rendering since the last that did not."""
    at_once: int = 0
    """Pages rendered at once since one was last read as it was served."""
    decided: int = 0
    """Pages that were read as they were served, whatever they showed."""
    missing: str = ""
    """What the latest page that needed rendering had lacked."""
