import pytest

from crawler.contracts.site.access import PageMethod, ResourceKind, Screenshot
from crawler.contracts.snapshot import Representation
from tests.unit.sites.builders import parse, problems_of, site_text

FULL = """
    access:
      representation: rendered_dom
      ready:
        present: [article]
        text: ["All shown"]
        count: {"article.event": 12}
        marker: app.isReady
        network_quiet: 0.5
        dom_quiet: 1
      steps:
        - {scroll: html, until: .end, times: 20, patience: 3}
        - {click: "button.more"}
      load: [images, fonts]
      page_methods: [POST]
      capture: "/api/**"
"""


def test_what_a_rendered_page_takes_is_read() -> None:
    access = parse(site_text(access=FULL)).config.access

    assert access.representation.pages is Representation.RENDERED_DOM
    assert access.ready.count == {"article.event": 12}
    assert (access.steps[0].scroll, access.steps[1].click) == ("html", "button.more")
    assert access.load == (ResourceKind.IMAGES, ResourceKind.FONTS)
    assert access.page_methods == (PageMethod.POST,)
    assert access.capture == ("/api/**",)


RENDERED = "representation: rendered_dom"
PICTURED = "representation: screenshot"


def test_a_picture_of_the_whole_page_is_the_default() -> None:
    access = parse(site_text(access=f"access: {{{PICTURED}}}")).config.access

    assert access.representation.pages is Representation.SCREENSHOT
    assert access.screenshot == Screenshot(area="page", width=1280, height=720, scale=1)


def test_what_a_picture_shows_may_be_said_in_a_word_or_in_full() -> None:
    full = f"access: {{{PICTURED}, screenshot: {{scale: 2, regions: {{price: .price}}}}}}"

    short = parse(site_text(access=f"access: {{{PICTURED}, screenshot: viewport}}")).config.access
    access = parse(site_text(access=full)).config.access

    assert short.screenshot.area == "viewport"
    assert (access.screenshot.scale, access.screenshot.regions) == (2, {"price": ".price"})


FAULTS = {
    "steps of served pages": (
        "access: {steps: [{click: a}]}",
        "access.steps",
        "expected only with representation: rendered_dom, screenshot or auto",
    ),
    "JSON that served pages load": (
        "access: {capture: [/api/*]}",
        "access.capture",
        "expected only with representation: rendered_dom, screenshot or auto",
    ),
    "JSON that served pages wait for": (
        "access: {ready: {loaded: /api/*}}",
        "access.ready.loaded",
        "expected only with representation: rendered_dom, screenshot or auto",
    ),
    "no pattern": (
        f"access: {{{RENDERED}, capture: [api]}}",
        "access.capture[0]",
        "expected a URL pattern such as",
    ),
    "a picture of pages that are not pictured": (
        f"access: {{{RENDERED}, screenshot: viewport}}",
        "access.screenshot",
        "expected only with representation: screenshot",
    ),
    "another picture": (
        f"access: {{{PICTURED}, screenshot: whole}}",
        "access.screenshot",
        "expected page or viewport, found 'whole'",
    ),
    "a region that browsers do not find": (
        f"access: {{{PICTURED}, screenshot: {{regions: {{price: 'p::text'}}}}}}",
        "access.screenshot.regions.price",
        "expected a CSS selector, found",
    ),
    "a region of a selector that browsers lack": (
        f"access: {{{PICTURED}, screenshot: {{regions: {{price: 'p:contains(x)'}}}}}}",
        "access.screenshot.regions.price",
        "':contains(' is not CSS of browsers",
    ),
    "a window that is too small": (
        f"access: {{{PICTURED}, screenshot: {{width: 20}}}}",
        "access.screenshot.width",
        "expected at least 200",
    ),
    "a marker of served pages": (
        "access: {ready: {marker: a}}",
        "access.ready.marker",
        "expected only with representation: rendered_dom, screenshot or auto",
    ),
    "a marker that is code": (
        f"access: {{{RENDERED}, ready: {{marker: 'a()'}}}}",
        "access.ready.marker",
        "expected the name of a script variable such as app.isReady, found 'a()'",
    ),
    "both": (
        f"access: {{{RENDERED}, steps: [{{click: a, scroll: html}}]}}",
        "access.steps[0]",
        "expected either click or scroll",
    ),
    "neither": (
        f"access: {{{RENDERED}, steps: [{{times: 3}}]}}",
        "access.steps[0]",
        "expected either click or scroll",
    ),
    "no selector": (
        f"access: {{{RENDERED}, ready: {{count: {{'a[': 3}}}}}}",
        "access.ready.count.a[",
        "expected a CSS selector",
    ),
    "none of them": (
        "access: {ready: {count: {a: 0}}}",
        "access.ready.count.a",
        "expected a number from 1 to 1000000, found 0",
    ),
    "a word for a number": (
        "access: {ready: {count: {a: few}}}",
        "access.ready.count.a",
        "expected a whole number, found 'few'",
    ),
    "a selector that browsers lack": (
        f"access: {{{RENDERED}, ready: {{present: ['p:contains(x)']}}}}",
        "access.ready.present[0]",
        "':contains(' is not CSS of browsers",
    ),
    "another one": (
        f"access: {{{RENDERED}, steps: [{{click: 'a[href!=b]'}}]}}",
        "access.steps[0].click",
        "'!=' is not CSS of browsers",
    ),
    "an unknown kind": (
        f"access: {{{RENDERED}, load: [films]}}",
        "access.load[0]",
        "expected images or fonts or media, found 'films'",
    ),
    "a safe method": (
        f"access: {{{RENDERED}, page_methods: [GET]}}",
        "access.page_methods[0]",
        "expected POST or PUT or PATCH or DELETE, found 'GET'",
    ),
    "no pause": (
        f"access: {{{RENDERED}, ready: {{dom_quiet: 0}}}}",
        "access.ready.dom_quiet",
        "expected more than 0.0",
    ),
}


@pytest.mark.parametrize(("access", "key", "message"), FAULTS.values(), ids=FAULTS)
def test_a_mistake_is_told_with_its_place(access: str, key: str, message: str) -> None:
    (problem,) = problems_of(site_text(access=access))

    assert (problem.field, problem.line) == (key, 5)
    assert problem.message.startswith(message), problem.message


def test_selectors_of_our_own_parser_are_fine_for_served_pages() -> None:
    access = "access: {ready: {present: ['p:contains(x)'], count: {'a[href!=b]': 2}}}"

    assert parse(site_text(access=access)).config.access.ready.count == {"a[href!=b]": 2}
