"""``scrapy snapshot``: one capture read back from the archive, its digest checked."""

import argparse
import sys
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.offline import Offline
from crawler.commands.output import printable, read_ledger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from crawler.contracts.picture import Box, Picture
    from crawler.contracts.snapshot import Snapshot


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "ID_OR_DIGEST [-o FILE] [--headers]"

    def short_desc(self) -> str:
        return "Read one snapshot back: by capture id, or by digest (8 digits are enough)"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="write the body to FILE")
        parser.add_argument(
            "--headers", action="store_true", help="what is known of it, instead of the body"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("snapshot takes one capture id or digest")
        read_ledger(self, lambda conn: self._show(conn, args[0], opts))

    def _show(self, conn: "Connection", name: str, opts: argparse.Namespace) -> None:
        from crawler.archive.reader import ArchiveReader
        from crawler.engine.data import DataFolder
        from crawler.ledger.queries.captures import find_captures
        from crawler.replay.captures import read_snapshot

        assert self.settings is not None
        found = find_captures(conn, name, limit=2)
        if not found:
            sys.stderr.write(
                f"{printable(name)}: no capture has this id, or a digest that begins with these "
                "8 digits or more; scrapy snapshots lists them, scrapy explain those of a URL\n"
            )
            self.exitcode = 1
            return
        archive = ArchiveReader(DataFolder.from_settings(self.settings).archive)
        snapshot = read_snapshot(conn, archive, found[0])
        if opts.headers:
            notes = archive.read_capture(found[0].location).notes
            sys.stdout.write("".join(f"{line}\n" for line in describe(snapshot, notes)))
        else:
            write_body(snapshot.body, opts.output)


def write_body(body: bytes, path: str | None) -> None:
    if path is None:
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()
        return
    with open(path, "xb") as file:  # noqa: PTH123 - exclusive: nothing is overwritten by a page
        file.write(body)


def describe_picture(picture: "Picture | None") -> dict[str, str]:
    """Return what a picture shows, in CSS pixels of the page."""
    if picture is None:
        return {}
    regions = {
        f"region {printable(region.name)}": f"{region.selector}: {describe_box(region.box)}"
        + (f", the first of {region.matches}" if region.matches > 1 else "")
        for region in picture.regions
    }
    return {
        "shows": f"{describe_box(picture.shown)} of {picture.page_width:g}x{picture.page_height:g}",
        "scale": f"{picture.scale:g}",
        "scrolled to": f"{picture.scroll_x:g},{picture.scroll_y:g}",
        **regions,
    }


def describe_box(box: "Box | None") -> str:
    return "not found" if box is None else f"{box.width:g}x{box.height:g} at {box.x:g},{box.y:g}"


def describe(snapshot: "Snapshot", notes: "Sequence[str]") -> list[str]:
    facts = {
        "capture": snapshot.capture_id,
        "site": snapshot.site,
        "run": snapshot.run,
        "requested": snapshot.requested_url,
        "final": snapshot.final_url,
        "redirects": " ".join(f"{hop.status} {hop.url}" for hop in snapshot.redirects),
        "status": snapshot.status,
        "observed": snapshot.observed_at.isoformat(),
        "representation": snapshot.representation,
        "rendered from": snapshot.original,
        "loaded by" if snapshot.picture is None else "picture of": snapshot.page,
        "picture": snapshot.screenshot,
        "loaded": " ".join(loaded.capture_id for loaded in snapshot.loaded),
        "session": snapshot.session,
        "media type": snapshot.media_type,
        "encoding": f"{snapshot.encoding.name} ({snapshot.encoding.source})",
        "bytes": len(snapshot.body),
        "sha256": snapshot.digest,
        **describe_picture(snapshot.picture),
        "flags": " ".join(snapshot.flags),
        "readiness": "; ".join(snapshot.readiness),
        "notes": "; ".join(notes),
        "site file": snapshot.site_hash,
        "authorization": snapshot.authorization_hash,
    }
    lines = [f"{name}: {printable(value)}" for name, value in facts.items() if value != ""]
    return [*lines, "", *(f"{name}: {printable(value)}" for name, value in snapshot.headers)]
