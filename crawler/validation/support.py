"""Whether each value follows from its evidence."""

from collections.abc import Callable, Iterator

from pydantic import JsonValue

from crawler.contracts.evidence import Evidence
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, FieldKind, RecordType, Rejection

Derive = Callable[[FieldKind, Evidence], JsonValue]
"""Returns the value at a place of the snapshot, read afresh; None when there is none."""


def find_unsupported(
    candidate: Candidate, record_type: RecordType, derive: Derive
) -> Iterator[Rejection]:
    """Yield a rejection for each value that cannot be derived again from its evidence."""
    for spec in record_type.fields:
        field = candidate.fields[spec.name]
        if field.value is None:
            continue
        if field.evidence is None:
            detail = f"{spec.name} has no evidence"
        elif derive(spec.kind, field.evidence) == field.value:
            continue
        else:
            detail = f"{spec.name} does not follow from {field.evidence.locator}"
        yield Rejection(RejectReason.UNSUPPORTED_EVIDENCE, detail, spec.name, candidate)
