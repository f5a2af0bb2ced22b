"""Why a URL is, or is not, asked for again."""

from dataclasses import dataclass
from enum import StrEnum

from crawler.contracts.outcome import Reason


class Layer(StrEnum):
    """Which layer failed."""

    TRANSPORT = "transport"
    SERVER = "server"
    ROBOTS = "robots"
    ACCESS = "access"
    REPRESENTATION = "representation"
    """What came is the page, and not all of it: scripts add the rest."""


class Action(StrEnum):
    RETRY = "retry"
    """Ask again within the attempt budget."""
    RENDER = "render"
    """Show the response that was fetched to a browser: asks for the document no second time."""
    DEFER = "defer"
    """The scope cools down; costs no attempt."""
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class RetryDecision:
    """What was decided after one failed attempt, and on what grounds."""

    action: Action
    reason: Reason
    layer: Layer
    benefit: str
    """What another request could bring, or why it could bring nothing."""
    remaining_attempts: int
    remaining_seconds: float
    remaining_retries: int | None = None
    """Of the site in its cycle, before this one; None where it was not asked for."""
    wait_seconds: float = 0.0
    """From the moment of the decision until the URL may be asked for again."""
    evidence: tuple[str, ...] = ()
    """What was read: the Retry-After value as received, a cap that was applied."""
