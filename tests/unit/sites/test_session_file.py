import json
import os
from pathlib import Path
from typing import Any

import pytest

from crawler.contracts.errors import SessionUnusable
from crawler.contracts.session import Session
from crawler.contracts.site.config import SiteConfig
from crawler.sites.session_file import MAX_BYTES, load_session
from tests.unit.sites.builders import parse, site_text

NOW = 1_800_000_000.0
SECRET = "c4n4ry"


def make_cookie(domain: str = "garden.example", **others: Any) -> dict[str, Any]:
    return {
        "name": "sid",
        "value": SECRET,
        "domain": domain,
        "path": "/",
        "expires": -1,
        "httpOnly": False,
        "secure": True,
        "sameSite": "Lax",
        **others,
    }


def config_of(access: str = "{session: members}", **parts: str) -> SiteConfig:
    return parse(site_text(access=f"access: {access}", **parts)).config


def save(folder: Path, *cookies: dict[str, Any], origins: Any = ()) -> Path:
    path = folder / "garden-jazz.members.json"
    path.write_text(json.dumps({"cookies": cookies, "origins": origins}))
    path.chmod(0o600)
    return path


def load(folder: Path | str, config: SiteConfig | None = None) -> Session:
    config = config or config_of()
    assert config.access.session is not None
    return load_session(config, config.access.session, str(folder), now=NOW)


def fault_of(folder: Path | str, config: SiteConfig | None = None) -> str:
    with pytest.raises(SessionUnusable) as caught:
        load(folder, config)
    text = str(caught.value)
    assert SECRET not in text
    assert "\n" not in text
    return text.removeprefix(f"{folder}/garden-jazz.members.json: ")


def test_a_session_holds_what_is_alive(tmp_path: Path) -> None:
    path = save(
        tmp_path,
        make_cookie(".GARDEN.example", path="/in"),
        make_cookie(name="old", expires=NOW - 1),
        make_cookie(name="new", expires=NOW + 1),
        origins=[{"origin": "https://garden.example", "localStorage": []}],
    )

    session = load(tmp_path)

    assert (session.name, session.path) == ("members", str(path))
    assert [(each.name, each.host, each.is_host_only) for each in session.cookies] == [
        ("sid", "garden.example", False),
        ("new", "garden.example", True),
    ]
    assert session.storage[0].origin == "https://garden.example:443"
    assert SECRET not in repr(session)


def test_a_session_is_known_by_what_it_holds_and_not_by_how_it_is_written(tmp_path: Path) -> None:
    path = save(tmp_path, make_cookie(), make_cookie(name="b"))
    first = load(tmp_path).use
    path.write_text(
        json.dumps({"cookies": [make_cookie(name="b", expires=NOW + 9), make_cookie()]})
    )
    again = load(tmp_path).use
    save(tmp_path, make_cookie(value="other"), make_cookie(name="b"))
    other = load(tmp_path).use

    assert first == again
    assert first.fingerprint != other.fingerprint


HTTP = 'start: ["http://garden.example/"]'
RENDERED = "{session: members, representation: rendered_dom}"
STORED = [{"origin": "https://garden.example", "localStorage": [{"name": "a", "value": SECRET}]}]
FOREIGN = [{"origin": "https://garden.example:8443", "localStorage": []}]
UNFIT: dict[str, tuple[list[dict[str, Any]], Any, SiteConfig, str]] = {
    "a cookie of another site": (
        [make_cookie(), make_cookie("tracker.test")],
        (),
        config_of(),
        "holds what belongs to other sites: tracker.test; take it out, or list the origin in acc",
    ),
    "a cookie of a host below": (
        [make_cookie("www.garden.example")],
        (),
        config_of(),
        "holds what belongs to other sites: www.garden.example; ",
    ),
    "a look-alike": (
        [make_cookie(".notgarden.example")],
        (),
        config_of(),
        "holds what belongs to other sites: notgarden.example; ",
    ),
    "storage of another port": (
        [make_cookie()],
        FOREIGN,
        config_of(),
        "holds what belongs to other sites: https://garden.example:8443; ",
    ),
    "a public suffix": (
        [make_cookie(".co.uk")],
        (),
        config_of(start='start: ["https://garden.co.uk/"]'),
        "cookies for every site below co.uk",
    ),
    "nothing alive": (
        [make_cookie(expires=NOW), make_cookie(name="b", expires=1)],
        (),
        config_of(),
        "all of its cookies have expired; sign in again",
    ),
    "https only": (
        [make_cookie()],
        (),
        config_of(start=HTTP),
        "all of its cookies are for https only",
    ),
    "nothing": ([], (), config_of(), "holds no cookie"),
    "storage for served pages": ([], STORED, config_of(), "holds no cookie"),
    "nothing for rendered pages": ([], (), config_of(RENDERED), "holds no cookie"),
}


