"""The JSON that the scripts of a page loaded, and how rules name a place in it.

``loaded:/api/events* $.items[*]`` is a URL pattern and a JSONPath; without the pattern every
response that was captured is meant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from crawler.contracts.site.collect import ApiSource
from crawler.contracts.site.record import LOADED_PREFIX
from crawler.contracts.snapshot import Snapshot
from crawler.document.data import Data, Flaw
from crawler.document.jsonpath import BadPathError, select
from crawler.document.rows import read_tree, root_of, with_rows
from crawler.document.url_pattern import BadPatternError, fits, split_url

LEFT_OUT = "loads_left_out"
MAX_VALUES = 100_000
"""Of one response: more links than are ever taken, so that the others can be counted."""


@dataclass(frozen=True, slots=True)
class LoadedPlace:
    pattern: str
    """Empty for every response."""
    path: str


def find_loaded_place(text: str | None) -> LoadedPlace | None:
    """Return the place that *text* names in what was loaded; None when it is one of the page."""
    if text is None or not text.startswith(LOADED_PREFIX):
        return None
    return read_loaded_place(text.removeprefix(LOADED_PREFIX))


def read_loaded_place(text: str) -> LoadedPlace:
    """Return the place that follows the name of the source."""
    if text.startswith("$"):
        return LoadedPlace("", text)
    pattern, _, path = text.partition(" ")
    return LoadedPlace(pattern, path.strip())


@dataclass(frozen=True, slots=True)
class Response:
    """One response with its value, or with the flaw that keeps it from having one."""

    snapshot: Snapshot
    data: Data

    def with_rows(self, path: str, base_url: str) -> "Response":
        """Return it with the rows at *path* as entries. Raises BadPathError."""
        if self.data.flaw is not None:
            return self
        return replace(self, data=with_rows(self.data, ApiSource(rows=path), base_url))


class Loaded:
    """What one page loaded; a response is parsed when it is first asked for, and once."""

    def __init__(self, snapshots: Sequence[Snapshot]) -> None:
        self._snapshots = snapshots
        self._read: dict[str, Response] = {}
        self._chosen: dict[str, list[Response]] = {}

    def choose(self, pattern: str) -> list[Response]:
        """Return the responses that fit, in the order in which the page asked for them.

        Of equal bodies from one address the first is enough. Raises BadPathError.
        """
        if pattern not in self._chosen:
            chosen: dict[tuple[str, str], Snapshot] = {}
            for snapshot in self._snapshots:
                if not pattern or _fits(snapshot.final_url, pattern):
                    chosen.setdefault((snapshot.final_url, snapshot.digest), snapshot)
            self._chosen[pattern] = [self._open(snapshot) for snapshot in chosen.values()]
        return self._chosen[pattern]

    def find_values(self, place: LoadedPlace) -> Iterator[JsonValue]:
        """Yield what stands at a place of any response that fits, lists taken apart.

        Raises BadPathError.
        """
        for response in self.choose(place.pattern):
            if response.data.flaw is None:
                for match in select(place.path, root_of(response.data.top), MAX_VALUES):
                    yield from match.value if isinstance(match.value, list) else (match.value,)

    def find(self, capture_id: str) -> Response | None:
        found = (each for each in self._snapshots if each.capture_id == capture_id)
        snapshot = next(found, None)
        return None if snapshot is None else self._open(snapshot)

    def _open(self, snapshot: Snapshot) -> Response:
        known = self._read.get(snapshot.capture_id)
        if known is None:
            problem = find_problem(snapshot)
            data = Data(flaw=Flaw.UNANSWERED, problem=problem) if problem else read_tree(snapshot)
            known = self._read[snapshot.capture_id] = Response(snapshot, data)
        return known


def find_problem(snapshot: Snapshot) -> str:
    """Return why a response is no answer, whatever its body says; empty when it may be one."""
    if not 200 <= snapshot.status < 300:
        return f"status {snapshot.status}"
    return " ".join(snapshot.flags)


def _fits(url: str, pattern: str) -> bool:
    parts = split_url(url)
    try:
        return parts is not None and fits((pattern,), parts)
    except BadPatternError as error:
        raise BadPathError(f"{pattern}: {error}") from error
