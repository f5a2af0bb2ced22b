"""The seams where one part is handed another it may not import."""

from collections.abc import Mapping
from typing import Protocol

from crawler.contracts.frontier import (
    CommitResult,
    Escalation,
    LeasedRow,
    Offer,
    Pace,
    PageCommit,
)
from crawler.contracts.item import Observation
from crawler.contracts.model import AnswerKey, ModelAnswer, ModelReply, ModelRequest
from crawler.contracts.need import Choice, PageNeed
from crawler.contracts.outcome import Outcome
from crawler.contracts.page import PageReport
from crawler.contracts.rendering import Document, Rendering
from crawler.contracts.retry import RetryDecision
from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import Session
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


class ModelProvider(Protocol):
    """Who is asked. Sends what the request holds, and nothing else, to one configured address."""

    async def open(self) -> None:
        """Load what asking takes, once; that is no page's time. Raises ProviderFailed."""
        ...

    async def ask(self, request: ModelRequest) -> ModelReply:
        """Raises ProviderFailed."""
        ...

    async def close(self) -> None: ...


class AnswerStore(Protocol):
    """Where answers are retained. Both raise StorageFailed."""

    async def find_answer(self, key: AnswerKey) -> ModelAnswer | None: ...

    async def keep_answer(self, answer: ModelAnswer) -> ModelAnswer:
        """Return, once it is durable, the answer that stands for its key."""
        ...


class Clock(Protocol):
    """Returns epoch seconds; passed in, so that tests can hold it still."""

    def __call__(self) -> float: ...


class ScopeAccess(Protocol):
    """What a run knows of the scopes it asks."""

    pace: Pace
    """As the site file says; a robots file may slow it down."""

    async def cooling_until(self, scope: str) -> float:
        """Return the epoch second until which nothing may be sent to *scope*, or 0."""
        ...

    async def cool(self, scope: str, until: float, now: float) -> None:
        """Commit a cool-down at once; from the call on, this worker sends nothing to *scope*."""
        ...

    async def refusals_in_a_row(self, scope: str, sent_at: float) -> int:
        """Count one more refusal without a usable Retry-After; returns how many came before it.

        Of requests that were sent (on the monotonic clock) before one was refused, one counts.
        """
        ...

    def note_answer(self, scope: str, latency: float) -> None:
        """*latency* is in seconds, from the request to the head of its answer."""
        ...

    def note_slow_down(self, scope: str, sent_at: float) -> None:
        """Note a 429, a 503 or a time-out; of the burst of the last one, nothing follows."""
        ...


class CrawlRun(Protocol):
    """What middlewares, spider and pipelines may ask of the run they work for.

    Found as ``spider.run`` from the moment the first component is built.
    """

    site: LoadedSite
    scopes: ScopeAccess
    headers: Mapping[str, str]
    """What every request carries."""
    session: Session | None
    """What requests with a row carry besides."""

    @property
    def run_id(self) -> str: ...

    @property
    def cycle(self) -> int: ...

    def now(self) -> float:
        """Epoch seconds."""
        ...

    def keep(self, observation: Observation) -> None:
        """Remember what came back for a snapshot until its page is committed."""
        ...

    def observation_of(self, snapshot: Snapshot) -> Observation: ...

    async def take_turn(self, scope: str, within: float) -> float | None:
        """Wait until one more request may be sent to *scope*.

        Returns None then; at once, and when that will be, where it is more than *within* seconds
        away. Raises TransferAborted when the run is ending.
        """
        ...

    async def keep_session(self) -> None:
        """Return where the session may be used now.

        Raises TransferAborted once the site has refused it, or another worker has it.
        """
        ...

    async def count_retries(self) -> int:
        """Return how many there were in this cycle, those of other workers included."""
        ...

    async def render(self, document: Document) -> Rendering:
        """Return what a browser makes of *document*.

        Raises Scrapy's DownloadTimeoutError or DownloadFailedError, or TransferAborted.
        """
        ...

    def choose_representation(self, row: LeasedRow) -> Choice:
        """Return what a row is read as, as far as is known now."""
        ...

    async def interpret(self, snapshot: Snapshot) -> PageReport: ...

    def decide_rendering(
        self, observation: Observation, report: PageReport
    ) -> tuple[RetryDecision | None, Escalation | None]:
        """Return what is decided of a page that may need rendering, and how it goes on if it does."""
        ...

    def need_of(self, observation: Observation, report: PageReport) -> PageNeed | None:
        """Return what a page showed of whether its kind must be rendered, if that is open."""
        ...

    async def escalate(self, escalation: Escalation) -> None:
        """Let a row go on as a rendered page; returns once that is durable."""
        ...

    def offer_links(self, row: LeasedRow, report: PageReport) -> Offer:
        """Return the report's links as frontier rows, refused ones with their outcome."""
        ...

    def commit_of(
        self, row: LeasedRow, outcome: Outcome, observation: Observation | None, *, is_sent: bool
    ) -> PageCommit:
        """Return the commit that ends *row*, with what came back as a diagnostic.

        *is_sent* says whether the row's last request counts as an attempt.
        """
        ...

    async def commit(self, commit: PageCommit) -> CommitResult | None:
        """Return once the page is durable; None when storage has failed and the run is ending."""
        ...

    async def archive_auxiliary(self, capture: Capture) -> None:
        """Keep a response that belongs to no row, such as a robots file, as a diagnostic."""
        ...
