"""What a language model is asked about one page, and what came of it. Plain text both ways."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from crawler.contracts.errors import CrawlerError

UNANSWERED = "no retained answer of the model for this page"
"""Why a field is missing that only a model may find."""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """What an answer depends on: while it is equal, nothing is asked a second time."""

    site: str
    zone_hash: str
    """SHA-256 of the text that is sent."""
    rule_version: str
    """First 16 hex digits of the SHA-256 of what is wanted of it: fields, their docs, the wording."""
    model: str
    """``provider:name``."""


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """Everything a model gets to see. ``instructions`` are ours; ``page`` is data."""

    key: AnswerKey
    fields: tuple[str, ...]
    instructions: str
    page: str
    schema: dict[str, JsonValue]
    """JSON Schema of the answer, for providers that can hold a model to one."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call to a provider. No tools, no history."""

    model: str
    instructions: str
    page: str
    schema: dict[str, JsonValue]
    max_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a provider sent back; tokens are None where it did not count them."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer as it is retained, usable or not: the first one for a key stands for good."""

    key: AnswerKey
    capture_id: str
    """The snapshot that it was asked for."""
    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class AskState(StrEnum):
    """How it went with a question."""

    RETAINED = "retained"
    """It had been answered before: no call."""
    ANSWERED = "answered"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    """No connection, an error of the server, or too many requests."""
    REFUSED = "refused"
    """The provider does not take the request: credentials, unknown model, bad parameters."""
    OVER_BUDGET = "over_budget"
    GIVEN_UP = "given_up"
    """It failed several times in a row: nothing more is asked in this run."""
    STOPPED = "stopped"
    """The run ended before the answer came."""
    NOT_CONFIGURED = "not_configured"
    """The extra is not installed, or the environment holds no key."""


class ProviderFailed(CrawlerError):
    """A model provider gave no answer. Its own words are left out: they may hold a key."""

    def __init__(
        self, state: AskState, detail: str, *, is_transient: bool = False, wait: float | None = None
    ) -> None:
        super().__init__(detail)
        self.state, self.detail, self.is_transient = state, detail, is_transient
        self.wait = wait
        """Seconds after which it may be asked again, where it said so."""


@dataclass(frozen=True, slots=True)
class AskOutcome:
    state: AskState
    answer: ModelAnswer | None = None
    """None where there is none: the report without it stands."""
    detail: str = ""
