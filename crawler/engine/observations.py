"""What came back and is not filed yet."""

from crawler.contracts.item import Observation
from crawler.contracts.snapshot import Capture, Snapshot


class Observations:
    def __init__(self) -> None:
        self._kept: dict[str, Observation] = {}

    def keep(self, observation: Observation) -> None:
        self._kept[observation.snapshot.capture_id] = observation

    def of(self, snapshot: Snapshot) -> Observation:
        return self._kept[snapshot.capture_id]

    def find(self, row: int) -> Observation | None:
        """Return what came back last for a row, where anything did."""
        newest_first = reversed(self._kept.values())
        return next((seen for seen in newest_first if seen.row.id == row), None)

    def drop(self, capture: Capture | None) -> None:
        """Forget what has been filed, with a page, a deferral or a redirect."""
        if capture is not None:
            self._kept.pop(capture.snapshot.capture_id, None)
