"""Ledgers of earlier schemas: brought up to date by whoever writes, told by whoever reads."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from crawler.contracts.errors import CrawlerError, LedgerVersionError
from crawler.contracts.frontier import RunEnd
from crawler.ledger.database import check_ledger, open_for_reading, open_ledger, try_writing
from crawler.ledger.pages import commit_page
from crawler.ledger.queries import reading
from crawler.ledger.queries.funnel import read_funnel
from crawler.ledger.queries.records import iterate_records
from crawler.ledger.runs import close_run
from crawler.ledger.tables import SCHEMA_VERSION, cycles, meta, metadata, records
from crawler.ledger.upgrade import OLDEST, name_schema
from tests.integration.ledger.builders import (
    NOW,
    SITE,
    make_candidate,
    make_commit,
    new_sink,
    start,
    take,
)

SINCE_3 = {
    "cycles": ("listings", "retries", "collections", "complete"),
    "requests": ("requested_scope", "shape", "listed", "barren", "reopened", "same_as"),
    "captures": ("session",),
}
NEW_TABLES = ("left_out", "listings", "disappearances", "rendering_needs", "expired_sessions")


def age(url: str) -> None:
    """Fill a ledger with a page and its record, and take from it all that schema 3 did not have."""
    engine = open_ledger(url)
    with engine.begin() as conn:
        run = start(conn, rows=2)
        [row] = take(conn, run, want=1).rows
        commit_page(conn, make_commit(run, row, make_candidate("n1")), new_sink(), NOW)
        close_run(conn, run.run, RunEnd.STOPPED, NOW, {})
        for name in NEW_TABLES:
            conn.exec_driver_sql(f"DROP TABLE {name}")
        conn.exec_driver_sql("DROP INDEX requests_session_expired")
        conn.exec_driver_sql("DROP INDEX requests_shaped")
        for table, columns in SINCE_3.items():
            for column in columns:
                conn.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
        conn.execute(sa.delete(meta).where(meta.c.name == "schema"))
        conn.execute(sa.update(meta).values(value="3"))
    engine.dispose()


def describe(url: str) -> dict[str, tuple[set[str], set[str]]]:
    """Return columns and indexes by table."""
    engine = open_for_reading(url)
    inspector = sa.inspect(engine)
    found = {
        table: (
            {
                f"{each['name']} {each['nullable']} {each['default']}"
                for each in inspector.get_columns(table)
            },
            {str(each["name"]) for each in inspector.get_indexes(table)},
        )
        for table in metadata.tables
    }
    engine.dispose()
    return found


@pytest.fixture
def old(url: str) -> str:
    age(url)
    return url


def test_whoever_writes_brings_an_older_ledger_up_to_date(url: str) -> None:
    open_ledger(url).dispose()
    fresh = describe(url)
    age(url)

    open_ledger(url).dispose()

    assert describe(url) == fresh
    with reading(url) as conn:
        assert [record.key for record in iterate_records(conn)] == ["n1"]
        assert read_funnel(conn, SITE)["outcomes"] == {"eligible": 1}
        stamps = dict(map(tuple, conn.execute(sa.select(meta))))
    assert stamps == {"schema_version": str(SCHEMA_VERSION), "schema": name_schema()}


def test_what_ends_half_way_leaves_the_ledger_as_it_was(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(_: sa.Connection) -> None:
        raise CrawlerError("the machine went down")

    with monkeypatch.context() as patch:
        patch.setattr("crawler.ledger.upgrade.STEPS", {OLDEST: end})
        with pytest.raises(CrawlerError, match="went down"):
            open_ledger(old)

    assert "schema version 3 (" in try_writing(old)
    open_ledger(old).dispose()
    with reading(old) as conn:
        assert [record.key for record in iterate_records(conn)] == ["n1"]


def test_several_at_once_bring_it_up_to_date_once(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[object] = []
    monkeypatch.setattr("crawler.ledger.upgrade.STEPS", {OLDEST: counted.append})

    with ThreadPoolExecutor(4) as pool:
        for engine in pool.map(open_ledger, [old] * 4):
            engine.dispose()

    assert len(counted) == 1
    with reading(old) as conn:
        assert [record.key for record in iterate_records(conn)] == ["n1"]


def test_a_newer_program_that_was_faster_is_not_undone(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_ledger(url)
    is_version = meta.c.name == "schema_version"

    def overtake(_: sa.Engine) -> bool:
        """Another process comes in between the look and the lock."""
        with engine.begin() as other:
            newer = str(SCHEMA_VERSION + 1)
            other.execute(sa.update(meta).where(is_version).values(value=newer))
        return False

    monkeypatch.setattr("crawler.ledger.database._has_schema", overtake)
    try:
        with pytest.raises(LedgerVersionError, match="use the newer program"):
            open_ledger(url)
    finally:
        with engine.begin() as conn:
            conn.execute(sa.update(meta).where(is_version).values(value=str(SCHEMA_VERSION)))
        engine.dispose()


def test_a_ledger_that_was_brought_up_to_date_is_crawled_on(old: str) -> None:
    engine = open_ledger(old)
    with engine.begin() as conn:
        listings = conn.scalar(sa.select(cycles.c.listings))
        run = start(conn, "b")
        [row] = take(conn, run, "b").rows
        commit_page(conn, make_commit(run, row, make_candidate("n2")), new_sink(), NOW)
        kept = conn.scalars(sa.select(records.c.key)).all()
    engine.dispose()

    assert not run.is_new_cycle
    assert listings == 0
    assert sorted(kept) == ["n1", "n2"]


def test_whoever_reads_says_what_brings_it_up_to_date(old: str) -> None:
    with pytest.raises(
        LedgerVersionError, match=r"schema version 3 .*; the next crawl brings it up to"
    ):
        open_for_reading(old)

    check_ledger(old)
    assert "schema version 3 (the next crawl brings it up to" in try_writing(old)
    with pytest.raises(LedgerVersionError):
        open_for_reading(old)
    open_ledger(old).dispose()


def test_a_change_without_a_version_of_its_own_is_noticed(url: str) -> None:
    engine = open_ledger(url)
    with engine.begin() as conn:
        conn.exec_driver_sql("ALTER TABLE cycles DROP COLUMN retries")
        conn.execute(sa.update(meta).where(meta.c.name == "schema").values(value="other"))
    engine.dispose()

    with pytest.raises(LedgerVersionError):
        open_for_reading(url)
    engine = open_ledger(url)
    with engine.connect() as conn:
        assert conn.execute(sa.select(cycles.c.retries)).all() == []
    engine.dispose()


@pytest.mark.parametrize(
    ("version", "advice"),
    [
        (str(OLDEST - 1), "scrapy records -o FILE"),
        (str(SCHEMA_VERSION + 1), "use the newer program"),
        ("three", "scrapy records -o FILE"),
    ],
)
def test_what_cannot_be_brought_up_to_date_is_left_alone(
    url: str, version: str, advice: str
) -> None:
    engine = open_ledger(url)
    is_version = meta.c.name == "schema_version"
    with engine.begin() as conn:
        conn.execute(sa.update(meta).where(is_version).values(value=version))
    try:
        for refused in (open_ledger, open_for_reading, check_ledger, try_writing):
            with pytest.raises(LedgerVersionError) as told:
                refused(url)
            assert advice in str(told.value)
    finally:
        with engine.begin() as conn:
            conn.execute(sa.update(meta).where(is_version).values(value=str(SCHEMA_VERSION)))
        engine.dispose()


def test_every_column_that_is_added_later_has_a_value_for_the_rows_before_it() -> None:
    """Of those that schema 3 did not have; a new one belongs here as well."""
    columns = [metadata.tables[table].c[name] for table in SINCE_3 for name in SINCE_3[table]]

    assert [c.name for c in columns if not (c.nullable or c.server_default)] == []
