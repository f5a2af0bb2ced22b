"""What a row of a table may ask for, and that each condition counts."""

import re

import pytest

from crawler.classification import challenge, error_page, wall
from crawler.classification.page import FetchedPage
from crawler.classification.signature import REASONS, Sign, find_sign, find_verdict, with_text
from crawler.contracts.outcome import Kind, Reason
from tests.unit.classification.builders import ARTICLE, make_page, titled

NOTICE = titled("Blocked", "<p>You are blocked</p>")
HEADER = Sign("h", "v", Kind.BLOCK, header=("x-shield", re.compile("deny")))
HEADLINE = Sign("t", "v", Kind.BLOCK, headline=re.compile("blocked"))
MARKER = Sign("m", "v", Kind.BLOCK, markers=(b"you are", b"blocked"))
TEXT = with_text("w", "v", Kind.BLOCK, r"you are blocked", hints="banned|blocked")
TABLES = (*challenge.SIGNS, *wall.SIGNS, *error_page.SIGNS)


@pytest.mark.parametrize("sign", [HEADLINE, MARKER, TEXT], ids=lambda sign: sign.rule)
@pytest.mark.parametrize(
    ("page", "speaks"),
    [
        (make_page(NOTICE), True),
        (make_page(NOTICE, 404), True),
        (make_page(NOTICE.replace("</body>", ARTICLE)), False),
        (make_page(NOTICE.replace("</body>", ARTICLE), 403), True),
        (make_page(b""), False),
    ],
    ids=["notice", "notice with a status", "in an article", "on a long refusal", "empty"],
)
def test_a_sign_in_the_page_speaks_of_a_notice_or_a_refusal_only(
    sign: Sign, page: FetchedPage, *, speaks: bool
) -> None:
    assert (find_sign(page, (sign,)) is sign) is speaks


def test_a_sign_in_a_header_speaks_of_any_page() -> None:
    assert find_sign(make_page(x_shield="deny"), (HEADER,)) is HEADER
    assert find_sign(make_page(b"", 403, x_shield="deny"), (HEADER,)) is HEADER
    assert find_sign(make_page(x_shield="pass"), (HEADER,)) is None
    assert find_sign(make_page(), (HEADER,)) is None


@pytest.mark.parametrize(
    ("sign", "speaks"),
    [
        (Sign("s", "v", Kind.BLOCK, markers=(b"blocked",), statuses=frozenset({403})), False),
        (Sign("s", "v", Kind.BLOCK, markers=(b"blocked",), statuses=frozenset({200})), True),
        (Sign("s", "v", Kind.BLOCK, markers=(b"blocked",), most_words=2), False),
        (Sign("s", "v", Kind.BLOCK, markers=(b"blocked",), most_words=3), True),
        (Sign("s", "v", Kind.BLOCK, markers=(b"blocked",), absent=(b"<p>",)), False),
        (Sign("s", "v", Kind.BLOCK, markers=(b"blocked", b"never"),), False),
        (with_text("s", "v", Kind.BLOCK, "are blocked", "never"), False),
        (with_text("s", "v", Kind.BLOCK, "are blocked", hints="never"), False),
    ],
)  # fmt: skip
def test_every_condition_of_a_sign_must_hold(sign: Sign, *, speaks: bool) -> None:
    assert (find_sign(make_page(NOTICE), (sign,)) is sign) is speaks


def test_the_first_row_that_speaks_wins_and_says_where() -> None:
    verdict = find_verdict(make_page(NOTICE), (HEADER, TEXT, HEADLINE))
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.BLOCK, Reason.CHALLENGE_REVIEW)
    assert verdict.evidence == ("w (v): text 'you are blocked'",)


def test_rule_ids_are_unique() -> None:
    rules = [sign.rule for sign in TABLES]
    assert sorted(rules) == sorted(set(rules))


def test_signs_with_a_header_come_first_and_every_kind_has_a_reason() -> None:
    for table in (challenge.SIGNS, wall.SIGNS, error_page.SIGNS):
        has_header = [sign.header is not None for sign in table]
        assert has_header == sorted(has_header, reverse=True)
        assert {sign.kind for sign in table} <= set(REASONS)
