"""Fields without which a record is none."""

from collections.abc import Container, Iterator

from crawler.contracts.evidence import Missing
from crawler.contracts.model import UNANSWERED
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Candidate, RecordType, Rejection

WORDS = {
    Missing.ABSENT: "the page has the place, and it is empty",
    Missing.NOT_FOUND: "no rule matched anything",
    Missing.AMBIGUOUS: "several different values",
}


def find_missing(
    candidate: Candidate, record_type: RecordType, unanswered: Container[str] = ()
) -> Iterator[Rejection]:
    """Yield a rejection for each required field that is missing, saying which way.

    *unanswered* are the fields about which a model has not been heard.
    """
    for spec in record_type.fields:
        field = candidate.fields[spec.name]
        if spec.is_required and field.missing is not None:
            words = UNANSWERED if spec.name in unanswered else WORDS[field.missing]
            detail = f"{spec.name} is {field.missing.value}: {words}"
            yield Rejection(RejectReason.REQUIRED_FIELD, detail, spec.name, candidate)
