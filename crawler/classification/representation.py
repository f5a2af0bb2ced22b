"""Tell whether a page came in a representation that the rules are for."""

from collections.abc import Collection

from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.rules import Rules
from crawler.contracts.site.access import Wanted
from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import Representation, Snapshot

GIVEN: dict[Wanted, tuple[Representation, ...]] = {
    Representation.HTML: (Representation.HTML,),
    Representation.RENDERED_DOM: (Representation.RENDERED_DOM,),
    Representation.SCREENSHOT: (Representation.RENDERED_DOM,),
    AUTO: (Representation.HTML, Representation.RENDERED_DOM),
}
"""What fetching may give. Pages are read from a document, whatever is kept beside it."""
SOURCES = {
    Representation.FEED: "feed",
    Representation.CALENDAR: "calendar",
    Representation.JSON: "api",
    Representation.SITEMAP: "sitemap",
}
"""The keys of ``collect`` under which data is collected from."""


def find_other_representation(snapshot: Snapshot, rules: Rules) -> Verdict | None:
    """Return the verdict on a page that these rules were never tested on, or None."""
    if rules.fetched is None or snapshot.representation in readable(snapshot, rules):
        return None
    known = " or ".join(readable(snapshot, rules)) or "none"
    seen = f"read as {snapshot.representation}; the rules are for {known}"
    return Verdict(Kind.MEDIA_TYPE, Reason.REPRESENTATION_MISMATCH, (seen,))


def readable(snapshot: Snapshot, rules: Rules) -> Collection[Representation]:
    """Return what the rules may read of a page of this kind, or of data where this is data."""
    if snapshot.representation.is_data:
        return [kind for kind, name in SOURCES.items() if getattr(rules.collect, name) is not None]
    if rules.record.representations or rules.fetched is None:
        return rules.record.representations
    return GIVEN[rules.fetched.of(snapshot.page_kind)]
