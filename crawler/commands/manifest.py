"""Saved pages for commands that need no crawl: the lines of a manifest, and the bodies they name."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.contracts.inert import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scrapy.commands import ScrapyCommand

MAX_BODY = 64 * 2**20
MAX_LINE = 2**20

REQUIRED = ("id", "file", "url")


class CannotReadError(Exception):
    """A page that nothing can be read from, and why: printed as its only problem."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a manifest: the object, and the folder that its file is relative to."""

    fields: Mapping[str, Any]
    folder: Path

    @property
    def id(self) -> str:
        return str(self.fields["id"])

    @property
    def file(self) -> Path:
        return self.folder / str(self.fields["file"])


def print_batch(
    command: ScrapyCommand,
    manifest: Path,
    describe: Callable[[Entry], dict[str, Any]],
    explain: Callable[[str, object], dict[str, Any]],
    *,
    required: Iterable[str] = REQUIRED,
) -> None:
    """Print what ``describe_entries`` yields; exit code 2 when the manifest cannot be read."""
    try:
        for line in describe_entries(manifest, describe, explain, required=required):
            print_line(line)
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stderr.write(f"{manifest}: {error.strerror or error}\n")
        command.exitcode = 2


def describe_entries(
    manifest: Path,
    describe: Callable[[Entry], dict[str, Any]],
    explain: Callable[[str, object], dict[str, Any]],
    *,
    required: Iterable[str] = REQUIRED,
) -> Iterator[dict[str, Any]]:
    """Yield one description for each line; a line that fails is explained by its id and problem.

    Raises OSError when the manifest itself cannot be read.
    """
    for number, entry in enumerate(read_manifest(manifest, required), 1):
        name = f"line {number}" if isinstance(entry, CannotReadError) else entry.id
        try:
            if isinstance(entry, CannotReadError):
                raise entry
            yield describe(entry)
        except CannotReadError as error:
            yield explain(name, error)
        except Exception as error:  # noqa: BLE001 - a bug of ours costs this page, and is said on its line
            yield explain(name, f"internal error: {type(error).__name__}: {error}"[:500])


def read_manifest(
    manifest: Path, required: Iterable[str] = REQUIRED
) -> Iterator[Entry | CannotReadError]:
    """Yield the entries of a manifest; raise OSError when there is none."""
    keys = tuple(required)
    with manifest.open("rb") as lines:
        while line := lines.readline(MAX_LINE):
            if line.strip():
                yield _parse_line(line, manifest.parent, keys)


def _parse_line(line: bytes, folder: Path, required: Iterable[str]) -> Entry | CannotReadError:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        return CannotReadError(f"no JSON: {error}")
    if not isinstance(fields, dict):
        return CannotReadError("no JSON object")
    missing = [key for key in required if not isinstance(fields.get(key), str)]
    if missing:
        return CannotReadError(f"no text under {', '.join(missing)}")
    return Entry(fields, folder)


def read_body(file: Path) -> bytes:
    """Return the bytes of a saved page, unpacked; raise CannotReadError."""
    import gzip
    import zlib

    opener = gzip.open if file.suffix == ".gz" else Path.open
    try:
        with opener(file, "rb") as stream:
            body = stream.read(MAX_BODY + 1)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise CannotReadError(f"cannot read {file}: {why}") from error
    if len(body) > MAX_BODY:
        raise CannotReadError(f"{file} is larger than {MAX_BODY} bytes")
    return body


def print_line(line: Mapping[str, Any]) -> None:
    """Call within ``standard_output``."""
    sys.stdout.write(dump_json(line) + "\n")
