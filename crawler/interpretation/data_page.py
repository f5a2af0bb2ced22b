"""One feed, calendar or JSON response: its links, or its entries as records, and their checks."""

from dataclasses import replace

from crawler.contracts.outcome import ELIGIBLE, Kind, Reason, RejectReason, Verdict
from crawler.contracts.page import PageReport
from crawler.contracts.record import Rejection
from crawler.contracts.rules import Rules
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind, Snapshot
from crawler.discovery.entry import count_expected, find_entry_links
from crawler.document.data import MAX_ENTRIES, Data, Flaw
from crawler.document.open_data import open_data
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import extract_entries
from crawler.interpretation.problems import find_problems
from crawler.interpretation.reading import Reading
from crawler.validation.completeness import EMPTY_NOTE
from crawler.validation.data_completeness import find_missing_rows, find_undeclared_empty
from crawler.validation.duplicates import find_duplicate
from crawler.validation.verdict import judge

VERDICTS = {
    Flaw.CUT: (Kind.TRUNCATED, Reason.TRUNCATED),
    Flaw.UNANSWERED: (Kind.EMPTY, Reason.INCOMPLETE_SNAPSHOT),
    Flaw.FOREIGN: (Kind.MEDIA_TYPE, Reason.REPRESENTATION_MISMATCH),
    Flaw.TOO_LARGE: (Kind.TOO_LARGE, Reason.TOO_LARGE),
}


def read_data_page(snapshot: Snapshot, rules: Rules) -> Reading:
    """Interpret entries by the rules of the site file. Raises BadPathError."""
    data = open_data(snapshot, rules.collect)
    if data.flaw is not None:
        return Reading(report_flaw(data.flaw, data.problem))
    return _read_entries(data, snapshot, rules)


def report_flaw(flaw: Flaw, problem: str) -> PageReport:
    if flaw in VERDICTS:
        kind, reason = VERDICTS[flaw]
        return PageReport(Verdict(kind, reason, (problem[:500],)))
    rejection = Rejection(RejectReason.RECORD_STRUCTURE, problem[:500])
    return PageReport(ELIGIBLE, rejections=(rejection,))


def _read_entries(data: Data, snapshot: Snapshot, rules: Rules) -> Reading:
    report = PageReport(
        ELIGIBLE,
        links=find_entry_links(data, rules.collect, snapshot.final_url),
        is_cut=len(data.entries) >= MAX_ENTRIES,
        expected_count=count_expected(data, rules.collect),
        notes=(*data.repairs, *data.notes),
        readiness=(f"{snapshot.representation}: whole, {len(data.entries)} entries",),
    )
    problem = find_missing_rows(data, rules.collect, report.expected_count)
    if problem is None and not data.entries:
        problem = find_undeclared_empty(rules.collect)
        report = replace(report, notes=(*report.notes, *(() if problem else (EMPTY_NOTE,))))
    if problem is not None:
        return Reading(replace(report, rejections=(problem,)))
    if not _gives_records(rules.collect):
        return Reading(_check_links(data, report))
    return _read_records(data, snapshot, rules, report)


def _gives_records(collect: Collect) -> bool:
    return collect.data_source is None or collect.data_source.gives == "records"


def _check_links(data: Data, report: PageReport) -> PageReport:
    """Entries without an address are passed over; where none has one, the place is wrong."""
    leading = sum(1 for link in report.links if link.page_kind is PageKind.DETAIL)
    total = len(data.entries)
    if total and not leading:
        detail = f"none of {total} entries names its page"
        return replace(report, rejections=(Rejection(RejectReason.UNVERIFIED_EMPTY, detail),))
    if leading < total:
        note = f"{total} entries lead to {leading} pages"
        return replace(report, notes=(*report.notes, note))
    return report


def _read_records(data: Data, snapshot: Snapshot, rules: Rules, report: PageReport) -> Reading:
    extracted = extract_entries(data, snapshot, rules)
    candidates = tuple(candidate for candidate, _ in extracted.records)
    keys = tuple(candidate.key for candidate in candidates)
    report = replace(report, keys=keys, notes=extracted.notes or report.notes)
    duplicate = find_duplicate(candidates)
    if duplicate is not None:
        return Reading(replace(report, rejections=(duplicate,)), candidates)
    derivation = Derivation(snapshot, extracted.place)
    records = [
        (candidate, (*problems, *find_problems(candidate, snapshot, rules, derivation)))
        for candidate, problems in extracted.records
    ]
    verdict = judge(records, rules.record.reject)
    report = replace(report, candidates=verdict.accepted, rejections=verdict.rejections)
    return Reading(report, candidates)
