from datetime import date

import pytest

from crawler.admission.authorization import decide_authorization
from crawler.admission.decision import AdmissionPolicy, admission_policy, decide_admission
from crawler.contracts.outcome import Reason
from crawler.contracts.site.access import Access
from crawler.contracts.site.config import Authorization, SiteConfig
from crawler.contracts.site.record import RecordRules

AUTHORIZATION = Authorization(basis="b", approved_by="a", expires=date(2026, 6, 30))
TODAY = date(2026, 6, 30)
CONFIG = SiteConfig(
    site="garden",
    authorization=AUTHORIZATION,
    start=("https://example.com/", "http://127.0.0.1:8000/", "http://169.254.169.254/"),
    access=Access(permit_private=("127.0.0.1:8000",)),
    record=RecordRules(type="event"),
)
POLICY = admission_policy(CONFIG)
OPEN = AdmissionPolicy(
    AUTHORIZATION,
    frozenset({"http://2130706433:80", "http://localhost:80", "http://127.0.0.1:80"}),
)


@pytest.mark.parametrize("url", ["https://example.com/a?b=c", "http://127.0.0.1:8000/"])
def test_a_url_of_the_site_is_admitted(url: str) -> None:
    assert decide_admission(url, POLICY, today=TODAY) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://user:pw@example.com/", Reason.REFUSED_MALFORMED),
        ("", Reason.REFUSED_MALFORMED),
        ("https://example.com/" + "a" * 8000, Reason.REFUSED_MALFORMED),
        ("file:///etc/hostname", Reason.REFUSED_SCOPE),
        ("JavaScript:alert(1)", Reason.REFUSED_SCOPE),
        ("view-source:https://example.com/", Reason.REFUSED_SCOPE),
        ("https://other.example/", Reason.REFUSED_SCOPE),
        ("http://127.0.0.1:8001/", Reason.REFUSED_SCOPE),
        ("http://169.254.169.254/", Reason.REFUSED_ADDRESS),
    ],
)
def test_a_refusal_names_its_reason(url: str, reason: Reason) -> None:
    outcome = decide_admission(url, POLICY, today=TODAY)
    assert outcome is not None
    assert outcome.reason is reason
    assert outcome.reason.is_refusal


@pytest.mark.parametrize("url", ["http://2130706433/", "http://localhost/", "http://127.0.0.1/"])
def test_a_local_address_needs_a_permit_and_is_not_spelled_out(url: str) -> None:
    outcome = decide_admission(url, OPEN, today=TODAY)
    assert outcome is not None
    assert outcome.reason is Reason.REFUSED_ADDRESS
    assert "127" not in outcome.detail


def test_an_authorisation_holds_through_its_last_day() -> None:
    assert decide_authorization(AUTHORIZATION, today=date(2026, 6, 30)) is None
    refusal = decide_authorization(AUTHORIZATION, today=date(2026, 7, 1))
    assert refusal is not None
    assert refusal.reason is Reason.REFUSED_AUTHORIZATION


def test_without_an_authorisation_nothing_is_admitted() -> None:
    policy = AdmissionPolicy(None, POLICY.origins)
    outcome = decide_admission("https://example.com/robots.txt", policy, today=TODAY)
    assert outcome is not None
    assert outcome.reason is Reason.REFUSED_AUTHORIZATION


def test_malformed_comes_before_authorisation_and_that_before_scope() -> None:
    late = date(2027, 1, 1)
    malformed = decide_admission("http://a@b/", POLICY, today=late)
    foreign = decide_admission("https://other.example/", POLICY, today=late)
    assert malformed is not None
    assert malformed.reason is Reason.REFUSED_MALFORMED
    assert foreign is not None
    assert foreign.reason is Reason.REFUSED_AUTHORIZATION
