"""Candidates and rejections for the checks of one page."""

from crawler.contracts.evidence import Evidence, FieldValue, Missing, Source
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, Rejection

EVIDENCE = Evidence(
    source=Source.CSS,
    capture_id="urn:uuid:00000000-0000-4000-8000-000000000001",
    digest="0" * 64,
    locator="/html/body/h1",
    raw="A",
    rule="css:h1",
    rule_version="0",
    span_reason="a parsed node has no byte offsets",
)


def make_candidate(record_key: str = "a", /, **fields: str | Missing | None) -> Candidate:
    """Return a candidate; a field that is a ``Missing`` is missing that way."""
    return Candidate(
        type="notice",
        key=record_key,
        schema_version="v1",
        fields={
            name: FieldValue(None, None, value)
            if isinstance(value, Missing)
            else FieldValue(value, EVIDENCE)
            for name, value in fields.items()
        },
    )


def make_problem(
    candidate: Candidate, reason: RejectReason = RejectReason.REQUIRED_FIELD, detail: str = "bad"
) -> Rejection:
    return Rejection(reason, detail, "title", candidate)
