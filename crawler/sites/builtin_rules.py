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
    "meta:article:published",
    "meta:og:published_time",
    "meta:published_time",
    "meta:citation_date",
    "meta:citation_online_date",
    "meta:originalpublicationdate",
    "meta:cxenseparse:recs:publishtime",
    "meta:bt:pubdate",
    "meta:rnews:datepublished",
    "meta:publishdate",
    "meta:publish_date",
    "meta:publication_date",
    "meta:dcterms.date",
    "meta:date",
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

IMAGES = (
    "opengraph:og:image",
    "opengraph:og:image:url",
    "opengraph:og:image:secure_url",
    "meta:twitter:image",
    "meta:twitter:image:src",
)
"""The picture that stands for a page where it is shared."""

AUTHORS = (
    "meta:author",
    "opengraph:article:author",
    "meta:parsely-author",
    "meta:sailthru.author",
    "meta:dcterms.creator",
    "meta:dc.creator",
    "meta:citation_author",
    "meta:twitter:author",
)
"""Who wrote it; addresses of profiles are passed over."""


OF_PAGE = "$.mainEntityOfPage[?@['@type']=='WebPage']"
"""The page that a thing is described on, by its node; a text in its stead is often ``True``."""

SYNTAXES = ("jsonld", "microdata", "rdfa", "microformats")


def schema(*paths: str) -> tuple[str, ...]:
    """Return rules for schema.org properties: JSON-LD first, then what the elements say."""
    return tuple(f"{source}:{path}" for source in SYNTAXES for path in paths)
