import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import SessionUse
from crawler.reporting.health.check import Check, State
from crawler.reporting.health.sessions import check_sessions
from crawler.sites.session_file import load_session
from tests.unit.sites.builders import parse, site_text

NOW = 1_800_000_000.0
DAY = 86_400.0
SITE = parse(site_text(access="access: {session: members}"))
PLAIN = parse(site_text())


@dataclass(frozen=True)
class Folder:
    path: Path

    def save(self, *ends: float, mode: int = 0o600) -> SessionUse:
        cookies: list[dict[str, Any]] = [
            {
                "name": f"c{number}",
                "value": "c4n4ry",
                "domain": "garden.example",
                "path": "/",
                "expires": end,
                "secure": True,
            }
            for number, end in enumerate(ends)
        ]
        file = self.path / "garden-jazz.members.json"
        file.write_text(json.dumps({"cookies": cookies}))
        file.chmod(0o600)
        named = SITE.config.access.session
        assert named is not None
        use = load_session(SITE.config, named, str(self.path), now=0.0).use
        file.chmod(mode)
        return use


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    path = tmp_path / "sessions"
    path.mkdir(mode=0o700)
    return Folder(path)


def check(
    folder: Folder | str,
    *sites: LoadedSite,
    expired: dict[tuple[str, SessionUse], float] | None = None,
) -> list[Check]:
    where = folder if isinstance(folder, str) else str(folder.path)
    return check_sessions(sites or (SITE,), where, expired or {}, NOW)


def test_without_a_site_that_names_one_there_is_nothing_to_look_at() -> None:
    (only,) = check("", PLAIN)

    assert (only.state, only.found) == (State.OK, "no site names one")


def test_a_site_that_names_one_needs_a_folder(tmp_path: Path) -> None:
    (unset,) = check("", PLAIN, SITE)
    (missing, _) = check(str(tmp_path / "none"))

    assert (unset.state, unset.found) == (
        State.PROBLEM,
        "no folder, and one is needed for garden-jazz",
    )
    assert (missing.state, missing.found) == (State.PROBLEM, f"{tmp_path / 'none'} is no folder")


ENDS = [
    ((-1.0,), State.OK, "members, without an end of its own"),
    ((NOW + 9 * DAY, -1.0, NOW + 2 * DAY), State.OK, "members, a cookie of it ends at 2027-01-17T"),
    ((NOW + DAY / 2,), State.WARNING, "members, a cookie of it ends at 2027-01-15T20:00:00"),
    ((NOW - 1,), State.PROBLEM, "all of its cookies have expired"),
]


@pytest.mark.parametrize(("ends", "state", "found"), ENDS)
def test_a_session_is_told_by_its_end(
    folder: Folder, ends: tuple[float, ...], state: State, found: str
) -> None:
    folder.save(*ends)

    place, session = check(folder)

    assert (place.state, place.found) == (State.OK, str(folder.path))
    assert (session.name, session.state) == ("session of garden-jazz", state)
    assert found in session.found


def test_a_session_that_the_site_has_refused_is_a_problem_until_it_is_another(
    folder: Folder,
) -> None:
    refused = {("garden-jazz", folder.save(-1)): NOW - 60}
    _, old = check(folder, expired=refused)
    folder.save(-1, -1)
    _, new = check(folder, expired=refused)

    assert (old.state, old.found) == (
        State.PROBLEM,
        "refused by the site at 2027-01-15T07:59:00+00:00",
    )
    assert old.advice == f"sign in, save it to {folder.path}/garden-jazz.members.json"
    assert new.state is State.OK


def test_what_others_may_do_is_told(folder: Folder) -> None:
    folder.save(-1, mode=0o640)
    folder.path.chmod(0o770)

    place, session = check(folder)

    assert (place.state, place.advice) == (State.WARNING, f"chmod 700 {folder.path}")
    assert session.state is State.PROBLEM
    assert "open to other users (0640)" in session.found


def test_a_folder_inside_a_repository_is_a_problem(folder: Folder) -> None:
    folder.save(-1)
    (folder.path.parent / ".git").mkdir()

    place, session = check(folder)

    assert place.state is session.state is State.PROBLEM
    assert place.found == f"{folder.path} lies inside {folder.path.parent}"
