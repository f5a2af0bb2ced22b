"""Pages with the JSON that they loaded, and rules that read it."""

import json
from dataclasses import replace

from crawler.contracts.site.record import RecordRules
from crawler.contracts.snapshot import Representation, Snapshot
from tests.unit.document.pages import make_snapshot

API = "https://api.example.com/v1/items"
LOADED_ROWS = RecordRules(
    type="notice",
    each="loaded:/v1/items $.rows[*]",
    fields={"id": ("json:$.id",), "title": ("json:$.title",), "published": ("json:$.day",)},
)


def load_page(*values: object, html: str = "<p class=price>7</p>", url: str = API) -> Snapshot:
    """Return a page that loaded *values*, each from an address of its own."""
    loaded = [
        replace(
            make_snapshot(
                json.dumps(value), url=f"{url}?n={number}", representation=Representation.JSON
            ),
            capture_id=f"urn:uuid:loaded-{number}",
        )
        for number, value in enumerate(values)
    ]
    return replace(make_snapshot(html), loaded=tuple(loaded))
