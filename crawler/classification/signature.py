"""A sign by which a page that stands in another's place is known, as data."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias, TypedDict, Unpack

from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason, Verdict

REFUSALS = frozenset({
    400, 401, 402, 403, 405, 406, 407, 409, 412, 416, 418, 423, 428, 429, 430, 444, 451, 456, 463,
    493, 499, 500, 501, 502, 503, 504, 509, 520, 521, 522, 523, 524, 525, 526, 529, 530, 555, 999,
})  # fmt: skip
"""Statuses with which a stand-in may be large; with any other it is known by being slight."""
UNSAID = frozenset({401, 403, 405, 406, 412, 418, 428, 429, 456, 493, 503, 999})
"""Statuses that leave open who refuses: a mark that is common in ordinary pages then tells."""

GATES = (
    b"captcha", b"challenge", b"cdn-cgi", b"distil", b"incapsula", b"imperva", b"awswaf", b"kpsdk",
    b"perfdrive", b"denied", b"support id", b"blocked", b"queue-it", b"turnstile", b"arkose",
    b"stormwall", b"reblaze", b"azure waf", b"sucuri",
)  # fmt: skip

REASONS = MappingProxyType({
    Kind.CHALLENGE: Reason.CHALLENGE_REVIEW,
    Kind.CAPTCHA: Reason.CHALLENGE_REVIEW,
    Kind.BLOCK: Reason.CHALLENGE_REVIEW,
    Kind.LOGIN: Reason.AUTHORIZATION_REVIEW,
    Kind.DENIED: Reason.AUTHORIZATION_REVIEW,
    Kind.GEO: Reason.AUTHORIZATION_REVIEW,
    Kind.PAYWALL: Reason.AUTHORIZATION_REVIEW,
    Kind.CONSENT: Reason.AUTHORIZATION_REVIEW,
    Kind.MAINTENANCE: Reason.DEFER_SERVICE,
    Kind.ERROR_PAGE: Reason.HTTP_STATUS,
})  # fmt: skip


class Conditions(TypedDict, total=False):
    """What a row may ask for beside its main condition."""

    absent: tuple[bytes, ...]
    most_words: int | None
    statuses: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class Sign:
    """One row of a table: every condition that is given must hold.

    A sign with a header speaks whatever the page holds. Any other speaks only of a page with little
    to read, or of one that was refused.
    """

    rule: str
    vendor: str
    kind: Kind
    header: tuple[str, re.Pattern[str]] | None = None
    """Lower-case name, and what to find in its value."""
    headline: re.Pattern[str] | None = None
    """A whole title, part of a title, or heading, lower-case."""
    markers: tuple[bytes, ...] = ()
    """Lower-case byte strings of the source."""
    absent: tuple[bytes, ...] = ()
    """Byte strings whose presence says that the page is something else."""
    texts: tuple[re.Pattern[str], ...] = ()
    """Found in what a reader sees, or in a headline; lower-case."""
    hints: tuple[str, ...] = ()
    """One of these is in every text that the patterns match: spares the search in others."""
    most_words: int | None = None
    statuses: frozenset[int] | None = None
    gate: bytes = field(init=False, repr=False)
    """A part that several signs' markers share; looked for once a page."""
    conditions: tuple["Condition", ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        gates = (gate for gate in GATES if any(gate in marker for marker in self.markers))
        object.__setattr__(self, "gate", next(gates, b""))
        conditions = (holds for is_given, holds in _CONDITIONS if is_given(self))
        object.__setattr__(self, "conditions", tuple(conditions))


def with_header(rule: str, vendor: str, kind: Kind, name: str, value: str) -> Sign:
    return Sign(rule, vendor, kind, header=(name, re.compile(value, re.IGNORECASE)))


def with_headline(
    rule: str, vendor: str, kind: Kind, headline: str, **conditions: Unpack[Conditions]
) -> Sign:
    return Sign(rule, vendor, kind, headline=re.compile(headline), **conditions)


def with_markers(
    rule: str, vendor: str, kind: Kind, *markers: bytes, **conditions: Unpack[Conditions]
) -> Sign:
    return Sign(rule, vendor, kind, markers=markers, **conditions)


def with_text(
    rule: str,
    vendor: str,
    kind: Kind,
    *texts: str,
    hints: str = "",
    **conditions: Unpack[Conditions],
) -> Sign:
    """*hints* are parted by bars."""
    patterns = tuple(map(re.compile, texts))
    words = tuple(hints.split("|")) if hints else ()
    return Sign(rule, vendor, kind, texts=patterns, hints=words, **conditions)


def refused_with(rule: str, vendor: str, kind: Kind, *markers: bytes) -> Sign:
    """Too common in ordinary pages to mean anything on a 200."""
    return Sign(rule, vendor, kind, markers=markers, statuses=UNSAID)


Condition: TypeAlias = Callable[[Sign, FetchedPage], bool]


def find_sign(page: FetchedPage, signs: Iterable[Sign]) -> Sign | None:
    """Return the first sign that speaks, or None. Signs with a header come first in a table."""
    may_hold_more = is_suspect(page)
    for sign in signs:
        if sign.header is None and not may_hold_more:
            return None
        if _speaks(sign, page):
            return sign
    return None


def _speaks(sign: Sign, page: FetchedPage) -> bool:
    return all(holds(sign, page) for holds in sign.conditions)


def find_verdict(page: FetchedPage, signs: Iterable[Sign]) -> Verdict | None:
    """Return the verdict of the first sign that speaks, or None."""
    sign = find_sign(page, signs)
    if sign is None:
        return None
    seen = f"{sign.rule} ({sign.vendor}): {_place(sign, page)}"
    return Verdict(sign.kind, REASONS[sign.kind], (seen,))


def is_suspect(page: FetchedPage) -> bool:
    """Tell whether a page may stand in for another: it was refused, or there is little to read."""
    return bool(page.body) and (page.status in REFUSALS or page.is_slight)


def _has_status(sign: Sign, page: FetchedPage) -> bool:
    return sign.statuses is not None and page.status in sign.statuses


def _is_thin(sign: Sign, page: FetchedPage) -> bool:
    return sign.most_words is not None and page.word_count <= sign.most_words


def _has_header(sign: Sign, page: FetchedPage) -> bool:
    if sign.header is None:
        return False
    name, value = sign.header
    return page.has_header(name) and value.search(page.header(name)) is not None


def _has_headline(sign: Sign, page: FetchedPage) -> bool:
    return sign.headline is not None and any(map(sign.headline.fullmatch, page.headlines))


def _passes_gate(sign: Sign, page: FetchedPage) -> bool:
    return page.holds(sign.gate)


def _has_markers(sign: Sign, page: FetchedPage) -> bool:
    window = page.window
    return all(marker in window for marker in sign.markers)


def _lacks_others(sign: Sign, page: FetchedPage) -> bool:
    window = page.window
    return not any(marker in window for marker in sign.absent)


def _has_hint(sign: Sign, page: FetchedPage) -> bool:
    text = page.text
    return any(hint in text for hint in sign.hints)


def _has_texts(sign: Sign, page: FetchedPage) -> bool:
    text = page.text
    return all(pattern.search(text) for pattern in sign.texts)


_CONDITIONS: tuple[tuple[Callable[[Sign], object], Condition], ...] = (
    (lambda sign: sign.statuses is not None, _has_status),
    (lambda sign: sign.most_words is not None, _is_thin),
    (lambda sign: sign.header is not None, _has_header),
    (lambda sign: sign.headline is not None, _has_headline),
    (lambda sign: sign.gate, _passes_gate),
    (lambda sign: sign.markers, _has_markers),
    (lambda sign: sign.hints, _has_hint),
    (lambda sign: sign.texts, _has_texts),
    (lambda sign: sign.absent, _lacks_others),
)
"""Whether a row has a condition, and whether a page meets it; the cheapest first."""


def _place(sign: Sign, page: FetchedPage) -> str:
    """Say where the most telling condition of a sign was met."""
    if sign.header is not None:
        name = sign.header[0]
        return f"header {name}: {page.header(name)[:100]!r}"
    if sign.headline is not None:
        heading = next(filter(sign.headline.fullmatch, page.headlines), "")
        return f"headline {heading[:100]!r}"
    if sign.texts:
        found = sign.texts[0].search(page.text)
        return f"text {found[0][:100] if found else ''!r}"
    return "source " + ", ".join(repr(marker.decode()) for marker in sign.markers)
