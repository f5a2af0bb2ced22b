import time

import pytest

from crawler.classification.frame import find_framed_notice, take_from_frame
from crawler.contracts.outcome import Kind
from tests.unit.classification.builders import ARTICLE, make_page

MENU = "".join(
    f"<li><a href=/{number}>Section {number} of the town</a></li>" for number in range(80)
)
FRAME = (
    "<html><title>{title}</title><header>Town hall<nav><ul>" + MENU + "</ul></nav></header>"
    "<main>{main}</main><footer><ul>" + MENU + "</ul>We use cookies. Accept all. © 2026</footer>"
)
NOTICES = {
    "This content is not available in your country.": Kind.GEO,
    "Subscribe now to read the whole story.": Kind.PAYWALL,
    "Your IP address has been blocked by our firewall.": Kind.BLOCK,
    "You have made too many requests.": Kind.BLOCK,
    "You must be logged in to view this page.": Kind.LOGIN,
    "The site is down for maintenance.": Kind.MAINTENANCE,
}
ORDINARY = {
    "an article that says so": f"<p>This content is not available in your country.</p>{ARTICLE}",
    "a product": "<h1>Lamp</h1><p>19.00 EUR</p><p>Not available in your region.</p>",
    "an event": '<script type="application/ld+json">{"@type":"Event"}</script>'
    "<h1>Talk</h1><p>Not available in your region.</p>",
    "a form": "<h1>Write to us</h1><p>You have made too many requests?</p><form><input name=a>"
    "<input name=b><textarea></textarea></form>",
    "a banner": "<p>We value your privacy. We use cookies. Accept all or reject all.</p><h1>Gate</h1>",
    "a listing": "<h1>Notices</h1><ul><li><a href=/1>Gate repaired</a></ul>",
}


def framed(main: str, title: str = "Town hall") -> str:
    return FRAME.format(title=title, main=main)


@pytest.mark.parametrize(("text", "kind"), NOTICES.items())
def test_a_notice_in_the_frame_of_its_site_is_recognised(text: str, kind: Kind) -> None:
    verdict = find_framed_notice(make_page(framed(f"<p>{text}</p>")))
    assert verdict is not None
    assert verdict.kind is kind


@pytest.mark.parametrize("main", ORDINARY.values(), ids=ORDINARY)
def test_a_page_with_more_to_say_is_no_notice(main: str) -> None:
    assert find_framed_notice(make_page(framed(main))) is None


def test_a_price_of_a_subscription_does_not_make_a_product() -> None:
    page = make_page(framed("<h1>Gate</h1><p>Subscribe to continue reading: $1 a week</p>"))
    verdict = find_framed_notice(page)
    assert verdict is not None
    assert verdict.kind is Kind.PAYWALL


def test_a_form_to_register_beside_the_one_to_log_in_is_no_wall() -> None:
    form = "<form><input type=password></form>"
    both = make_page(framed(f"<h1>Sign in</h1>{form}<form><input name=mail></form>"))
    one = make_page(framed(f"<h1>Sign in</h1>{form}"))
    assert find_framed_notice(both) is None
    assert find_framed_notice(one) is not None


def test_menus_go_and_headings_and_lists_of_text_stay() -> None:
    core = take_from_frame(
        b"<header><h1>Gate</h1>Town</header><ul><li><a>A</a><li><a>B</a><li><a>C</a></ul>"
        b"<ol><li>First<li>Then <a>see</a></ol><script>if (a < b) x</script>"
    )
    assert b"".join(core.split()) == b"<h1>Gate</h1></ul><ol><li>First<li>Then<a>see</a></ol>"


@pytest.mark.parametrize(
    "piece",
    [b"<ul>", b"<nav>", b"<nav ", b"<ul><li><a>x", b"<script", b"<script>", b"<h1>", b"<input ",
     b"</ul>", b"<ul>x</ul>", b"<a"],
)  # fmt: skip
def test_no_page_takes_longer_than_its_length_warrants(piece: bytes) -> None:
    body = (piece * 400_000)[:380_000]
    started = time.process_time()
    take_from_frame(body)
    find_framed_notice(make_page(b"<title>a</title>" + body[:300_000]))
    assert time.process_time() - started < 2
