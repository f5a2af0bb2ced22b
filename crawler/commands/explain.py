"""``scrapy explain``: all that is known of one URL, newest cycle first."""

import argparse
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.commands.offline import Offline
from crawler.commands.output import printable, read_ledger, write_json
from crawler.contracts.retry import Action

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from crawler.contracts.need import RenderingNeed
    from crawler.contracts.retry import RetryDecision
    from crawler.ledger.queries.captures import CaptureEntry
    from crawler.ledger.queries.explain import Explanation


class Command(Offline, ScrapyCommand):
    def syntax(self) -> str:
        return "URL [--site SITE]"

    def short_desc(self) -> str:
        return "Show a URL's row, retry decisions, outcome, captures and records"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--site", help="only as a page of this site")
        parser.add_argument(
            "--json", action="store_true", help="one list, an object for each cycle"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("explain takes one URL")
        read_ledger(self, lambda conn: self._show(conn, args[0], opts))

    def _show(self, conn: "Connection", url: str, opts: argparse.Namespace) -> None:
        from crawler.admission.url import fingerprint
        from crawler.ledger.queries.explain import explain

        found = explain(conn, url, opts.site) or explain(
            conn, fingerprint("GET", url, b""), opts.site
        )
        if not found:
            sys.stderr.write(f"{printable(url)}: not in the frontier of any cycle\n")
            self.exitcode = 1
        elif opts.json:
            write_json([asdict(explanation) for explanation in found])
        else:
            for explanation in found:
                sys.stdout.write("".join(f"{line}\n" for line in tell(explanation)))


def tell(row: "Explanation") -> "Iterator[str]":
    yield f"{printable(row.requested_url)}  ({row.site}, cycle {row.cycle_number})"
    yield from _tell_state(row)
    for hop in row.redirects:
        yield f"  redirect   {hop.status} from {printable(hop.url)}"
    for decided in row.decisions:
        decision = decided.decision
        yield (
            f"  decision   {_clock(decided.at)} {_name_action(decision)}: "
            f"{decision.layer}; {printable(decision.benefit)}; {'; '.join(_tell_budget(decision))}"
        )
        for seen in decision.evidence:
            yield f"             {printable(seen)}"
    yield from _tell_findings(row)
    if row.trace:
        yield from (f"  trace      {printable(line)}" for line in row.trace.splitlines())


def _tell_findings(row: "Explanation") -> "Iterator[str]":
    for capture in row.captures:
        reason = f" {capture.reason}" if capture.reason else ""
        yield (
            f"  capture    {capture.observed_at} {capture.status}{reason} "
            f"{capture.representation} {capture.capture_id} sha256 {capture.digest[:12]}"
            f"{_tell_address(capture, row)}"
            + (f" session {capture.session}" if capture.session else "")
        )
    for note in row.report["notes"] if row.report else ():
        yield f"  note       {printable(note)}"
    for record in row.records:
        yield f"  record     {record.type} {printable(record.key)} version {record.version}"
    for rejected in row.rejections:
        rejection = rejected.rejection
        yield f"  rejected   {rejection.reason}: {printable(rejection.detail)}"
    yield from _tell_collection(row)
    for bound, links in row.left_out.items():
        yield f"  left out   {links} links of the page: {bound}"


def _tell_collection(row: "Explanation") -> "Iterator[str]":
    found = row.collection
    if found is None:
        return
    items = "1 item" if found.items == 1 else f"{found.items} items"
    told = items + (f" of {found.expected}" if found.expected is not None else "")
    yield f"  collection {'complete' if found.is_complete else 'incomplete'}: {told}"
    for gap, detail in found.gaps.items():
        yield f"             {gap}: {printable(detail)}"


def _tell_budget(decision: "RetryDecision") -> "Iterator[str]":
    yield f"attempts left {decision.remaining_attempts}, {decision.remaining_seconds:.1f} s left"
    if decision.remaining_retries is not None:
        yield f"retries left to the site {decision.remaining_retries}"
    if decision.wait_seconds:
        yield f"wait {decision.wait_seconds:.1f} s"


def _tell_address(capture: "CaptureEntry", row: "Explanation") -> str:
    """Name what else came back for the row than the page itself."""
    is_page = capture.final_url in {row.url, row.requested_url}
    return "" if is_page else f" of {printable(capture.final_url)}"


def _tell_state(row: "Explanation") -> "Iterator[str]":
    spent = f"attempts {row.attempts}, deferrals {row.deferrals}, {row.spent_seconds:.1f} s"
    if row.reason:
        detail = f": {printable(row.detail)}" if row.detail else ""
        yield f"  outcome    {row.reason} ({row.kind or 'nothing came back'}){detail}"
    else:
        due = f", not before {_clock(row.not_before)}" if row.not_before else ""
        yield f"  open       {row.state}{due}"
    yield f"  cost       {spent}; scope {row.scope}"
    if row.need:
        yield f"  rendering  {row.page_kind} pages {printable(tell_need(row.need))}"
    if row.scope_state.trips:
        until, cause = _clock(row.scope_state.not_before), printable(row.scope_state.tripped_by)
        yield f"  breaker    the scope is left alone until {until}: {cause}"


def tell_need(need: "RenderingNeed") -> str:
    from crawler.admission.rendering import describe_need, is_rendered_at_once

    is_at_once = is_rendered_at_once(need, need.site_hash)
    way = "at once" if is_at_once else "where they are not whole as served"
    return f"{way}: {describe_need(need)}"


def _name_action(decision: "RetryDecision") -> str:
    """A retry has no reason yet: that is how the URL would end if the retry failed too."""
    if decision.action is Action.RETRY:
        return decision.action.value
    return f"{decision.action} ({decision.reason})"


def _clock(epoch: float) -> str:
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="milliseconds")
