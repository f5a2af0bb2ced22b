"""Which browser is taken, and how it is started."""

from pathlib import Path

import pytest

from crawler.engine.chromium import (
    LAUNCH_ARGUMENTS,
    BrowserNotFound,
    Launch,
    find_browser,
    list_downloads,
)
from crawler.engine.egress import ProxyAddress


def program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode)
    path.chmod(mode)
    return path


def test_the_configured_browser_is_taken_before_any_other(tmp_path: Path) -> None:
    configured, other = program(tmp_path / "configured"), program(tmp_path / "other")

    assert find_browser(str(configured), downloads=[other], packaged=[other]) == configured


@pytest.mark.parametrize("mode", [None, 0o644])
def test_a_configured_browser_that_cannot_run_is_an_error_and_not_replaced(
    tmp_path: Path, mode: int | None
) -> None:
    configured, other = tmp_path / "configured", program(tmp_path / "other")
    if mode is not None:
        program(configured, mode)

    with pytest.raises(BrowserNotFound, match=r"CHROMIUM_PATH names .*configured, which is not"):
        find_browser(str(configured), downloads=[other], packaged=[other])


def test_playwrights_own_download_comes_before_the_systems(tmp_path: Path) -> None:
    own, system = program(tmp_path / "own"), program(tmp_path / "system")

    assert find_browser(downloads=[own], packaged=[system]) == own
    assert find_browser(downloads=[tmp_path / "gone"], packaged=[system]) == system


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(BrowserNotFound):
        find_browser(downloads=[tmp_path], packaged=[])


def test_without_any_browser_the_error_says_what_to_do() -> None:
    with pytest.raises(BrowserNotFound, match=r"apt-get install chromium.*CHROMIUM_PATH"):
        find_browser(downloads=[], packaged=[])


@pytest.mark.parametrize("name", ["PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME"])
def test_downloads_are_looked_for_where_playwright_puts_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.setenv(name, str(tmp_path))
    folder = tmp_path if name == "PLAYWRIGHT_BROWSERS_PATH" else tmp_path / "ms-playwright"

    headless, *_ = downloads = list_downloads()

    assert {path.parents[2] for path in downloads} == {folder}
    assert headless.parents[1].name.startswith("chromium_headless_shell-")


def test_a_browser_is_started_behind_the_proxy_with_nothing_of_our_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LEDGER_URL", "postgresql://me:secret@db/ledger")
    launch = Launch(Path("/usr/bin/chromium"), is_sandboxed=True)

    options = launch.options(ProxyAddress("http://127.0.0.1:1", "browser", "pw"))

    assert options["proxy"] == {
        "server": "http://127.0.0.1:1",
        "username": "browser",
        "password": "pw",
        "bypass": "<-loopback>",
    }
    assert options["chromium_sandbox"] is True
    assert "LEDGER_URL" not in options["env"]
    assert options["args"] == list(LAUNCH_ARGUMENTS)
    assert not any(argument.startswith("--no-sandbox") for argument in options["args"])


def test_udp_is_held_back() -> None:
    assert "--force-webrtc-ip-handling-policy=disable_non_proxied_udp" in LAUNCH_ARGUMENTS
    assert "--disable-quic" in LAUNCH_ARGUMENTS
    assert all(LAUNCH_ARGUMENTS.values())
