import json
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.contracts.errors import SessionUnusable
from crawler.engine.session import describe_expiry, find_session
from tests.unit.sites.builders import parse, site_text

SITE = parse(site_text(access="access: {session: members}")).config


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cookie = {"name": "a", "value": "b", "domain": "garden.example", "path": "/", "secure": True}
    path = tmp_path / "garden-jazz.members.json"
    path.write_text(json.dumps({"cookies": [cookie]}))
    path.chmod(0o600)
    return tmp_path


def test_a_session_is_found_in_the_folder_of_the_setting(folder: Path) -> None:
    session = find_session(SITE, Settings({"SESSIONS_DIR": str(folder)}))

    assert session is not None
    assert session.name == "members"
    assert describe_expiry("garden-jazz", session) == (
        "garden-jazz: the session 'members' has expired: sign in again, save the storage state to "
        f"{folder}/garden-jazz.members.json and crawl again; until then nothing is sent, and the "
        "cycle waits"
    )


def test_a_site_without_a_session_needs_no_folder() -> None:
    assert find_session(parse(site_text()).config, Settings()) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"SESSIONS_DIR": ""}, "set SESSIONS_DIR"),
        ({"SESSIONS_DIR": None}, "set SESSIONS_DIR"),
        ({"COOKIES_ENABLED": False}, "garden-jazz: access.session needs COOKIES_ENABLED"),
    ],
)
def test_settings_without_which_no_session_can_be_used_are_named(
    folder: Path, changes: dict[str, object], message: str
) -> None:
    settings = Settings({"SESSIONS_DIR": str(folder), **changes})

    with pytest.raises(SessionUnusable, match=message):
        find_session(SITE, settings)
