"""What commands say when they were asked for something wrongly."""

from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from crawler.commands.output import describe_os_error, describe_unknown, only_site, open_output


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


@pytest.mark.parametrize(("name", "why"), [("none/x", "no such folder"), (".", "expected a file")])
def test_a_place_where_no_file_can_be_is_named(tmp_path: Path, name: str, why: str) -> None:
    target = tmp_path / name

    with pytest.raises(OSError, match=why) as caught, open_output(str(target)):
        pass

    where = target if target.is_dir() else target.parent
    assert describe_os_error(caught.value) == f"{where}: {why}"
    assert list(tmp_path.iterdir()) == []


def test_others_may_read_a_file_as_they_may_any_file(tmp_path: Path) -> None:
    new, known, plain = tmp_path / "new", tmp_path / "known", tmp_path / "plain"
    plain.touch()
    known.touch()
    known.chmod(0o640)

    for path in (new, known):
        with open_output(str(path)) as file:
            file.write("x")

    assert new.stat().st_mode == plain.stat().st_mode
    assert known.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with open_output("/dev/null") as file:
        file.write("x")

    assert Path("/dev/null").is_char_device()


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
