"""The reader of each representation that is made for programs."""

from collections.abc import Callable

from crawler.contracts.site.collect import ApiSource, Collect
from crawler.contracts.snapshot import Representation, Snapshot
from crawler.document.calendar import read_calendar
from crawler.document.data import Data
from crawler.document.feed import read_feed
from crawler.document.json_feed import read_json_feed
from crawler.document.rows import read_rows
from crawler.document.sniff import starts_as_json


def open_data(snapshot: Snapshot, collect: Collect) -> Data:
    """Return the entries of a feed, calendar or response. Raises BadPathError."""
    return READERS[snapshot.representation](snapshot, collect)


def _open_feed(snapshot: Snapshot, _collect: Collect) -> Data:
    return read_json_feed(snapshot) if starts_as_json(snapshot.body) else read_feed(snapshot)


def _open_calendar(snapshot: Snapshot, _collect: Collect) -> Data:
    return read_calendar(snapshot)


def _open_rows(snapshot: Snapshot, collect: Collect) -> Data:
    return read_rows(snapshot, collect.api or ApiSource())


READERS: dict[Representation, Callable[[Snapshot, Collect], Data]] = {
    Representation.FEED: _open_feed,
    Representation.CALENDAR: _open_calendar,
    Representation.JSON: _open_rows,
}
