"""Pages for tests of the content zone."""

from datetime import UTC, datetime

from crawler.contracts.site.record import ContentRules
from crawler.contracts.snapshot import Representation, Snapshot
from crawler.document.document import Document
from crawler.document.encoding import decide_encoding
from crawler.extraction.content.kind import PageType
from crawler.extraction.content.page import Content, read_content

URL = "https://example.com/docs/page"
SENTENCE = "The harbour master keeps a log of every vessel that enters or leaves the inner basin. "
PARAGRAPHS = "".join(f"<p>{SENTENCE * 3}Entry {number}.</p>" for number in range(6))


def document(html: str, url: str = URL) -> Document:
    body = html.encode()
    return Document(
        Snapshot(
            capture_id="urn:uuid:0",
            site="test",
            run="test",
            requested_url=url,
            final_url=url,
            status=200,
            headers=(),
            observed_at=datetime(2026, 1, 1, tzinfo=UTC),
            representation=Representation.HTML,
            media_type="text/html",
            encoding=decide_encoding(body, (("content-type", "text/html; charset=utf-8"),)),
            digest="0" * 64,
            body=body,
        )
    )


def read(
    html: str,
    url: str = URL,
    *,
    rules: ContentRules | None = None,
    kind: PageType | None = None,
    with_images: bool = False,
) -> Content:
    page = document(html, url)
    return read_content(page, rules or ContentRules(), kind=kind, with_images=with_images)


def markdown(html: str, url: str = URL, *, with_images: bool = False) -> str:
    return read(html, url, with_images=with_images).markdown
