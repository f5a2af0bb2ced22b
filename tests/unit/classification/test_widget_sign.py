"""A 403, an empty page and a captcha widget are three observations, and so are their pairs."""

import pytest

from crawler.classification.challenge import find_challenge
from crawler.classification.verdict import judge_response
from crawler.classification.widget_sign import WIDGETS
from crawler.contracts.outcome import Kind
from tests.unit.classification.builders import ARTICLE, make_page

MARKERS = {rule: marker.decode() for rule, _, marker in WIDGETS}


def widget(rule: str, around: str = "") -> str:
    return f"<html><body>{around}<div data-x='{MARKERS[rule]}'></div></body></html>"


@pytest.mark.parametrize("rule", MARKERS)
def test_a_refusal_with_a_widget_is_a_captcha(rule: str) -> None:
    verdict = find_challenge(make_page(widget(rule, "<h1>Forbidden</h1>"), 403))
    assert verdict is not None
    assert verdict.kind is Kind.CAPTCHA
    assert verdict.evidence[0].startswith(f"{rule}-refusal (")


@pytest.mark.parametrize("rule", MARKERS)
def test_a_page_of_nothing_but_a_widget_is_a_captcha(rule: str) -> None:
    verdict = find_challenge(make_page(widget(rule)))
    assert verdict is not None
    assert verdict.kind is Kind.CAPTCHA
    assert verdict.evidence[0].startswith(f"{rule}-alone (")


@pytest.mark.parametrize("rule", MARKERS)
@pytest.mark.parametrize(
    "around",
    [
        "<h1>Contact</h1><form><input name=m><textarea></textarea></form>",
        "<form><textarea name=message></textarea></form>",
        '<form><input type="email" placeholder="Newsletter"></form>',
        "<h2>Newsletter</h2><form><input name=mail></form>",
        ARTICLE,
    ],
    ids=["contact form", "wordless form", "wordless newsletter", "newsletter", "article"],
)
def test_a_widget_beside_anything_else_is_none(rule: str, around: str) -> None:
    assert find_challenge(make_page(widget(rule, around))) is None


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ("<h1>Forbidden</h1>", 403, Kind.DENIED),
        ("", 403, Kind.DENIED),
        ("", 200, Kind.EMPTY),
        (widget("recaptcha"), 200, Kind.CAPTCHA),
        (widget("recaptcha"), 404, Kind.CAPTCHA),
        (widget("recaptcha", "<h1>Contact</h1><textarea></textarea>"), 200, Kind.OK),
        (widget("recaptcha", f"<h1>Not found</h1>{ARTICLE}"), 404, Kind.ERROR_PAGE),
    ],
)
def test_status_emptiness_and_widget_are_told_apart(body: str, status: int, kind: Kind) -> None:
    assert judge_response(make_page(body, status)).kind is kind
