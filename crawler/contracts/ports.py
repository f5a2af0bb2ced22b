"""The seams where one part is handed another it may not import."""

from typing import Protocol

from crawler.contracts.snapshot import Capture, Location, Snapshot


class CaptureSink(Protocol):
    """Where captures become durable. Every call may raise OSError, which fails the pending group."""

    def append(self, capture: Capture, *, refers_to: Snapshot | None = None) -> Location:
        """Write one capture (a revisit of *refers_to* when given); durable only after ``sync``."""
        ...

    def sync(self) -> None:
        """Return once everything appended is on the disk."""
        ...

    def close(self) -> None: ...


class Clock(Protocol):
    """Returns epoch seconds; passed in, so that tests can hold it still."""

    def __call__(self) -> float: ...
