"""Pages from files, as if they had been fetched: for commands and notebooks without an archive."""

import hashlib
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from crawler.contracts.snapshot import PageKind, Representation, Snapshot
from crawler.document.encoding import decide_encoding


def load_snapshot(
    path: str | Path,
    url: str,
    *,
    site: str = "notebook",
    page_kind: PageKind = PageKind.DETAIL,
    representation: Representation = Representation.HTML,
) -> Snapshot:
    """Return the page that was saved from *url*. Raises OSError."""
    snapshot = make_snapshot(url, Path(path).read_bytes(), site=site, page_kind=page_kind)
    return replace(snapshot, representation=representation)


def make_snapshot(
    url: str,
    body: bytes,
    *,
    site: str,
    status: int = 200,
    headers: tuple[tuple[str, str], ...] = (),
    page_kind: PageKind = PageKind.DETAIL,
) -> Snapshot:
    """Return a page as if it had been fetched; named by its content, so that output is stable."""
    digest = hashlib.sha256(body).hexdigest()
    return Snapshot(
        capture_id=uuid.uuid5(uuid.NAMESPACE_URL, f"{url} {digest}").urn,
        site=site,
        run=site,
        requested_url=url,
        final_url=url,
        status=status,
        headers=headers,
        observed_at=datetime.now(UTC),
        representation=Representation.HTML,
        media_type="text/html",
        encoding=decide_encoding(body, headers),
        digest=digest,
        body=body,
        page_kind=page_kind,
    )
