"""Bringing a ledger of an earlier schema up to date, in the transaction of the caller.

What is new is found by comparing the ledger with ``tables``: a table, an index, or a column, which
therefore has a default or may be null. What comparing cannot know is a step.
"""

import hashlib
from collections.abc import Callable, Mapping

import sqlalchemy as sa

from crawler.ledger.tables import SCHEMA_VERSION, cycles, meta, metadata, requests

OLDEST = 3


def is_current(conn: sa.Connection) -> bool:
    return _read(conn, "schema") == name_schema() and read_version(conn) == str(SCHEMA_VERSION)


def is_upgradable(version: str | None) -> bool:
    return version in {str(known) for known in range(OLDEST, SCHEMA_VERSION + 1)}


def read_version(conn: sa.Connection) -> str | None:
    return _read(conn, "schema_version")


def name_schema() -> str:
    """Return a digest of what the schema consists of: it tells, should its version be forgotten."""
    parts = sorted(
        f"{table.name} {part.name}"
        for table in metadata.sorted_tables
        for part in (*table.columns, *table.indexes)
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def upgrade(conn: sa.Connection) -> None:
    """Create or complete the schema; what is there stays."""
    is_new = not sa.inspect(conn).has_table(meta.name)
    metadata.create_all(conn)
    if not is_new:
        _complete(conn)
        former = int(read_version(conn) or SCHEMA_VERSION)
        for step in (step for version, step in STEPS.items() if former <= version):
            step(conn)
    _write(conn, {"schema_version": str(SCHEMA_VERSION), "schema": name_schema()})


def _complete(conn: sa.Connection) -> None:
    inspector = sa.inspect(conn)
    for table in metadata.sorted_tables:
        _add_columns(conn, table, {each["name"] for each in inspector.get_columns(table.name)})
        known = {each["name"] for each in inspector.get_indexes(table.name)}
        for index in table.indexes:
            if index.name not in known:
                index.create(conn)


def _add_columns(conn: sa.Connection, table: sa.Table, known: set[str]) -> None:
    prepare = conn.dialect.identifier_preparer
    for column in table.columns:
        if column.name not in known:
            described = sa.schema.CreateColumn(column).compile(dialect=conn.dialect)
            name = prepare.format_table(table)
            conn.exec_driver_sql(f"ALTER TABLE {name} ADD COLUMN {described}")


def _read(conn: sa.Connection, name: str) -> str | None:
    found: str | None = conn.scalar(sa.select(meta.c.value).where(meta.c.name == name))
    return found


def _write(conn: sa.Connection, values: Mapping[str, str]) -> None:
    conn.execute(sa.delete(meta).where(meta.c.name.in_(values)))
    conn.execute(sa.insert(meta), [{"name": n, "value": value} for n, value in values.items()])


def _count_listings(conn: sa.Connection) -> None:
    of_cycle = sa.select(sa.func.count()).where(
        requests.c.cycle == cycles.c.id, requests.c.page_kind == "listing"
    )
    conn.execute(sa.update(cycles).values(listings=of_cycle.scalar_subquery()))


STEPS: Mapping[int, Callable[[sa.Connection], None]] = {3: _count_listings}
"""What a ledger of this version needs besides, in order."""
