"""The examination of an installation: what of it depends on settings and browser, and all of it."""

import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scrapy.settings import BaseSettings
from scrapy.utils.conf import closest_scrapy_cfg

from crawler.contracts.errors import CrawlerError, SiteConfigError
from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import SessionUse
from crawler.engine.chromium import BrowserNotFound, Launch, plan_launch
from crawler.engine.data import DataFolder
from crawler.ledger.queries import reading
from crawler.ledger.queries.sessions import list_expired
from crawler.reporting.health import machine, scrapyd, sessions, sites, storage
from crawler.reporting.health.check import Check, ok, problem, warning
from crawler.sites.loading import lint_all

START_SECONDS = 30.0
SANDBOX_ADVICE = (
    "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu "
    "kernel.apparmor_restrict_unprivileged_userns=0), which its sandbox is made of"
)


@dataclass(frozen=True, slots=True)
class Started:
    """What a browser said when it was started on an empty page."""

    version: str
    is_working: bool
    complaint: str = ""


def examine(settings: BaseSettings, now: datetime) -> list[Check]:
    """Look at everything; takes a few seconds. *now* bears the offset of the local time zone."""
    config = closest_scrapy_cfg()
    project = Path(config).parent if config else None
    data = DataFolder.from_settings(settings)
    found, of_sites = _check_sites(settings, now)
    return [
        *check_browser(
            settings.get("CHROMIUM_PATH") or "",
            sites.list_rendered(found),
            sites.list_untrusted(found),
        ),
        *_check_storage(data, settings.getfloat("LEDGER_WAIT")),
        *of_sites,
        *sessions.check_sessions(
            found, settings.get("SESSIONS_DIR") or "", _expired_sessions(data), now.timestamp()
        ),
        machine.judge_isolation(machine.find_isolation()),
        _check_scrapyd(project),
        *check_settings(settings),
        machine.judge_clock(
            now, _newest_writing(data), is_synchronized=machine.is_clock_synchronized()
        ),
        machine.check_versions((project or Path.cwd()) / "constraints.txt"),
    ]


def check_browser(
    configured: str,
    rendered: Sequence[str],
    untrusted: Sequence[str] = (),
    *,
    start: Callable[[Launch], Started] | None = None,
) -> list[Check]:
    """*rendered* names the sites that need a browser, *untrusted* those that need its sandbox."""
    try:
        launch = plan_launch(configured)
    except BrowserNotFound as error:
        if configured or rendered:
            return [problem("browser", error.found, error.advice)]
        return [ok("browser", "none, and no site needs one")]
    started = (start or start_browser)(launch)
    if not started.is_working:
        needs_sandbox = launch.is_sandboxed and "sandbox" in started.complaint.lower()
        advice = SANDBOX_ADVICE if needs_sandbox else "run it by hand to see what it lacks"
        return [problem("browser", f"{launch.path} does not start: {started.complaint}", advice)]
    return [ok("browser", f"{started.version}, {launch.path}"), judge_sandbox(launch, untrusted)]


def judge_sandbox(launch: Launch, untrusted: Sequence[str] = ()) -> Check:
    if launch.is_sandboxed:
        return ok("browser sandbox", "on")
    if untrusted:
        return problem(
            "browser sandbox",
            f"off: Chromium has none for root, and {', '.join(untrusted[:5])} cannot be rendered",
            "run the crawler as a user of its own",
        )
    return warning(
        "browser sandbox",
        "off: Chromium has none for root",
        "run the crawler as a user of its own before it renders pages of strangers",
    )


def start_browser(launch: Launch) -> Started:
    version = _run(launch, ["--version"])
    with tempfile.TemporaryDirectory(prefix="crawler-doctor-") as profile:
        page = _run(
            launch,
            [
                *launch.arguments,
                "--headless",
                "--disable-gpu",
                f"--user-data-dir={profile}",
                "--dump-dom",
                "about:blank",
            ],
        )
    lines = page.stderr.strip().splitlines()
    complaint = next((line for line in lines if "FATAL" in line), (lines or ["no page"])[-1])
    is_working = page.returncode == 0 and "<html" in page.stdout
    return Started(version.stdout.strip() or "version unknown", is_working, complaint[:300])


def _run(launch: Launch, arguments: list[str]) -> "subprocess.CompletedProcess[str]":
    command = [str(launch.path), *arguments]
    try:
        return subprocess.run(
            command,
            env=launch.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"silent for {START_SECONDS:.0f} s")
    except OSError as error:
        return subprocess.CompletedProcess(command, 1, "", error.strerror or str(error))


def check_settings(settings: BaseSettings) -> list[Check]:
    """What must not be switched on or off, whoever overrides it."""
    wrong = [
        name for name, is_on in _SWITCHES.items() if settings.getbool(name, not is_on) != is_on
    ]
    handlers = settings.getwithbase("DOWNLOAD_HANDLERS")
    schemes = [scheme for scheme in _FORBIDDEN_SCHEMES if handlers.get(scheme)]
    if not wrong and not schemes:
        return [ok("settings", "no remote control, certificates checked, robots files obeyed")]
    return [
        *(
            problem("settings", f"{name} is {not _SWITCHES[name]}", f"set it {_SWITCHES[name]}")
            for name in wrong
        ),
        *(
            problem("settings", f"DOWNLOAD_HANDLERS serves {scheme}:", "set it None: pages name it")
            for scheme in schemes
        ),
    ]


_SWITCHES = {
    "TELNETCONSOLE_ENABLED": False,  # runs whatever is typed into it
    "REMOTE_CONTROL_ENABLED": False,
    "DOWNLOAD_VERIFY_CERTIFICATES": True,
    "ROBOTSTXT_OBEY": True,
}
_FORBIDDEN_SCHEMES = ("file", "data", "ftp", "s3")


def _check_sites(settings: BaseSettings, now: datetime) -> tuple[Sequence[LoadedSite], list[Check]]:
    try:
        report = lint_all(settings.get("SITES_DIR"))
    except SiteConfigError as error:
        return (), [problem("site files", str(error), "set SITES_DIR to the folder of site files")]
    checks = [sites.check_site_files(report)]
    if report.sites:
        checks += [
            sites.check_authorizations(report.sites, now.astimezone(UTC).date()),
            sites.check_owners(report.sites),
        ]
    return report.sites, checks


def _check_storage(data: DataFolder, wait: float) -> list[Check]:
    return [
        storage.check_ledger(data.url, is_there=data.has_ledger, wait=wait),
        storage.judge_folder("data folder", storage.look_at_folder(data.path)),
        storage.judge_folder("archive", storage.look_at_folder(data.archive)),
    ]


def _expired_sessions(data: DataFolder) -> Mapping[tuple[str, SessionUse], float]:
    """A ledger that cannot be read is told of elsewhere."""
    try:
        with reading(data.url) as conn:
            return list_expired(conn)
    except CrawlerError:
        return {}


def _check_scrapyd(project: Path | None) -> Check:
    places = scrapyd.list_places(
        scrapyd.list_config_files(project), scrapyd.read_deploy_urls(project)
    )
    return scrapyd.judge([scrapyd.ask(place) for place in places])


def _newest_writing(data: DataFolder) -> datetime | None:
    files = [data.path / "ledger.db", *data.archive.glob("*.warc.gz")]
    times = [file.stat().st_mtime for file in files if file.exists()]
    return datetime.fromtimestamp(max(times), UTC) if times else None
