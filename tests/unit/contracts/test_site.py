import pytest
from pydantic import ValidationError

from crawler.contracts.bound import Limits
from crawler.contracts.site.access import Access
from crawler.contracts.site.config import Authorization, SiteConfig
from crawler.contracts.site.record import RecordRules
from crawler.contracts.site.section import parse_duration

MINIMAL = {
    "site": "garden-jazz",
    "authorization": Authorization.model_validate_json(
        '{"basis": "public", "approved_by": "desk", "expires": "2027-06-30"}'
    ),
    "start": ("https://garden.example/events",),
    "record": RecordRules(type="event"),
}


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("5m", 300), ("24h", 86_400), ("7d", 604_800), ("0s", 0)]
)
def test_durations_have_a_unit(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["7", "7 d", "7w", "d", "-1d", "1.5h", "7d\n", ""])
def test_anything_else_is_no_duration(text: str) -> None:
    with pytest.raises(ValidationError):
        Access(cycle_max_age=text)


def test_four_keys_are_enough() -> None:
    config = SiteConfig.model_validate(MINIMAL)

    assert (config.collect.max_pages, config.collect.max_depth) == (10_000, 1_000)
    assert config.collect.limits == Limits(pages=10_000, barren=20)
    assert (config.access.timeout, config.access.budget.seconds) == (30.0, 90.0)
    assert (config.record.reject, config.record.fresh_for) == ("batch", None)


@pytest.mark.parametrize("missing", MINIMAL)
def test_none_of_the_four_can_be_left_out(missing: str) -> None:
    with pytest.raises(ValidationError):
        SiteConfig.model_validate({key: MINIMAL[key] for key in MINIMAL if key != missing})


def test_unknown_keys_are_refused_at_every_level() -> None:
    with pytest.raises(ValidationError):
        SiteConfig.model_validate({**MINIMAL, "proxy": "x"})
    with pytest.raises(ValidationError):
        SiteConfig.model_validate({**MINIMAL, "access": {"proxy": "x"}})


def test_a_site_cannot_change_while_it_is_in_force() -> None:
    config = SiteConfig.model_validate(MINIMAL)

    with pytest.raises(ValidationError, match="frozen"):
        config.site = "other"


@pytest.mark.parametrize(
    "name", ["Garden", "garden jazz", "-garden", "", "a" * 101, "gärten", "../x"]
)
def test_a_name_that_is_no_file_stem_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        SiteConfig.model_validate({**MINIMAL, "site": name})
