"""A sign by which a page that stands in another's place is known, as data."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from crawler.classification.page import FetchedPage, count_words, read_title
from crawler.contracts.outcome import Kind, Reason, Verdict

SMALL_BODY = 32 * 1024
"""Above this a 200 is searched for markers only when its title is telling."""
THIN_WORDS = 180
"""A 200 with more words than this has content of its own, whatever marker it quotes."""

REASONS = {
    Kind.CHALLENGE: Reason.CHALLENGE_REVIEW,
    Kind.CAPTCHA: Reason.CHALLENGE_REVIEW,
    Kind.BLOCK: Reason.CHALLENGE_REVIEW,
    Kind.LOGIN: Reason.AUTHORIZATION_REVIEW,
    Kind.DENIED: Reason.AUTHORIZATION_REVIEW,
    Kind.GEO: Reason.AUTHORIZATION_REVIEW,
    Kind.PAYWALL: Reason.AUTHORIZATION_REVIEW,
    Kind.CONSENT: Reason.AUTHORIZATION_REVIEW,
}


@dataclass(frozen=True, slots=True)
class HeaderSign:
    """A header that only a stand-in carries: speaks for itself, whatever the status or body."""

    rule: str
    vendor: str
    kind: Kind
    name: str
    value: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class BodySign:
    """Lower-case byte strings that must all be there; on a 200, the page must also be thin."""

    rule: str
    vendor: str
    kind: Kind
    markers: tuple[bytes, ...]
    refusals_only: bool = False
    """Too common in ordinary pages to mean anything on a 200."""


@dataclass(frozen=True, slots=True)
class TitleSign:
    """A whole title, lower-case; on a 200, the page must also be thin."""

    rule: str
    vendor: str
    kind: Kind
    title: re.Pattern[str]
    refusals_only: bool = False


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of one concept, in the order in which they are tried."""

    headers: tuple[HeaderSign, ...] = ()
    bodies: tuple[BodySign, ...] = ()
    titles: tuple[TitleSign, ...] = ()


Sign: TypeAlias = HeaderSign | BodySign | TitleSign


def find_sign(page: FetchedPage, signs: Signs) -> Sign | None:
    """Return the first sign that speaks, or None."""
    for sign in signs.headers:
        if page.has_header(sign.name) and sign.value.search(page.header(sign.name)):
            return sign
    if not page.body:
        return None
    window = page.window
    is_refusal = page.status >= 400
    found: Sign | None = _find_title(window, signs.titles, is_refusal=is_refusal)
    if found is None and (is_refusal or len(page.body) <= SMALL_BODY):
        found = _find_body(window, signs.bodies, is_refusal=is_refusal)
    if found is None or is_refusal or count_words(window) <= THIN_WORDS:
        return found
    return None


def verdict_of(sign: Sign) -> Verdict:
    return Verdict(sign.kind, REASONS[sign.kind], (f"{sign.rule} ({sign.vendor})",))


def _find_title(window: bytes, signs: Iterable[TitleSign], *, is_refusal: bool) -> TitleSign | None:
    title = read_title(window)
    candidates = (sign for sign in signs if is_refusal or not sign.refusals_only)
    return next((sign for sign in candidates if title and sign.title.fullmatch(title)), None)


def _find_body(window: bytes, signs: Iterable[BodySign], *, is_refusal: bool) -> BodySign | None:
    candidates = (sign for sign in signs if is_refusal or not sign.refusals_only)
    return next((sign for sign in candidates if _has_all(window, sign.markers)), None)


def _has_all(window: bytes, markers: tuple[bytes, ...]) -> bool:
    return all(marker in window for marker in markers)
