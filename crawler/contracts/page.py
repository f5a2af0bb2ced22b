"""What goes into the interpretation of a page and what comes out of it: the worker's protocol."""

from dataclasses import dataclass, replace
from enum import StrEnum

from crawler.contracts.model import ModelQuestion
from crawler.contracts.outcome import Verdict
from crawler.contracts.record import Candidate, Rejection
from crawler.contracts.snapshot import PageKind, Representation


@dataclass(frozen=True, slots=True)
class Link:
    """A URL found on a listing: absolute, without fragment, not yet admitted."""

    url: str
    page_kind: PageKind
    evidence: str
    """The selector that found it."""
    representation: Representation | None = None
    """What the page is to be read as; None for what the site's pages are read as."""
    unchanged_since: float | None = None
    """Epoch seconds after which it has not changed, as a sitemap says; None where none says so."""
    is_guessed: bool = False
    """Worked out, and on no page: there may be nothing behind it."""


class Shown(StrEnum):
    LINK = "link to"
    PAGER = "pager with pages up to"
    BUTTON = "button"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class MoreSign:
    """What shows a reader that a listing has further parts."""

    shown: Shown
    what: str

    def __str__(self) -> str:
        return f"{self.shown} {self.what}"


@dataclass(frozen=True, slots=True)
class PageReport:
    """Everything one snapshot says under one set of rules; the same bytes for the same input."""

    verdict: Verdict
    candidates: tuple[Candidate, ...] = ()
    """Passed every check that needs only this page."""
    rejections: tuple[Rejection, ...] = ()
    links: tuple[Link, ...] = ()
    beyond: int = 0
    """Links behind as many as are taken from one page."""
    is_cut: bool = False
    """The page lists more than is read from one page."""
    ignored_next: str | None = None
    """What a listing calls the next one, where the site file leads to none."""
    more_sign: MoreSign | None = None
    """What else shows that there is one, likewise."""
    keys: tuple[str, ...] = ()
    """Of all records on a listing, rejected ones too."""
    expected_count: int | None = None
    """How many items the listing says it has, where the site file names the place."""
    notes: tuple[str, ...] = ()
    """Broken JSON-LD blocks and the like: worth knowing, no reason to reject."""
    readiness: tuple[str, ...] = ()
    """What showed that the page was complete."""
    question: ModelQuestion | None = None
    """What a model would have to be asked: fields are open that only it may point at. The rest of
    the report holds without an answer.
    """

    def without_question(self, *notes: str) -> "PageReport":
        """Return the report as it stands without an answer, with *notes* that say why."""
        return replace(self, question=None, notes=(*self.notes, *notes))
