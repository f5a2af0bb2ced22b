"""The browser as it is started for an examination, and settings that somebody overrode."""

import os
from pathlib import Path

import pytest
from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings

from crawler.engine.chromium import Launch, find_browser
from crawler.engine.health import Started, check_browser, check_settings, judge_sandbox
from crawler.reporting.health.check import State


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.browser
def test_a_browser_that_shows_an_empty_page_is_fine() -> None:
    browser, sandbox = check_browser("", [])

    assert browser.state is State.OK, browser
    assert str(find_browser()) in browser.found
    assert sandbox.state is (State.OK if os.geteuid() else State.WARNING)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("echo 'error while loading shared libraries: libnss3.so' >&2; exit 127", "libnss3.so"),
        ("exit 0", "no page"),
        ("kill -SEGV $$", "no page"),
    ],
)
def test_a_browser_that_does_not_start_is_a_problem(
    tmp_path: Path, text: str, complaint: str
) -> None:
    (check,) = check_browser(script(tmp_path / "chromium", text), [])

    assert check.state is State.PROBLEM
    assert complaint in check.found


def test_without_a_browser_it_matters_whether_a_site_needs_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (named,) = check_browser(str(tmp_path / "none"), [])
    assert named.state is State.PROBLEM
    assert "CHROMIUM_PATH" in named.found

    monkeypatch.setattr("crawler.engine.health.plan_launch", lambda _: Launch(tmp_path, True))
    (broken,) = check_browser(
        "", [], start=lambda _: Started("", False, "FATAL: No usable sandbox!")
    )
    assert "user namespaces" in broken.advice


@pytest.mark.parametrize(("is_sandboxed", "state"), [(True, State.OK), (False, State.WARNING)])
def test_a_sandbox_that_is_off_is_told(is_sandboxed: bool, state: State) -> None:
    assert judge_sandbox(Launch(Path("/usr/bin/chromium"), is_sandboxed)).state is state


def test_a_sandbox_that_an_untrusted_site_lacks_is_a_problem() -> None:
    check = judge_sandbox(Launch(Path("/usr/bin/chromium"), is_sandboxed=False), ["garden"])
    assert check.state is State.PROBLEM
    assert "garden cannot be rendered" in check.found
    fine = judge_sandbox(Launch(Path("/usr/bin/chromium"), is_sandboxed=True), ["garden"])
    assert fine.state is State.OK


def overridden(**settings: object) -> Settings:
    found = get_project_settings()
    found.setdict(settings, priority="cmdline")
    return found


def test_the_settings_of_the_project_are_fine() -> None:
    assert [check.state for check in check_settings(overridden())] == [State.OK]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELNETCONSOLE_ENABLED", True),
        ("REMOTE_CONTROL_ENABLED", "1"),
        ("DOWNLOAD_VERIFY_CERTIFICATES", False),
        ("ROBOTSTXT_OBEY", False),
        ("DOWNLOAD_HANDLERS", {"file": "scrapy.core.downloader.handlers.file.FileDownloadHandler"}),
    ],
)
def test_a_setting_that_opens_a_door_is_a_problem(name: str, value: object) -> None:
    checks = check_settings(overridden(**{name: value}))

    assert all(check.state is State.PROBLEM for check in checks)
    assert any(name in check.found for check in checks)
