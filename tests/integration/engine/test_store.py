"""Ledger and archive of a run are opened together, or not at all."""

import asyncio
from pathlib import Path

import pytest

from crawler.contracts.bound import Limits
from crawler.contracts.errors import StorageFailed
from crawler.contracts.frontier import NewRow, RunOpening
from crawler.engine.data import DataFolder
from crawler.engine.store import Store
from crawler.ledger.database import ledger_url

OPENING = RunOpening(
    site="s",
    owner="o",
    site_hash="",
    authorization_hash="",
    rule_version="",
    cycle_max_age=3600.0,
    seeds=(NewRow("https://s.example/", "f", "s.example"),),
)


def test_what_was_opened_is_closed_when_the_rest_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise StorageFailed("no second connection")

    monkeypatch.setattr("crawler.engine.store.ScopeReader", refuse)
    data = DataFolder(tmp_path, ledger_url(tmp_path))
    store = Store(data, "s", wait=1.0, lease_seconds=60.0, limits=Limits(pages=10))

    with pytest.raises(StorageFailed, match="no second connection"):
        asyncio.run(store.open(OPENING, print))

    assert list((tmp_path / "locks").glob("*.lock")) == []
