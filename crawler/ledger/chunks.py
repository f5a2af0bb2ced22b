"""Names for statements with an IN list, as many at a time as databases like."""

from collections.abc import Collection, Iterator

CHUNK = 500
"""Parameters of one IN list: well below SQLite's limit of 32,766 and good for its plan cache."""


def in_chunks(names: Collection[str]) -> Iterator[list[str]]:
    """Yield *names* in one order, whatever theirs is."""
    ordered = sorted(names)
    return (ordered[start : start + CHUNK] for start in range(0, len(ordered), CHUNK))
