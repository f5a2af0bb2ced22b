"""What joins the tables; each has its own test."""

import pytest

from crawler.classification.challenge import SIGNS, find_challenge
from crawler.contracts.outcome import Kind, Reason
from tests.unit.classification.builders import ARTICLE, make_page, titled


def test_a_maker_is_named_before_a_wording() -> None:
    page = make_page(titled("Access Denied", "Request blocked. Incapsula incident ID: 1"), 403)
    verdict = find_challenge(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.BLOCK, Reason.CHALLENGE_REVIEW)
    assert verdict.evidence == ("imperva-incident (imperva): source 'incapsula incident id'",)


MORE_EXACT = {
    "cloudflare-country",
    "country-refused",
    "place-refused",
    "permission-denied",
    "linkedin-gate",
}
"""What would pass for a block or a challenge, were it not told before them."""


def test_every_row_says_challenge_captcha_or_block_or_is_told_before_them() -> None:
    kinds = {sign.kind for sign in SIGNS if sign.rule not in MORE_EXACT}
    assert kinds == {Kind.CHALLENGE, Kind.CAPTCHA, Kind.BLOCK}
    assert {sign.rule for sign in SIGNS} >= MORE_EXACT


def test_a_challenge_in_utf_16_is_recognised() -> None:
    body = b"\xff\xfe" + titled("Just a moment...").encode("utf-16-le")
    assert find_challenge(make_page(body)) is not None


def test_a_block_in_a_declared_encoding_is_read_in_it() -> None:
    body = titled("Доступ запрещён").encode("cp1251")
    page = make_page(body, 403, content_type="text/html; charset=windows-1251")
    assert find_challenge(page) is not None


@pytest.mark.parametrize(
    "filling", ["<script>" + "a=1;" * 50_000 + "</script>", "<!--" + "x" * 99_999]
)
def test_a_large_page_with_little_to_read_is_recognised(filling: str) -> None:
    assert find_challenge(make_page(titled("Just a moment...", filling))) is not None


def test_content_far_into_a_large_page_counts() -> None:
    filling = "<script>" + "a=1;" * 20_000 + "</script>"
    assert find_challenge(make_page(titled("Just a moment...", filling + ARTICLE))) is None
