"""Default rules that types share."""

PUBLISHED = (
    "opengraph:article:published_time",
    "meta:dcterms.issued",
    "meta:dc.date.issued",
    "meta:citation_publication_date",
    "meta:dc.date",
)
"""When a page was first made public."""


def schema(*paths: str) -> tuple[str, ...]:
    """Return rules for schema.org properties: JSON-LD first, then what the elements say."""
    return tuple(f"{source}:{path}" for source in ("jsonld", "microdata", "rdfa") for path in paths)
