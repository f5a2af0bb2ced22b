"""What the caller cannot go on from. Expected outcomes are values, never one of these.

CrawlerError
├─ SiteConfigError
├─ ProviderFailed (contracts.model)
├─ SessionError
│  ├─ SessionUnusable
│  ├─ SessionBusy
│  └─ SessionExpired
├─ StorageFailed
├─ ArchiveError
│  ├─ SnapshotNotFound
│  └─ SnapshotCorrupt
└─ LedgerVersionError
"""

from dataclasses import dataclass


class CrawlerError(Exception):
    """Any error of this project that a command reports without a traceback."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a site file: where it stands and what was expected there."""

    path: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.field}: {self.message}"


class SiteConfigError(CrawlerError):
    """A site file cannot be used; carries all of its problems at once."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class SessionError(CrawlerError):
    """A site cannot be asked with its named session; the text says what to do, and no secret."""


class SessionUnusable(SessionError):
    """Its file is missing, open to others, not a storage state, or not for this site."""


class SessionBusy(SessionError):
    """Another worker has it."""


class SessionExpired(SessionError):
    """The site has refused what the file still holds."""


class StorageFailed(CrawlerError):
    """The ledger or the archive could not be written; nothing of the pending group was kept."""


class ArchiveError(CrawlerError):
    """A capture cannot be read back."""


class SnapshotNotFound(ArchiveError):
    """No capture has this id or digest."""


class SnapshotCorrupt(ArchiveError):
    """What is stored is not what was written."""

    def __init__(self, where: str, expected: str, found: str) -> None:
        super().__init__(f"{where}: expected {expected}, found {found}")
        self.where, self.expected, self.found = where, expected, found


class LedgerVersionError(CrawlerError):
    """The ledger was written by another version of the schema."""
