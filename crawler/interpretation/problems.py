"""What is wrong with one record, of a page as of an entry."""

from collections.abc import Container, Iterator

from crawler.contracts.record import Candidate, Rejection
from crawler.contracts.rules import Rules
from crawler.contracts.site.section import parse_duration
from crawler.contracts.snapshot import Snapshot
from crawler.extraction.derivation import Derivation
from crawler.validation.plausibility import find_implausible
from crawler.validation.required import find_missing
from crawler.validation.support import find_unsupported


def find_problems(
    candidate: Candidate,
    snapshot: Snapshot,
    rules: Rules,
    derivation: Derivation,
    unanswered: Container[str] = (),
) -> Iterator[Rejection]:
    yield from find_missing(candidate, rules.record_type, unanswered)
    yield from find_unsupported(candidate, rules.record_type, derivation.derive)
    horizon = parse_duration(rules.record.horizon)
    yield from find_implausible(candidate, rules.record_type, snapshot.observed_at, horizon)
