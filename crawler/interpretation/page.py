"""One page: the half of the verdict that needs its content, then links, records and their checks.

Pure, and the same for the same snapshot and rules on any day and machine: the only clock is the
snapshot's.
"""

from collections.abc import Iterable
from dataclasses import replace

from crawler.classification.frame import find_framed_notice
from crawler.classification.identity import find_contradiction, find_wrong_document
from crawler.classification.loaded import find_unloaded
from crawler.classification.page import page_of
from crawler.classification.readiness import describe_readiness, find_unready
from crawler.classification.representation import find_other_representation
from crawler.classification.session import find_signed_out, judge_in_session
from crawler.classification.soft_404 import find_soft_404
from crawler.contracts.outcome import ELIGIBLE, RejectReason, Verdict
from crawler.contracts.page import PageReport
from crawler.contracts.record import Candidate, Rejection
from crawler.contracts.rules import Rules
from crawler.contracts.site.access import Identity, Ready
from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import PageKind, Representation, Snapshot
from crawler.discovery.alternate import find_alternates
from crawler.discovery.links import Found, find_links
from crawler.discovery.more_signs import find_more_sign
from crawler.discovery.next_page import find_ignored_next
from crawler.discovery.pagination import read_expected_count
from crawler.discovery.parts import NEXT_PART, PAST_LAST_NOTE, is_past_first
from crawler.document.document import BadSelectorError, Document
from crawler.document.jsonpath import BadPathError
from crawler.document.loaded import LoadedPlace, find_loaded_place
from crawler.extraction.derivation import Derivation
from crawler.extraction.records import Extracted, extract
from crawler.interpretation.data_page import read_data_page
from crawler.interpretation.problems import find_problems
from crawler.interpretation.reading import Reading
from crawler.interpretation.region import find_missing_region, may_be_rendered
from crawler.interpretation.sitemap_page import read_sitemap_page
from crawler.validation.completeness import EMPTY_NOTE, find_shortfall, find_unverified_empty
from crawler.validation.duplicates import find_duplicate
from crawler.validation.structure import find_broken_structure, find_nested_nodes
from crawler.validation.verdict import judge

ANSWERABLE = frozenset(
    {
        RejectReason.REQUIRED_FIELD,
        RejectReason.UNVERIFIED_EMPTY,
        RejectReason.UNSUPPORTED_EVIDENCE,
    }
)
"""Rejections for want of a value, or of a usable one: a model may yet point at it."""


def interpret(snapshot: Snapshot, rules: Rules, answer: str | None = None) -> PageReport:
    """Return everything the snapshot says under these rules.

    *answer* is what a model said to the question of an earlier report on the same snapshot.
    """
    return read_page(snapshot, rules, answer).report


def read_page(snapshot: Snapshot, rules: Rules, answer: str | None = None) -> Reading:
    """Interpret a page, and keep what was read of rejected records too."""
    other = find_other_representation(snapshot, rules)
    if other is not None:
        return Reading(PageReport(other))
    document = Document(snapshot)
    try:
        if snapshot.representation is Representation.SITEMAP:
            return Reading(read_sitemap_page(snapshot, rules))
        if snapshot.representation.is_data:
            return read_data_page(snapshot, rules)
        verdict = judge_in_session(judge_document(document, snapshot, rules), snapshot)
        if not verdict.is_eligible:
            return Reading(PageReport(verdict))
        return _read_eligible(document, snapshot, rules, answer)
    except (
        BadSelectorError,
        BadPathError,
    ) as error:  # refused by the lint of site files; rules of a test may not
        problem = Rejection(RejectReason.INVALID_VALUE, f"unusable selector {error}"[:300])
        return Reading(PageReport(ELIGIBLE, rejections=(problem,)))


