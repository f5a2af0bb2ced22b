"""Where a Scrapyd is looked for, and what is said of its answers."""

from pathlib import Path

import pytest

from crawler.reporting.health.check import State
from crawler.reporting.health.scrapyd import Answer, judge, list_places, parse_listeners

SAFE = Answer("127.0.0.1", 6800, is_scrapyd=True, needs_password=True, addresses=("127.0.0.1",))
OPEN = Answer("127.0.0.1", 6800, is_scrapyd=True, needs_password=False, addresses=("127.0.0.1",))


@pytest.mark.parametrize(
    ("answers", "state", "found"),
    [
        ([], State.OK, "none"),
        ([None], State.OK, "none"),
        ([Answer("127.0.0.1", 6800, is_scrapyd=False, needs_password=False)], State.OK, "none"),
        ([SAFE], State.OK, "asks for a password at 127.0.0.1:6800"),
        ([OPEN], State.PROBLEM, "without a password at 127.0.0.1:6800"),
        ([SAFE, OPEN], State.PROBLEM, "without a password"),
    ],
)
def test_a_scrapyd_must_ask_for_a_password(
    answers: list[Answer | None], state: State, found: str
) -> None:
    check = judge(answers)

    assert check.state is state
    assert found in check.found


@pytest.mark.parametrize(
    ("needs_password", "state"), [(True, State.WARNING), (False, State.PROBLEM)]
)
@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.7"])
def test_a_scrapyd_that_other_machines_reach_is_told(
    address: str, needs_password: bool, state: State
) -> None:
    check = judge([Answer("127.0.0.1", 6800, True, needs_password, (address,))])

    assert check.state is state
    assert "other machines" in check.found


def places(tmp_path: Path, config: str, *urls: str) -> list[tuple[str, int]]:
    file = tmp_path / "scrapyd.conf"
    file.write_text(config, encoding="utf-8")
    return list_places([file, tmp_path / "missing"], urls)


def test_it_is_looked_for_where_it_ships_where_it_is_set_and_where_eggs_go(tmp_path: Path) -> None:
    config = "[scrapyd]\nbind_address = 0.0.0.0\nhttp_port = 6900\n"

    found = places(tmp_path, config, "http://localhost:7000/", "http://[::1]:7001/")

    assert found == [("127.0.0.1", 6800), ("127.0.0.1", 6900), ("localhost", 7000), ("::1", 7001)]


@pytest.mark.parametrize(
    ("config", "url"),
    [
        ("[scrapyd]\nhttp_port =\n", "https://scrapyd.example/"),
        ("no section", "http://93.184.215.14:6800/"),
        ("[scrapyd]\nusername = 50%\n", "not a url"),
        ("", "http://[broken/"),
        ("", "http://localhost:99999/"),
    ],
)
def test_other_machines_and_what_is_not_readable_are_left_alone(
    tmp_path: Path, config: str, url: str
) -> None:
    assert places(tmp_path, config, url) == [("127.0.0.1", 6800)]


TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
   0: 0100007F:1A90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
   1: 00000000:1A90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
   2: 0100007F:1A90 0100007F:C000 01 00000000:00000000 00:00000000 00000000     0
   3: 0701A8C0:1A91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
"""
TABLE6 = """\
  sl  local_address                         remote_address                        st
   0: 00000000000000000000000000000000:1A90 00000000000000000000000000000000:0000 0A 0
   1: 00000000000000000000000001000000:1A90 00000000000000000000000000000000:0000 0A 0
"""


def test_the_kernels_table_tells_which_addresses_listen() -> None:
    assert parse_listeners(TABLE, 6800) == ["127.0.0.1", "0.0.0.0"]
    assert parse_listeners(TABLE, 6801) == ["192.168.1.7"]
    assert parse_listeners(TABLE6, 6800) == ["::", "::1"]
    assert parse_listeners("", 6800) == []
