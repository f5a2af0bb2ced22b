"""Where a value came from, so that it can be derived again from there."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue


class Source(StrEnum):
    JSONLD = "jsonld"
    MICRODATA = "microdata"
    RDFA = "rdfa"
    MICROFORMATS = "microformats"
    PLUGIN = "plugin"
    """The class names of a publishing plugin."""
    OPENGRAPH = "opengraph"
    META = "meta"
    """A named ``<meta>`` tag, Dublin Core included."""
    STATE = "state"
    """What the page keeps for its own scripts."""
    FEED = "feed"
    """An entry of an RSS, Atom or JSON feed."""
    ICAL = "ical"
    """An event of an iCalendar file."""
    JSON = "json"
    """A row of a JSON response, or any value of one that the page loaded: the evidence cites that."""
    LABEL = "label"
    """The text beside a label."""
    LIST = "list"
    """The entries under a heading."""
    HTML = "html"
    """An element of HTML that says what it holds, such as a time."""
    CSS = "css"
    XPATH = "xpath"
    MODEL = "model"
    """A passage that a language model quoted of the page; never anything it said itself."""
    CONTENT = "content"
    """The part of the page that holds its content, rewritten."""
    PAGE = "page"
    """A property of the observation itself, such as the final URL."""


class Missing(StrEnum):
    """Which of three things an absent value is."""

    ABSENT = "absent"
    """The page has the place, and it is empty."""
    NOT_FOUND = "not_found"
    """The rule matched nothing: suspect the rule."""
    AMBIGUOUS = "ambiguous"
    """Several different values."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The provenance of one value.

    ``locator`` is a normalised JSONPath behind the number of its script block
    (``0:$['offers']['price']``) or the name of an embedded state, an absolute node path
    (``/html/body/article[1]/h2``, with ``/@name`` for an attribute), a ``<meta>`` tag by its
    number in the source (``meta[3]/@content``), or the normalised JSONPath of a value of a feed,
    calendar or JSON response, a space, and the id of its entry where it has one. A list, or
    content of several elements, has one locator a line. ``span`` holds byte offsets in the document where they are known.
    """

    source: Source
    capture_id: str
    digest: str
    locator: str
    raw: str
    rule: str
    rule_version: str
    span: tuple[int, int] | None = None
    span_reason: str | None = None
    """Why there is no span; None exactly when there is one."""
    repairs: tuple[str, ...] = ()
    """What had to be mended before the source could be read."""
    model: str | None = None
    """Who pointed at the passage, as ``provider:name``; None where no model did."""


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value with its evidence, or the explicit lack of one."""

    value: JsonValue
    evidence: Evidence | None
    missing: Missing | None = None
