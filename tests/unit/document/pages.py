"""Snapshots and rules with sensible defaults: a test names only what matters to it."""

import hashlib
import json
from datetime import UTC, datetime

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.contracts.rules import Rules
from crawler.contracts.site.access import Identity, Ready
from crawler.contracts.site.collect import Collect, Complete
from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import PageKind, Representation, Snapshot
from crawler.document.encoding import decide_encoding

URL = "https://example.com/p/1"
HTML = (("Content-Type", "text/html"),)

PRODUCT = RecordType(
    name="product",
    schema_version="product.v1",
    schema_types=("Product",),
    key=("url",),
    fields=(
        FieldSpec("name", is_required=True, rules=("jsonld:$.name", "css:h1")),
        FieldSpec("price", FieldKind.NUMBER, rules=("jsonld:$.offers.price", "css:.price::text")),
        FieldSpec("currency", rules=("jsonld:$.offers.priceCurrency",)),
        FieldSpec("url", FieldKind.URL, rules=("jsonld:$.url", "page:url")),
        FieldSpec("image", FieldKind.IMAGE, rules=("jsonld:$.image",)),
        FieldSpec("tags", FieldKind.LIST, rules=("jsonld:$.keywords",)),
        FieldSpec("released", FieldKind.DATE, rules=("jsonld:$.releaseDate",)),
    ),
)
NOTICE = RecordType(
    name="notice",
    schema_version="notice.v1",
    schema_types=(),
    key=("id",),
    fields=(
        FieldSpec("id", is_required=True),
        FieldSpec("title", is_required=True),
        FieldSpec("published", FieldKind.DATE, is_required=True),
        FieldSpec("office"),
    ),
)
BULLETINS = RecordRules(
    type="notice",
    schema_version="bulletins.v1",
    each="article",
    fields={
        "id": ("xpath:./@data-id",),
        "title": ("css:h2::text",),
        "published": ("xpath:./@data-published",),
    },
)


def make_snapshot(
    body: bytes | str,
    *,
    url: str = URL,
    headers: tuple[tuple[str, str], ...] = HTML,
    page_kind: PageKind = PageKind.DETAIL,
    representation: Representation = Representation.HTML,
) -> Snapshot:
    source = body.encode() if isinstance(body, str) else body
    return Snapshot(
        capture_id="urn:uuid:00000000-0000-4000-8000-000000000001",
        site="test",
        run="run",
        requested_url=url,
        final_url=url,
        status=200,
        headers=headers,
        observed_at=datetime(2026, 9, 1, tzinfo=UTC),
        representation=representation,
        media_type="text/html",
        encoding=decide_encoding(source, headers),
        digest=hashlib.sha256(source).hexdigest(),
        body=source,
        page_kind=page_kind,
    )


def make_rules(
    record_type: RecordType = PRODUCT,
    record: RecordRules | None = None,
    *,
    collect: Collect | None = None,
    ready: Ready | None = None,
) -> Rules:
    return Rules(
        site="test",
        collect=collect or Collect(),
        identity=Identity(),
        ready=ready or Ready(),
        record=record or RecordRules(type=record_type.name),
        record_type=record_type,
        version="0123456789abcdef",
    )


def make_bulletins(*, reject: str = "batch", empty: str | None = None) -> Rules:
    return make_rules(
        NOTICE,
        BULLETINS.model_copy(update={"reject": reject}),
        collect=Collect(complete=Complete(empty=empty)),
    )


def ld_json(*values: object) -> str:
    """Return a page with one script block for each value; a string stands as it is."""
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    blocks = (f'<script type="application/ld+json">{text}</script>' for text in texts)
    return f"<html><head><title>Page</title>{''.join(blocks)}</head><body>text</body></html>"
