"""What a notice is, and where its values stand."""

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.sites.builtin_rules import OF_PAGE, PUBLISHED, schema

NOTICE = RecordType(
    name="notice",
    schema_version="notice.v1",
    doc="Something that an office or organisation makes known to the public.",
    schema_types=(
        "SpecialAnnouncement",
        "Article",
        "NewsArticle",
        "ReportageNewsArticle",
        "BackgroundNewsArticle",
        "Report",
        "BlogPosting",
        "LiveBlogPosting",
    ),
    key=("id",),
    fields=(
        FieldSpec(
            "id",
            doc="What the publisher calls the notice; stays when its text is corrected.",
            is_required=True,
            rules=(*schema("$.identifier.value", "$.identifier", "$['@id']"), "feed:id"),
        ),
        FieldSpec(
            "title",
            doc="The heading of the notice.",
            is_required=True,
            rules=(
                *schema("$.headline", "$.name"),
                "page:heading",
                "opengraph:og:title",
                "meta:dcterms.title",
                "meta:dc.title",
                "feed:title",
            ),
        ),
        FieldSpec(
            "published",
            FieldKind.DATE,
            doc="When the notice was first made public; no correction, no coming into force.",
            is_required=True,
            rules=(*schema("$.datePublished", "$.datePosted"), *PUBLISHED, "feed:published"),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page of this one notice.",
            rules=(*schema("$.url", OF_PAGE), "page:url", "feed:link"),
        ),
        FieldSpec(
            "body_markdown",
            FieldKind.MARKDOWN,
            doc="What the notice says, as CommonMark.",
            rules=("content:markdown",),
        ),
    ),
)
