"""Pages with sensible defaults, so that a test names only what matters."""

from dataclasses import replace
from datetime import UTC, datetime

from crawler.classification.page import FetchedPage
from crawler.contracts.snapshot import Encoding, EncodingSource, Representation, Snapshot

ARTICLE = "<p>" + "The council met on Tuesday and agreed to mend the bridge. " * 40 + "</p>"
PAGE = f"<html><head><title>Bridge news</title></head><body><h1>Bridge</h1>{ARTICLE}</body></html>"


def make_page(
    body: str | bytes = PAGE,
    status: int = 200,
    url: str = "https://example.com/a",
    flags: tuple[str, ...] = (),
    content_type: str | None = "text/html",
    *,
    representation: Representation = Representation.HTML,
    **headers: str,
) -> FetchedPage:
    pairs = [(name.replace("_", "-").title(), value) for name, value in headers.items()]
    if content_type is not None:
        pairs.append(("Content-Type", content_type))
    data = body if isinstance(body, bytes) else body.encode()
    return FetchedPage(url, status, tuple(pairs), data, flags, representation)


def titled(title: str, body: str = "<p>Please wait.</p>") -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


def saying(text: str) -> FetchedPage:
    """Return a page of one sentence, under a title that tells nothing."""
    return make_page(titled("a.example", f"<p>{text}</p>"))


def quoted_in_article(page: FetchedPage) -> FetchedPage:
    return make_page(page.body + ARTICLE.encode())


def make_snapshot(
    html: str = PAGE,
    requested_url: str = "https://example.com/a",
    final_url: str | None = None,
) -> Snapshot:
    return Snapshot(
        capture_id="urn:uuid:00000000-0000-0000-0000-000000000000",
        site="garden",
        run="r",
        requested_url=requested_url,
        final_url=final_url or requested_url,
        status=200,
        headers=(),
        observed_at=datetime(2026, 8, 13, tzinfo=UTC),
        representation=Representation.HTML,
        media_type="text/html",
        encoding=Encoding("utf-8", EncodingSource.HEADER),
        digest="",
        body=html.encode(),
    )


def snapshot_of(page: FetchedPage) -> Snapshot:
    """Return the page as it is kept."""
    return replace(
        make_snapshot(),
        final_url=page.url,
        status=page.status,
        headers=page.headers,
        flags=page.flags,
        body=page.body,
    )
