"""Where the site files lie. Standard library only and nothing parsed: ``scrapy list`` is this."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from crawler.contracts.errors import Problem, SiteConfigError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIXES = frozenset({".yaml", ".yml"})
MAX_FILE_BYTES = 2**20
WHOLE_FILE = "file"
"""Stands in a ``Problem`` for a field when no single one is to blame."""

STEM = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A YAML file in a folder, or inside an egg or wheel."""

    stem: str
    resource: Traversable

    @property
    def path(self) -> str:
        return str(self.resource)

    def read(self) -> bytes:
        """Return the content; raise SiteConfigError if it is unreadable or over a mebibyte."""
        try:
            with self.resource.open("rb") as stream:
                data = stream.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror or error}") from error
        if len(data) > MAX_FILE_BYTES:
            raise self._error(f"expected at most {MAX_FILE_BYTES} bytes")
        return data

    def _error(self, message: str) -> SiteConfigError:
        return SiteConfigError((Problem(self.path, 1, WHOLE_FILE, message),))


def find_sites_dir(setting: str | os.PathLike[str] | None = None) -> Traversable:
    """Return the folder: *setting*, else ``SITES_DIR``, else the package's, else the checkout's."""
    named = setting or os.environ.get("SITES_DIR")
    if named:
        return Path(named)
    # Slow to import, and not needed by whoever names a folder.
    from importlib.resources import files  # noqa: PLC0415

    packaged = files("crawler") / "spiders_config"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "spiders_config"


def list_files(folder: Traversable) -> list[SourceFile]:
    """Return the YAML files at the top level, by name; raise SiteConfigError if there is no folder.

    Hidden files are left alone: editors keep their own there.
    """
    try:
        names = sorted(entry.name for entry in folder.iterdir() if _is_source(entry))
    except (OSError, ValueError) as error:
        problem = Problem(str(folder), 1, "SITES_DIR", "expected a folder of site files")
        raise SiteConfigError((problem,)) from error
    return [SourceFile(PurePath(name).stem, folder / name) for name in names]


def _is_source(entry: Traversable) -> bool:
    name = entry.name
    return PurePath(name).suffix in SUFFIXES and not name.startswith(".") and entry.is_file()


def list_names(folder: Traversable) -> list[str]:
    """Return the names of the sites, sorted, each once; those that lint complains about too."""
    stems = {file.stem for file in list_files(folder)}
    return sorted(stem for stem in stems if stem.isprintable())


def find_name_problems(files: list[SourceFile]) -> list[Problem]:
    """Return what is wrong with the names of *files*, whatever they contain."""
    counts = Counter(file.stem for file in files)
    return [
        Problem(file.path, 1, WHOLE_FILE, message)
        for file in files
        if (message := _find_name_fault(file.stem, counts[file.stem]))
    ]


def _find_name_fault(stem: str, count: int) -> str | None:
    if not STEM.fullmatch(stem):
        return (
            f"expected a name of lower-case letters, digits, '-' and '_', at most 100 of them "
            f"before the suffix; found {stem!r}"
        )
    if count > 1:
        return f"expected one file for {stem!r}; found it as .yaml and as .yml"
    return None