def judge_document(document: Document, snapshot: Snapshot, rules: Rules) -> Verdict:
    """Return the second half of the verdict: is it the document that was asked for, and whole?"""
    identity = _identity_on(snapshot.page_kind, rules)
    strange = find_signed_out(document, rules.signed_out) or find_wrong_document(
        document, snapshot, identity
    )
    is_open = may_be_rendered(snapshot, rules)
    return (
        _find_notice(document, snapshot, rules)
        or (find_contradiction(document, snapshot, identity) if is_open else strange)
        or find_unready(document, snapshot, _ready_with_rows(document, snapshot, rules))
        or _find_unloaded(document, snapshot, rules)
        or find_soft_404(document, snapshot)
        or (find_missing_region(document, snapshot, rules, strange) if is_open else None)
        or ELIGIBLE
    )


def _find_notice(document: Document, snapshot: Snapshot, rules: Rules) -> Verdict | None:
    """A page with rows of records is no notice, whatever a record says."""
    notice = find_framed_notice(page_of(snapshot))
    each = rules.record.row_selector
    has_rows = notice is not None and each is not None and bool(document.css(each))
    return None if has_rows else notice


def _identity_on(page_kind: PageKind, rules: Rules) -> Identity:
    """A listing of links has neither the title nor the number of an item."""
    leads_on = rules.collect.leads_to_details or rules.collect.data_source is not None
    if page_kind is PageKind.DETAIL or not leads_on:
        return rules.identity
    return rules.identity.model_copy(update={"title": None, "url_part": None})


def _ready_with_rows(document: Document, snapshot: Snapshot, rules: Rules) -> Ready:
    """Count rows among what must be present, where there are any: a page whose rows say nothing is
    whole, and its records are judged by their fields. What they are read from must be there.
    """
    place = _loaded_place(snapshot, rules)
    if place is not None:
        loaded = (*rules.ready.loaded, place.pattern)
        return rules.ready.model_copy(update={"loaded": loaded})
    each = rules.record.row_selector
    if each is None or not document.css(each):
        return rules.ready
    return rules.ready.model_copy(update={"present": (*rules.ready.present, each)})


def _find_unloaded(document: Document, snapshot: Snapshot, rules: Rules) -> Verdict | None:
    place = _loaded_place(snapshot, rules)
    if place is None:
        return None
    holds_rows = not _leads_elsewhere(snapshot, rules)
    return find_unloaded(document, snapshot, place, holds_rows=holds_rows)


def _loaded_place(snapshot: Snapshot, rules: Rules) -> LoadedPlace | None:
    """Return where the page is read for its rows or links, if that is in what its scripts loaded."""
    leads_elsewhere = _leads_elsewhere(snapshot, rules)
    return find_loaded_place(rules.collect.links if leads_elsewhere else rules.record.each)


def _leads_elsewhere(snapshot: Snapshot, rules: Rules) -> bool:
    """Whether the page is one that only leads to those with the records."""
    collect = rules.collect
    leads = collect.leads_to_details or collect.data_source is not None
    return snapshot.page_kind is PageKind.LISTING and leads


def _read_eligible(
    document: Document, snapshot: Snapshot, rules: Rules, answer: str | None
) -> Reading:
    is_listing = snapshot.page_kind is PageKind.LISTING
    found = find_links(document, rules.collect) if is_listing else Found()
    alternates = find_alternates(document, rules.collect) if is_listing else ()
    count = rules.collect.complete.expected_count
    is_last = _has_no_next(found, snapshot, rules)
    ignored = find_ignored_next(document) if is_last else None
    report = PageReport(
        ELIGIBLE,
        links=(*found.links, *alternates),
        beyond=found.left_out,
        is_cut=found.left_out > 0,
        ignored_next=ignored,
        more_sign=find_more_sign(document) if is_last and ignored is None else None,
        expected_count=read_expected_count(document, count) if is_listing and count else None,
        readiness=describe_readiness(document, rules.ready),
    )
    if _leads_elsewhere(snapshot, rules):
        return Reading(_check_listing(document, report, rules))
    extracted = extract(document, snapshot, rules, answer)
    reading = _judge_records(document, snapshot, rules, report, extracted)
    return _with_question(reading, extracted)


