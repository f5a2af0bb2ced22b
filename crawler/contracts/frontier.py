"""What the crawl says to the ledger and hears from it. Times are epoch seconds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from crawler.contracts.bound import LeftOut, Trail
from crawler.contracts.collection import ListedPage
from crawler.contracts.need import PageNeed, RenderingNeed
from crawler.contracts.outcome import Kind, Outcome, Reason
from crawler.contracts.page import PageReport
from crawler.contracts.retry import RetryDecision
from crawler.contracts.session import SessionUse
from crawler.contracts.snapshot import Capture, Hop, PageKind, Representation


class RowState(StrEnum):
    PENDING = "pending"
    DEFERRED = "deferred"
    """May not be asked for before ``not_before``."""
    LEASED = "leased"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class FormerReading:
    """A reading of a page that gave records and still stands."""

    after: float
    """Epoch seconds: it was observed later."""
    rule_version: str


@dataclass(frozen=True, slots=True)
class NewRow:
    """A URL offered to the frontier; a fingerprint already in the cycle is counted as a duplicate."""

    url: str
    fingerprint: str
    scope: str
    page_kind: PageKind = PageKind.DETAIL
    representation: Representation = Representation.HTML
    method: str = "GET"
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    callback: str | None = None
    """Name of a method of a hand-written spider."""
    cb_kwargs: str = "{}"
    """JSON object."""
    priority: int = 0
    depth: int = 0
    shape: str | None = None
    """What many URLs have in common; None where nobody counts them."""
    listed: str = ""
    """Of a listing that another one led to: digest of what that one shows."""
    barren: int = 0
    """Likewise: how many listings right before it brought nothing new."""
    unless_read: FormerReading | None = None
    """Where the page was read so, it need not be read again."""
    refused: Outcome | None = None
    """Set when admission refused it: the row is born with this outcome. Likewise with
    ``not_modified``, when its page need not be read again."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a page offers to the frontier."""

    rows: tuple[NewRow, ...] = ()
    trail: Trail | None = None
    left_out: LeftOut = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeasedRow:
    """A frontier row that this worker may send until ``lease_until``, not before ``send_at``."""

    id: int
    token: str
    """Fences every write about the row: a write with an outdated token changes nothing."""
    url: str
    """Where to send the next request: the target of the last redirect, if there was one."""
    requested_url: str
    """The URL that was admitted."""
    fingerprint: str
    scope: str
    page_kind: PageKind
    representation: Representation
    method: str
    body: bytes
    headers: tuple[tuple[str, str], ...]
    callback: str | None
    cb_kwargs: str
    priority: int
    depth: int
    attempts: int
    """Requests already answered or failed that count against the budget."""
    deferrals: int
    spent_seconds: float
    redirects: tuple[Hop, ...]
    send_at: float
    lease_until: float
    listed: str = ""
    barren: int = 0


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a scope may be asked."""

    delay: float
    concurrency: int


@dataclass(frozen=True, slots=True)
class LeaseRequest:
    """Ask for up to *want* rows of a cycle."""

    cycle: int
    owner: str
    want: int
    pace: Pace
    in_flight: dict[str, int] = field(default_factory=dict)
    """Requests now in transfer from this worker, by scope."""
    delays: dict[str, float] = field(default_factory=dict)
    """Seconds between requests to scopes that are asked more slowly than the pace says."""

    def delay_of(self, scope: str) -> float:
        return self.delays.get(scope, self.pace.delay)


@dataclass(frozen=True, slots=True)
class Lease:
    """What the frontier gave, and what it still holds."""

    rows: tuple[LeasedRow, ...]
    slots: dict[str, int]
    """How many requests this worker may have in flight, by scope: its share of the concurrency."""
    open_rows: bool
    """False once no row of the cycle is pending, deferred or leased: the cycle is finished."""
    next_due: float | None
    """When a row or scope that is waiting now may next be asked; None when none is waiting."""
    has_peers: bool
    """Another live worker holds a lease, a share or a run in this ledger."""
    tripped: frozenset[str] = frozenset()
    """Scopes that have only refused so far: they are tried with one page at a time."""


@dataclass(frozen=True, slots=True)
class RunOpening:
    """What a run says of itself when it starts."""

    site: str
    owner: str
    site_hash: str
    authorization_hash: str
    rule_version: str
    cycle_max_age: float
    seeds: tuple[NewRow, ...]
    session: SessionUse | None = None
    versions: str = "{}"
    """JSON object: the versions of everything that could change what is read or written."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    run: str
    cycle: int
    """Primary key of the cycle."""
    cycle_number: int
    """1 for the first cycle of the site."""
    is_new_cycle: bool
    needs: dict[PageKind, RenderingNeed] = field(default_factory=dict)
    """What earlier pages of the site showed of whether they must be rendered."""


