"""What an article is, and where its values stand."""

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.sites.builtin_rules import AUTHORS, IMAGES, MODIFIED, OF_PAGE, PUBLISHED, schema

ARTICLE = RecordType(
    name="article",
    schema_version="article.v1",
    doc="A text that someone published under a headline.",
    schema_types=(
        "Article",
        "AdvertiserContentArticle",
        "NewsArticle",
        "AnalysisNewsArticle",
        "AskPublicNewsArticle",
        "BackgroundNewsArticle",
        "OpinionNewsArticle",
        "ReportageNewsArticle",
        "ReviewNewsArticle",
        "Report",
        "SatiricalArticle",
        "ScholarlyArticle",
        "MedicalScholarlyArticle",
        "TechArticle",
        "APIReference",
        "SocialMediaPosting",
        "BlogPosting",
        "LiveBlogPosting",
        "DiscussionForumPosting",
    ),
    key=("url",),
    fields=(
        FieldSpec(
            "headline",
            doc="The heading of the article.",
            is_required=True,
            rules=(
                *schema("$.headline", "$.name"),
                "page:heading",
                "opengraph:og:title",
                "meta:dcterms.title",
                "meta:dc.title",
                "meta:citation_title",
                "feed:title",
            ),
        ),
        FieldSpec(
            "published_at",
            FieldKind.DATE,
            doc="When the article was first published; not when it was changed, nor when it was read.",
            rules=(
                *schema("$.datePublished"),
                *PUBLISHED,
                "html:published",
                "label:published",
                "feed:published",
            ),
        ),
        FieldSpec(
            "modified_at",
            FieldKind.DATE,
            doc="When the article was last changed; never the day of its publication in its place.",
            rules=(
                *schema("$.dateModified"),
                *MODIFIED,
                "html:modified",
                "label:modified",
                "feed:updated",
            ),
        ),
        FieldSpec(
            "authors",
            FieldKind.NAMES,
            doc="Who wrote it, by name.",
            rules=(*schema("$.author"), *AUTHORS, "html:author", "feed:authors"),
        ),
        FieldSpec(
            "description",
            FieldKind.PROSE,
            doc="What the publisher says of it in short.",
            rules=(
                *schema("$.description"),
                "opengraph:og:description",
                "meta:description",
                "feed:summary",
            ),
        ),
        FieldSpec(
            "image",
            FieldKind.IMAGE,
            doc="The picture that stands for the article.",
            rules=(*schema("$.image"), *IMAGES, "feed:image"),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page of this one article.",
            rules=(*schema("$.url", OF_PAGE), "page:url", "feed:link"),
        ),
        FieldSpec(
            "body_markdown",
            FieldKind.MARKDOWN,
            doc="What the article says, as CommonMark.",
            rules=("content:markdown",),
        ),
    ),
)
