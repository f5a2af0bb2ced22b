"""Site files: readable, authorised, and not for everybody to change."""

import stat
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from crawler.contracts.rules import LoadedSite
from crawler.reporting.health.check import Check, ok, problem, warning
from crawler.sites.authorization import AuthorizationState, authorization_state
from crawler.sites.loading import LintReport

SHOWN = 3


def check_site_files(report: LintReport) -> Check:
    if report.problems:
        found = f"{len(report.problems)} problems: {report.problems[0]}"
        return problem("site files", found, "scrapy sites lists them all")
    if not report.sites:
        return warning("site files", "none", "write one: see Site files in README.md")
    return ok("site files", f"{len(report.sites)}, no problems")


def check_authorizations(sites: Sequence[LoadedSite], today: date) -> Check:
    expired = [
        site.config.site
        for site in sites
        if authorization_state(site.config, today).state is AuthorizationState.EXPIRED
    ]
    if expired:
        return warning(
            "authorisations",
            f"expired: {_name_some(expired)}",
            "nothing is sent to these sites; have them renewed, or remove the files",
        )
    return ok("authorisations", "all valid today")


def check_owners(sites: Sequence[LoadedSite]) -> Check:
    """Whoever can write a site file says where requests go, and under whose authority."""
    open_files = [site.path for site in sites if _is_open_to_writing(Path(site.path))]
    if open_files:
        return problem(
            "site file permissions",
            f"writable by everybody: {_name_some(open_files)}",
            f"chmod o-w {open_files[0]}",
        )
    return ok("site file permissions", "not writable by everybody")


def list_rendered(sites: Sequence[LoadedSite]) -> list[str]:
    """Return the names of the sites that need a browser."""
    return [site.config.site for site in sites if site.config.access.representation.may_render]


def list_untrusted(sites: Sequence[LoadedSite]) -> list[str]:
    """Return the names of the sites whose pages are rendered in a sandbox only."""
    return [
        site.config.site
        for site in sites
        if site.config.access.untrusted and site.config.access.representation.may_render
    ]


def _is_open_to_writing(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return False  # inside an egg, which has an owner of its own


def _name_some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