def _has_no_next(found: Found, snapshot: Snapshot, rules: Rules) -> bool:
    """Whether a page that lists several things leads to no further one by the site file."""
    lists = rules.collect.leads_to_details or rules.record.each is not None
    leads_on = any(link.page_kind is PageKind.LISTING for link in found.links)
    is_listing = snapshot.page_kind is PageKind.LISTING
    return is_listing and lists and not leads_on and rules.collect.pages is None


def _with_question(reading: Reading, extracted: Extracted) -> Reading:
    """Ask only where an answer could change what becomes of the page."""
    reasons = {rejection.reason for rejection in reading.report.rejections}
    if extracted.question is None or not reasons <= ANSWERABLE:
        return reading
    return replace(reading, report=replace(reading.report, question=extracted.question))


def _check_listing(document: Document, report: PageReport, rules: Rules) -> PageReport:
    """A listing that leads to nothing is broken, unless it says that it is empty."""
    if document.is_too_deep:
        problem = find_broken_structure(document, ())
        return replace(report, rejections=(problem,) if problem else ())
    if any(link.page_kind is PageKind.DETAIL or link.representation for link in report.links):
        return report
    return _judge_empty(document, report, rules, _name_links(rules.collect))


def _judge_empty(
    document: Document, report: PageReport, rules: Rules, sought: str | None
) -> PageReport:
    """A page without items is the end of the parts that are counted: none comes after it."""
    pages = rules.collect.pages
    if pages is not None:
        links = tuple(link for link in report.links if link.evidence != NEXT_PART)
        report = replace(report, links=links)
        if rules.collect.complete.empty is None and is_past_first(document.url, pages):
            return replace(report, notes=(*report.notes, PAST_LAST_NOTE))
    problem = find_unverified_empty(document, rules.collect, sought)
    if problem is None:
        return replace(report, notes=(*report.notes, EMPTY_NOTE))
    return replace(report, rejections=(problem,))


def _name_links(collect: Collect) -> str | None:
    """Return the words of the site file that should have led on from a listing."""
    links = [f"collect.links '{collect.links}'"] if collect.links else []
    patterns = [f"collect.match '{', '.join(collect.match)}'"] if collect.match else []
    return " with ".join(links + patterns) or None


def _judge_records(
    document: Document, snapshot: Snapshot, rules: Rules, report: PageReport, extracted: Extracted
) -> Reading:
    candidates = tuple(candidate for candidate, _ in extracted.records)
    is_listing = snapshot.page_kind is PageKind.LISTING
    keys = tuple(candidate.key for candidate in candidates) if is_listing else ()
    is_cut = report.is_cut or (extracted.row_count or 0) > len(candidates)
    notes = (*report.notes, *extracted.notes)
    report = replace(report, keys=keys, is_cut=is_cut, notes=notes)
    problem = _find_page_problem(document, extracted, candidates, rules, report)
    if problem is not None:
        return Reading(replace(report, rejections=(problem,)), candidates)
    if not candidates:
        sought = rules.record.each and f"record.each '{rules.record.each}'"
        return Reading(_judge_empty(document, report, rules, sought), extracted.hints)
    derivation = Derivation(snapshot, extracted.place, extracted.blocks)
    unanswered = extracted.question.fields if extracted.question else ()
    records = [
        (
            candidate,
            (*problems, *find_problems(candidate, snapshot, rules, derivation, unanswered)),
        )
        for candidate, problems in extracted.records
    ]
    verdict = judge(records, rules.record.reject)
    report = replace(report, candidates=verdict.accepted, rejections=verdict.rejections)
    return Reading(report, candidates, extracted.left_alone)


def _find_page_problem(
    document: Document,
    extracted: Extracted,
    candidates: Iterable[Candidate],
    rules: Rules,
    report: PageReport,
) -> Rejection | None:
    """Return what rejects all records of the page, whatever the site file says of single ones."""
    return (
        (find_broken_structure(document, extracted.rows) if document.is_parsed else None)
        or find_nested_nodes(extracted.row_nodes)
        or find_duplicate(candidates)
        or (
            find_shortfall(rules.collect, extracted.row_count, report.expected_count)
            if extracted.row_count is not None
            else None
        )
    )