@dataclass(frozen=True, slots=True)
class Deferral:
    """Give a leased row back, not to be asked for before ``not_before``."""

    row: int
    token: str
    not_before: float
    attempts: int
    deferrals: int
    spent_seconds: float
    decision: RetryDecision
    capture: Capture | None = None


@dataclass(frozen=True, slots=True)
class Redirection:
    """A leased row moves on to the target of a redirect, and stays leased."""

    row: int
    token: str
    cycle: int
    target_url: str
    target_fingerprint: str
    target_scope: str
    redirects: tuple[Hop, ...]
    spent_seconds: float
    pace: Pace
    capture: Capture | None = None
    method: str = "GET"
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    """As the target is to be asked: a redirect may turn POST into GET and drop headers."""
    may_be_shared: bool = False
    """Any number of rows may lead there: what stands there is not the content of one of them."""
    is_admitted: bool = True
    """False: nothing will be sent, so the target's scope needs no turn; the row keeps its own."""


@dataclass(frozen=True, slots=True)
class RedirectionResult:
    is_fenced: bool
    is_seen: bool
    """The target is another row's: this row has ended as ``redirected_to_seen``."""
    send_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Escalation:
    """A leased row goes on to be rendered from the response that came, and stays leased."""

    row: LeasedRow
    """As it is from then on."""
    kind: Kind
    """Of the response: what it was not enough for."""
    capture: Capture
    decision: RetryDecision
    is_retained: bool = True
    """False: the response is too large to keep at hand, and is asked for again."""


@dataclass(frozen=True, slots=True)
class PageCommit:
    """Everything one page leads to; committed together or not at all."""

    row: int
    token: str
    cycle: int
    run: str
    site: str
    source_id: str
    outcome: Outcome
    capture: Capture | None
    report: PageReport | None = None
    links: tuple[NewRow, ...] = ()
    trail: Trail | None = None
    """Of a listing that may lead to further ones."""
    left_out: LeftOut = field(default_factory=dict)
    """Links that were not even offered, by the bound that keeps them out."""
    url: str = ""
    rule_version: str = ""
    extractor_version: str = ""
    volatile: tuple[str, ...] = ()
    """Fields whose change makes no new version of a record."""
    attempts: int = 0
    spent_seconds: float = 0.0
    decision: RetryDecision | None = None
    trace: str | None = None
    session: SessionUse | None = None
    """The session that the page was asked for with."""
    listing: ListedPage | None = None
    """What it says of its collection; None for a page that is no listing or not eligible."""
    need: PageNeed | None = None
    """What the page showed of whether pages of its kind must be rendered."""


@dataclass(frozen=True, slots=True)
class CommitResult:
    is_fenced: bool
    accepted: tuple[str, ...] = ()
    """Keys of records published as a new version."""
    unchanged: tuple[str, ...] = ()
    rejected: int = 0
    admitted: int = 0
    duplicates: int = 0
    left_out: LeftOut = field(default_factory=dict)
    ended: Mapping[Reason, int] = field(default_factory=dict)
    """Of the pages that were admitted: those that need no request, by their outcome."""
    version_of: dict[str, int] = field(default_factory=dict)
    needs: dict[PageKind, RenderingNeed] = field(default_factory=dict)
    """What is known now of kinds that the page, or one committed with it, showed something of."""


class RunEnd(StrEnum):
    """How a run ended; ``crawl`` turns it into an exit code."""

    FINISHED = "finished"
    FAILED = "failed"
    STORAGE_FAILED = "storage_failed"
    DEFERRED = "deferred"
    STOPPED = "stopped"
    SESSION_EXPIRED = "session_expired"
    SESSION_BUSY = "session_busy"
