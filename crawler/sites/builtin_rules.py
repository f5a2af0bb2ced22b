"""Default rules that types share."""

PUBLISHED = (
    "opengraph:article:published_time",
    "opengraph:og:article:published_time",
    "meta:dcterms.issued",
    "meta:dc.date.issued",
    "meta:citation_publication_date",
    "meta:datepublished",
    "meta:parsely-pub-date",
    "meta:sailthru.date",
    "meta:article.published",
    "meta:publish-date",
    "meta:pubdate",
    "meta:dc.date",
)
"""When a page was first made public."""

MODIFIED = (
    "opengraph:article:modified_time",
    "opengraph:og:updated_time",
    "meta:dcterms.modified",
    "meta:dc.date.modified",
    "meta:datemodified",
    "meta:article.updated",
)
"""When it was last changed."""

AUTHORS = (
    "meta:author",
    "opengraph:article:author",
    "meta:parsely-author",
    "meta:sailthru.author",
    "meta:dcterms.creator",
    "meta:dc.creator",
    "meta:citation_author",
)
"""Who wrote it; addresses of profiles are passed over."""


OF_PAGE = "$.mainEntityOfPage[?@['@type']=='WebPage']"
"""The page that a thing is described on, by its node; a text in its stead is often ``True``."""

SYNTAXES = ("jsonld", "microdata", "rdfa", "microformats")


def schema(*paths: str) -> tuple[str, ...]:
    """Return rules for schema.org properties: JSON-LD first, then what the elements say."""
    return tuple(f"{source}:{path}" for source in SYNTAXES for path in paths)