@pytest.mark.parametrize(("cookies", "origins", "config", "expected"), UNFIT.values(), ids=UNFIT)
def test_a_session_that_is_of_no_use_to_the_site_is_refused(
    tmp_path: Path,
    cookies: list[dict[str, Any]],
    origins: Any,
    config: SiteConfig,
    expected: str,
) -> None:
    save(tmp_path, *cookies, origins=origins)

    assert fault_of(tmp_path, config).startswith(expected)


def test_storage_alone_is_enough_for_rendered_pages(tmp_path: Path) -> None:
    save(tmp_path, origins=STORED)

    assert load(tmp_path, config_of(RENDERED)).cookies == ()


def test_a_host_that_the_site_lists_may_have_its_part(tmp_path: Path) -> None:
    save(tmp_path, make_cookie(), make_cookie("api.garden.example"))
    config = config_of('{session: members, hosts: ["https://api.garden.example"]}')

    assert len(load(tmp_path, config).cookies) == 2


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (0o640, "open to other users (0640); chmod 600 it"),
        (0o604, "open to other users (0604); chmod 600 it"),
        (0o602, "open to other users (0602); chmod 600 it"),
        (0o610, "open to other users (0610); chmod 600 it"),
    ],
)
def test_a_file_that_others_may_open_is_refused(tmp_path: Path, mode: int, expected: str) -> None:
    save(tmp_path, make_cookie()).chmod(mode)

    assert fault_of(tmp_path) == expected


def test_a_file_of_its_owner_alone_is_read(tmp_path: Path) -> None:
    save(tmp_path, make_cookie()).chmod(0o400)

    assert load(tmp_path).cookies


def test_what_is_no_small_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "garden-jazz.members.json"
    assert fault_of(tmp_path) == "no such file; save the storage state of the session there"
    os.mkfifo(path, 0o600)
    assert fault_of(tmp_path) == "not a file"
    path.unlink()
    path.mkdir()
    assert fault_of(tmp_path) == "Is a directory"
    path.rmdir()
    path.write_bytes(b" " * (MAX_BYTES + 1))
    path.chmod(0o600)
    assert fault_of(tmp_path) == f"larger than {MAX_BYTES} bytes"
    path.write_text("[]")
    assert fault_of(tmp_path) == "not a storage state: expected an object"


@pytest.mark.parametrize("mark", [".git", "scrapy.cfg"])
def test_a_file_inside_a_repository_is_refused(tmp_path: Path, mark: str) -> None:
    (tmp_path / mark).mkdir()
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    save(folder, make_cookie())

    assert fault_of(folder) == f"lies inside the repository {tmp_path}; keep it elsewhere"


def test_a_link_out_of_a_repository_leads_out_of_it_and_one_into_it_leads_in(
    tmp_path: Path,
) -> None:
    repository, outside = tmp_path / "repository", tmp_path / "outside"
    (repository / ".git").mkdir(parents=True)
    outside.mkdir()
    save(outside, make_cookie())
    (repository / "sessions").symlink_to(outside)
    assert load(repository / "sessions").cookies

    moved = repository / "moved.json"
    (outside / "garden-jazz.members.json").rename(moved)
    (outside / "garden-jazz.members.json").symlink_to(moved)
    assert fault_of(outside).startswith("lies inside the repository")


def test_a_folder_that_cannot_be_reached_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    assert fault_of(tmp_path / "loop") == "cannot be read"
    assert fault_of("~no-such-user")
    assert fault_of("a\0b").endswith("null byte")


def test_without_a_folder_it_says_where_to_name_one() -> None:
    assert fault_of("") == (
        "garden-jazz: access.session needs a folder: set SESSIONS_DIR in the environment"
    )
