"""A frontier row in the hands of a worker, for whatever is decided of one."""

from typing import Any

from crawler.contracts.frontier import LeasedRow
from crawler.contracts.snapshot import PageKind, Representation


def make_leased_row(url: str, **changes: Any) -> LeasedRow:
    row: dict[str, Any] = {
        "id": 1,
        "token": "t",
        "url": url,
        "requested_url": url,
        "fingerprint": "f",
        "scope": "garden.example",
        "page_kind": PageKind.DETAIL,
        "representation": Representation.HTML,
        "method": "GET",
        "body": b"",
        "headers": (),
        "callback": None,
        "cb_kwargs": "{}",
        "priority": 0,
        "depth": 0,
        "attempts": 0,
        "deferrals": 0,
        "spent_seconds": 0.0,
        "redirects": (),
        "send_at": 0.0,
        "lease_until": 60.0,
    }
    return LeasedRow(**(row | changes))
