import pytest

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.validation.required import find_missing
from tests.unit.document.pages import NOTICE
from tests.unit.validation.candidates import make_candidate

WHOLE: dict[str, str | Missing | None] = {
    "id": "1",
    "title": "A",
    "published": "2026-09-10",
    "office": Missing.NOT_FOUND,
}


def test_a_field_that_is_not_required_may_be_missing() -> None:
    assert list(find_missing(make_candidate(**WHOLE), NOTICE)) == []


@pytest.mark.parametrize("missing", list(Missing))
def test_a_required_field_must_not_and_the_way_it_is_missing_is_said(missing: Missing) -> None:
    candidate = make_candidate(**{**WHOLE, "title": missing})

    (rejection,) = find_missing(candidate, NOTICE)

    assert rejection.reason is RejectReason.REQUIRED_FIELD
    assert rejection.field == "title"
    assert missing.value in rejection.detail


def test_a_value_that_could_not_be_read_is_not_missing() -> None:
    assert list(find_missing(make_candidate(**{**WHOLE, "published": None}), NOTICE)) == []
