"""What is said of a folder, by its facts."""

from dataclasses import replace
from pathlib import Path

import pytest

from crawler.reporting.health.check import State
from crawler.reporting.health.storage import FolderFacts, judge_folder

GOOD = FolderFacts(
    path=Path("/srv/data"),
    is_there=True,
    is_writable=True,
    mode=0o700,
    is_ours=True,
    free_bytes=20 * 2**30,
)


def test_a_private_folder_with_room_is_fine() -> None:
    check = judge_folder("archive", GOOD)

    assert (check.state, check.advice) == (State.OK, "")
    assert check.found == "/srv/data, 20.0 GiB free"


@pytest.mark.parametrize(
    ("facts", "state", "advice"),
    [
        (replace(GOOD, is_writable=False), State.PROBLEM, "set DATA_DIR"),
        (replace(GOOD, mode=0o750), State.PROBLEM, "chmod 700 /srv/data"),
        (replace(GOOD, mode=0o701), State.PROBLEM, "chmod 700 /srv/data"),
        (replace(GOOD, is_ours=False), State.PROBLEM, "chown"),
        (replace(GOOD, free_bytes=99 * 2**20), State.PROBLEM, "make room"),
        (replace(GOOD, free_bytes=2**30 - 1), State.WARNING, "make room"),
    ],
)
def test_what_is_wrong_with_a_folder_comes_with_what_to_do(
    facts: FolderFacts, state: State, advice: str
) -> None:
    check = judge_folder("archive", facts)

    assert check.state is state
    assert advice in check.advice


def test_a_folder_that_can_be_created_is_fine() -> None:
    check = judge_folder("archive", replace(GOOD, is_there=False, mode=0))

    assert check.state is State.OK
    assert "created by the first crawl" in check.found
