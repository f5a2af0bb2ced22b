from dataclasses import replace

from pydantic import JsonValue

from crawler.contracts.evidence import Evidence, FieldValue, Missing
from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import FieldKind
from crawler.validation.support import find_unsupported
from tests.unit.document.pages import NOTICE
from tests.unit.validation.candidates import make_candidate

CANDIDATE = make_candidate(id="A", title="A", published=Missing.NOT_FOUND, office=None)


def derive_raw(_: FieldKind, evidence: Evidence) -> JsonValue:
    return evidence.raw


def test_values_that_follow_from_their_evidence_pass_and_lacks_need_none() -> None:
    assert list(find_unsupported(CANDIDATE, NOTICE, derive_raw)) == []


def test_a_value_that_does_not_follow_is_unsupported() -> None:
    forged = make_candidate(id="A", title="B", published=Missing.NOT_FOUND, office=None)

    (rejection,) = find_unsupported(forged, NOTICE, derive_raw)

    assert rejection.reason is RejectReason.UNSUPPORTED_EVIDENCE
    assert rejection.field == "title"
    assert "/html/body/h1" in rejection.detail


def test_a_value_without_evidence_is_unsupported() -> None:
    fields = {**CANDIDATE.fields, "title": FieldValue("A", None)}

    (rejection,) = find_unsupported(replace(CANDIDATE, fields=fields), NOTICE, derive_raw)

    assert "no evidence" in rejection.detail
