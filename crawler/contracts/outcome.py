"""What came back, what it means, and what happens next: the closed lists of kinds and reasons."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a response is, as named by ``classification.verdict``."""

    OK = "ok"
    RATE_LIMIT = "rate_limit"
    MAINTENANCE = "maintenance"
    CHALLENGE = "challenge"
    CAPTCHA = "captcha"
    BLOCK = "block"
    LOGIN = "login"
    DENIED = "denied"
    GEO = "geo"
    PAYWALL = "paywall"
    CONSENT = "consent"
    ERROR_PAGE = "error_page"
    SOFT_404 = "soft_404"
    MEDIA_TYPE = "media_type"
    SHELL = "shell"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    TOO_LARGE = "too_large"
    WRONG_DOCUMENT = "wrong_document"


class Reason(StrEnum):
    """How the work on one admitted URL ended; ``DEFER_*`` are the two that do not end it."""

    ELIGIBLE = "eligible"
    DEFER_RATE_LIMIT = "defer_rate_limit"
    DEFER_SERVICE = "defer_service"
    DEFERRAL_EXPIRED = "deferral_expired"
    CHALLENGE_REVIEW = "challenge_review"
    AUTHORIZATION_REVIEW = "authorization_review"
    SESSION_EXPIRED = "session_expired"
    HTTP_STATUS = "http_status"
    GONE = "gone"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    TIMEOUT_EXHAUSTED = "timeout_exhausted"
    SOFT_404 = "soft_404"
    REPRESENTATION_MISMATCH = "representation_mismatch"
    INCOMPLETE_SNAPSHOT = "incomplete_snapshot"
    TRUNCATED = "truncated"
    TOO_LARGE = "too_large"
    WRONG_DOCUMENT = "wrong_document"
    REFUSED_ADDRESS = "refused_address"
    REFUSED_SCOPE = "refused_scope"
    REFUSED_ROBOTS = "refused_robots"
    REFUSED_AUTHORIZATION = "refused_authorization"
    REFUSED_MALFORMED = "refused_malformed"
    REFUSED_TRAP = "refused_trap"
    REDIRECTED_TO_SEEN = "redirected_to_seen"
    NOT_MODIFIED = "not_modified"
    CANCELLED = "cancelled"
    QUARANTINED = "quarantined"
    INTERNAL_ERROR = "internal_error"

    @property
    def is_deferral(self) -> bool:
        return self in {Reason.DEFER_RATE_LIMIT, Reason.DEFER_SERVICE}

    @property
    def is_refusal(self) -> bool:
        """Nothing was sent for this URL."""
        return self.value.startswith("refused_")


class RejectReason(StrEnum):
    """Why a candidate record, or all records of a page, may not be used."""

    RECORD_STRUCTURE = "record_structure"
    NESTED_RECORD = "nested_record"
    REQUIRED_FIELD = "required_field"
    AMBIGUOUS_FIELD = "ambiguous_field"
    INVALID_DATE = "invalid_date"
    INVALID_VALUE = "invalid_value"
    DUPLICATE_ID = "duplicate_id"
    EXTRACTION_TIMEOUT = "extraction_timeout"
    EXTRACTION_CRASH = "extraction_crash"
    UNSUPPORTED_EVIDENCE = "unsupported_evidence"
    INCOMPLETE_COLLECTION = "incomplete_collection"
    UNVERIFIED_EMPTY = "unverified_empty"
    STALE = "stale"
    DISAGREEMENT = "disagreement"

    @property
    def is_resource_outcome(self) -> bool:
        """The page ran out of time or memory: says nothing of its content, replaces no record."""
        return self in {RejectReason.EXTRACTION_TIMEOUT, RejectReason.EXTRACTION_CRASH}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A kind, the reason that follows from it, and what was seen (rule id, place, value)."""

    kind: Kind
    reason: Reason
    evidence: tuple[str, ...] = ()

    @property
    def is_eligible(self) -> bool:
        return self.reason is Reason.ELIGIBLE


ELIGIBLE = Verdict(Kind.OK, Reason.ELIGIBLE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The one terminal end of an admitted URL in a cycle."""

    reason: Reason
    kind: Kind | None = None
    """None where nothing came back (refused, timed out, cancelled)."""
    detail: str = ""
    """One line for a person; never a secret, never an address that was resolved."""
