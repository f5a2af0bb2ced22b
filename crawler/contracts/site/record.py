"""Sections ``record`` and ``content``: what is read from a page, and where it stands."""

from typing import Literal

from pydantic import Field

from crawler.contracts.site.section import RowRule, Rule, Section, Selector
from crawler.contracts.snapshot import Representation

JSONLD_ROWS = "jsonld:"
"""What ``record.each`` begins with where the rows are JSON-LD objects."""
LOADED_PREFIX = "loaded:"
"""What a rule begins with that reads what the page's scripts loaded."""


class RecordRules(Section):
    """What a page's records are and where their values stand."""

    type: str = Field(pattern=r"^[a-z][a-z0-9_]{0,63}$", description="Record type.")
    schema_version: str | None = Field(
        default=None,
        min_length=1,
        max_length=100,
        description="By default the version of the type.",
    )
    each: RowRule | None = Field(
        default=None,
        description="CSS selector of the row of one record, on pages with several; or jsonld: with a "
        "JSONPath of the JSON-LD objects that are one each; or loaded: with that of rows of what the "
        "page's scripts loaded.",
    )
    fields: dict[str, tuple[Rule, ...]] = Field(
        default_factory=dict,
        description="Rules of a field, first with a value wins; a single rule may stand alone.",
    )
    locale: str | None = Field(
        default=None,
        pattern=r"^[a-z]{2}(-[A-Z]{2})?$",
        description="Language of the pages, and its country where that matters (de, en-US): how "
        "1.234 and 4.3.2026 are to be taken.",
    )
    required: tuple[str, ...] = Field(
        default=(), description="Fields required here beside those of the type."
    )
    reject: Literal["batch", "row"] = Field(
        default="batch", description="Whether one bad record rejects all of its page."
    )
    fresh_for: str | None = Field(
        default=None, pattern=r"^\d+[smhd]$", description="How long an observation may be used."
    )
    horizon: str = Field(
        default="3650d",
        pattern=r"^\d+[smhd]$",
        description="How far behind the observation a date may lie.",
    )
    volatile: tuple[str, ...] = Field(
        default=(), description="Fields whose change alone makes no new version of a record."
    )
    representations: tuple[Representation, ...] = Field(
        default=(),
        max_length=3,
        description="Representations of pages that the rules were tested on; by default those that "
        "access.representation may give.",
    )
    compare: tuple[str, ...] | None = Field(
        default=None,
        description="Fields whose sources must agree; by default prices, currencies, dates, status, "
        "availability and article numbers. An empty list compares none.",
    )

    @property
    def row_selector(self) -> str | None:
        """The CSS selector of rows that are elements."""
        is_path = self.row_path or self.loaded_rows
        return None if is_path else self.each

    @property
    def row_path(self) -> str | None:
        """The JSONPath of rows that are JSON-LD objects."""
        each = self.each or ""
        return each.removeprefix(JSONLD_ROWS) if each.startswith(JSONLD_ROWS) else None

    @property
    def loaded_rows(self) -> str | None:
        """Where the rows stand in what the page's scripts loaded: see ``document.loaded``."""
        each = self.each or ""
        return each.removeprefix(LOADED_PREFIX) if each.startswith(LOADED_PREFIX) else None


class ContentRules(Section):
    """Where the content for agents stands, if the page's own signs mislead."""

    zone: Selector | None = Field(
        default=None,
        description="CSS selector of the elements that are the content; by default they are found.",
    )
    noise: tuple[Selector, ...] = Field(
        default=(),
        max_length=100,
        description="CSS selectors of elements that are never content, taken out first.",
    )
