"""How commands speak: data to standard output or a file, messages to standard error."""

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EINVAL
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from crawler.contracts.inert import dump_json
from crawler.contracts.secrets import mask_secrets
from crawler.engine.whole_file import is_special, usual_mode

if TYPE_CHECKING:
    from rich.table import Table
    from scrapy.commands import ScrapyCommand
    from sqlalchemy import Connection

READING_FAILED = 1
WRONG_USAGE = 2
WIDEST = 10_000
"""Columns for a pipe: whoever reads it wants each row on one line."""


@contextmanager
def standard_output(command: "ScrapyCommand") -> Iterator[None]:
    """Let a command print UTF-8, whatever the locale says.

    A reader that has seen enough, as ``head`` has, ends the command in silence; output that cannot
    be written is one message and exit code 1.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        _drop_unwritable()
        if not isinstance(error, BrokenPipeError):
            sys.stderr.write(f"{describe_os_error(error)}\n")
            command.exitcode = READING_FAILED


def _drop_unwritable() -> None:
    """Python would try to write it once more at its end, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(value: Any) -> None:
    sys.stdout.write(dump_json(value, indent=2) + "\n")


def write_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; what comes from pages is escaped, never read as markup or control codes."""
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(printable(value) for value in row))
    print_table(table)


def print_table(table: "Table") -> None:
    """Print it as wide as the terminal; a pipe has no width to fit into."""
    from rich.console import Console

    console = Console(markup=False, emoji=False, width=None if sys.stdout.isatty() else WIDEST)
    # Written here, not by the console: it ends the process when the reader has gone.
    with console.capture() as printed:
        console.print(table)
    sys.stdout.write(printed.get())


def printable(value: object) -> str:
    """Return *value* as one line without control characters, bidirectional overrides, credentials."""
    text = "" if value is None else mask_secrets(str(value))
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


@contextmanager
def open_output(path: str | None) -> Iterator[IO[str]]:
    """Yield standard output, or a file that appears under its name only when it is complete.

    Raises OSError.
    """
    if path is None:
        yield sys.stdout
        return
    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        expected = "expected a file" if target.is_dir() else "no such folder"
        raise OSError(EINVAL, expected, str(target if target.is_dir() else target.parent))
    if is_special(target):
        with target.open("w", encoding="utf-8", newline="") as file:
            yield file
        return
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent or ".")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fchmod(file.fileno(), usual_mode(target))
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


def read_ledger(command: "ScrapyCommand", read: Callable[["Connection"], None]) -> None:
    """Call *read* with a connection; what prevents it is one message and exit code 1."""
    from crawler.contracts.errors import CrawlerError
    from crawler.engine.data import DataFolder
    from crawler.ledger.queries import reading

    assert command.settings is not None
    try:
        with (
            standard_output(command),
            reading(DataFolder.from_settings(command.settings).url) as conn,
        ):
            read(conn)
    except CrawlerError as error:
        sys.stderr.write(f"{error}\n")
        command.exitcode = READING_FAILED


def describe_os_error(error: OSError) -> str:
    """Return ``FILE: why`` where Python would say ``[Errno 2] why: 'FILE'``."""
    if error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return error.strerror or str(error)


def only_site(args: Sequence[str]) -> str | None:
    """Return the site that the arguments name, or None for all of them; raise UsageError."""
    if len(args) > 1:
        raise UsageError("one SITE at most")
    return args[0] if args else None


def check_site(command: "ScrapyCommand", conn: "Connection", site: str) -> bool:
    """Say so when *site* is neither in the ledger nor among the site files."""
    from crawler.ledger.queries.funnel import list_sites
    from crawler.sites.source import find_sites_dir, list_names

    assert command.settings is not None
    known = list_sites(conn)
    if site in known:
        return True
    known += list_names(find_sites_dir(command.settings.get("SITES_DIR") or None))
    if site in known:
        return True
    sys.stderr.write(f"{describe_unknown(site, known)}\n")
    command.exitcode = WRONG_USAGE
    return False


def describe_unknown(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]}?" if close else "scrapy list names those there are"
    return f"{printable(name)}: no such site; {hint}"
