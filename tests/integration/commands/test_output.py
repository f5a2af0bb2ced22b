"""What commands say when they were asked for something wrongly."""

from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from crawler.commands.output import describe_os_error, describe_unknown, only_site


def test_one_site_or_none_is_an_argument() -> None:
    assert only_site([]) is None
    assert only_site(["garden"]) == "garden"


def test_a_second_site_is_refused_rather_than_left_out() -> None:
    with pytest.raises(UsageError, match="one SITE at most"):
        only_site(["garden", "orchard"])


def test_a_file_that_is_in_the_way_is_named_first(tmp_path: Path) -> None:
    taken = tmp_path / "page.html"
    taken.touch()

    with pytest.raises(FileExistsError) as caught:
        taken.open("x")

    assert describe_os_error(caught.value) == f"{taken}: File exists"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError("the disk is gone"), "the disk is gone"),
    ],
)
def test_an_error_without_a_file_says_what_it_can(error: OSError, text: str) -> None:
    assert describe_os_error(error) == text


@pytest.mark.parametrize(
    ("name", "hint"),
    [("gardn", "did you mean garden?"), ("quarry", "scrapy list names those there are")],
)
def test_an_unknown_site_is_answered_with_the_closest_name(name: str, hint: str) -> None:
    assert describe_unknown(name, ["garden", "orchard"]) == f"{name}: no such site; {hint}"
