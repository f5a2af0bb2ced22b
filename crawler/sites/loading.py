"""The site files of a folder: one by name, or all with everything that is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING

from crawler.contracts.errors import Problem, SiteConfigError
from crawler.sites.config import parse_site
from crawler.sites.record_types import TypeCatalog, load_types
from crawler.sites.representation import find_doubts
from crawler.sites.source import (
    WHOLE_FILE,
    SourceFile,
    find_name_problems,
    find_sites_dir,
    list_files,
)
from crawler.sites.stability import find_unknown_elements, find_unstable

if TYPE_CHECKING:
    import os

    from crawler.contracts.rules import LoadedSite


@dataclass(frozen=True, slots=True)
class LintReport:
    sites: tuple[LoadedSite, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()
    """What works now and may not for long."""


def load_site(name: str, sites_dir: str | os.PathLike[str] | None = None) -> LoadedSite:
    """Return the site *name*; raise SiteConfigError with everything wrong with it."""
    folder = find_sites_dir(sites_dir)
    files = [file for file in list_files(folder) if file.stem == name]
    if not files:
        raise SiteConfigError((_unknown_site(name, str(folder), list_files(folder)),))
    if misnamed := find_name_problems(files):
        raise SiteConfigError(tuple(misnamed))
    return parse_site(files[0].read(), files[0].path, load_types(folder))


def _unknown_site(name: str, folder: str, files: list[SourceFile]) -> Problem:
    close = get_close_matches(name, [file.stem for file in files], 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return Problem(f"{folder}/{name}.yaml", 1, WHOLE_FILE, f"there is no such site file{hint}")


def lint_all(sites_dir: str | os.PathLike[str] | None = None) -> LintReport:
    """Return every usable site of the folder and every problem, those of record types included.

    Raises SiteConfigError only if there is no such folder.
    """
    folder = find_sites_dir(sites_dir)
    files = list_files(folder)
    catalog = load_types(folder)
    misnamed = find_name_problems(files)
    parsed = [_parse(file, catalog) for file in files]
    problems = chain(
        misnamed,
        chain.from_iterable(catalog.problems.values()),
        chain.from_iterable(each for each in parsed if isinstance(each, tuple)),
    )
    bad = {problem.path for problem in misnamed}
    sites = [each for each in parsed if not isinstance(each, tuple) and each.path not in bad]
    sources = {file.path: file for file in files}
    warnings = (
        find_warnings(site, sources[site.path].read().decode("utf-8", "replace"))
        for site in sites
        for find_warnings in (find_unstable, find_unknown_elements, find_doubts)
    )
    # A broken type is named once, however many sites use it.
    return LintReport(
        tuple(sites), tuple(dict.fromkeys(problems)), tuple(chain.from_iterable(warnings))
    )


def _parse(file: SourceFile, catalog: TypeCatalog) -> LoadedSite | tuple[Problem, ...]:
    try:
        return parse_site(file.read(), file.path, catalog)
    except SiteConfigError as error:
        return error.problems
