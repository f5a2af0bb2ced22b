import pytest

from crawler.contracts.site.section import AUTO
from crawler.contracts.snapshot import PageKind, Representation
from crawler.sites.representation import find_doubts
from tests.unit.sites.builders import parse, problems_of, site_text

LINKS = 'collect: {links: "article a"}'


@pytest.mark.parametrize(
    ("access", "listing", "detail"),
    [
        ("", "html", "html"),
        ("representation: rendered_dom", "rendered_dom", "rendered_dom"),
        ("representation: auto", "auto", "auto"),
        ("representation: {listing: rendered_dom}", "rendered_dom", "html"),
        ("representation: {listing: rendered_dom, detail: html}", "rendered_dom", "html"),
        ("representation: {pages: auto, listing: html}", "html", "auto"),
    ],
)
def test_pages_of_a_kind_are_fetched_as_the_file_says(
    access: str, listing: str, detail: str
) -> None:
    wanted = parse(site_text(collect=LINKS, access=f"access: {{{access}}}")).config.access

    assert wanted.representation.of(PageKind.LISTING) == listing
    assert wanted.representation.of(PageKind.DETAIL) == detail
    assert wanted.representation.may_render == ({listing, detail} != {"html"})


def test_pages_that_may_be_rendered_are_asked_for_as_they_are_served() -> None:
    wanted = parse(site_text(access="access: {representation: auto}")).config.access.representation

    assert wanted.of(PageKind.LISTING) == AUTO
    assert wanted.first_of(PageKind.LISTING) is Representation.HTML


def test_another_representation_makes_another_version_of_the_rules() -> None:
    versions = [
        parse(site_text(access=access, record=record)).rules.version
        for access, record in (
            ("", "record: {type: event}"),
            ("access: {representation: rendered_dom}", "record: {type: event}"),
            ("access: {representation: auto}", "record: {type: event}"),
            ("", "record: {type: event, representations: [html, rendered_dom]}"),
        )
    ]

    assert len(set(versions)) == len(versions)


def test_another_spelling_makes_none() -> None:
    plain, by_kind = (
        parse(site_text(collect=LINKS, access=f"access: {{representation: {wanted}}}")).rules
        for wanted in ("auto", "{listing: auto, detail: auto}")
    )

    assert plain == by_kind


NO_DETAILS = "the site has no such pages: nothing in collect leads to details"
FAULTS = {
    "an unknown one of a kind": (
        {"collect": LINKS, "access": "access: {representation: {detail: pdf}}"},
        "access.representation.detail",
        "expected html or rendered_dom or",
    ),
    "data of a kind": (
        {"collect": LINKS, "access": "access: {representation: {detail: feed}}"},
        "access.representation.detail",
        "found 'feed': collect.feed says that",
    ),
    "an unknown kind": (
        {"access": "access: {representation: {details: auto}}"},
        "access.representation.details",
        "unknown key 'details'; did you mean detail?",
    ),
    "a list": (
        {"access": "access: {representation: [auto]}"},
        "access.representation",
        "expected a mapping with the keys pages, listing, detail; found a list",
    ),
    "details that nothing leads to": (
        {"access": "access: {representation: {detail: auto}}"},
        "access.representation.detail",
        NO_DETAILS,
    ),
    "details of a feed that gives records": (
        {
            "collect": "collect: {feed: {gives: records}}",
            "access": "access: {representation: {detail: auto}}",
            "record": "record: {type: article, fields: {headline: 'feed:title', url: 'feed:link'}}",
        },
        "access.representation.detail",
        NO_DETAILS,
    ),
    "listings of a site that starts with a feed": (
        {
            "collect": "collect: {feed: start}",
            "access": "access: {representation: {listing: auto}}",
        },
        "access.representation.listing",
        "the site has no such pages: collect.feed is read from the start addresses",
    ),
    "listings of a site that has a sitemap": (
        {
            "collect": "collect: {sitemap: robots}",
            "access": "access: {representation: {listing: auto}}",
        },
        "access.representation.listing",
        "the site has no such pages: collect.sitemap is read in the place of",
    ),
    "the same for a kind": (
        {"collect": LINKS, "access": "access: {representation: {pages: auto, detail: auto}}"},
        "access.representation.detail",
        "says the same as pages",
    ),
    "more than the kinds there are": (
        {
            "collect": LINKS,
            "access": "access: {representation: {pages: auto, detail: html, listing: html}}",
        },
        "access.representation.pages",
        "listing and detail leave no other pages",
    ),
    "rules tested on data": (
        {"record": "record: {type: event, representations: [json]}"},
        "record.representations[0]",
        "expected html or rendered_dom, found 'json': collect.api says that",
    ),
    "rules tested on either": (
        {"record": "record: {type: event, representations: [auto]}"},
        "record.representations[0]",
        "expected html or rendered_dom",
    ),
}


@pytest.mark.parametrize(("parts", "place", "message"), FAULTS.values(), ids=FAULTS)
def test_a_mistake_is_named_where_it_stands(
    parts: dict[str, str], place: str, message: str
) -> None:
    [problem] = problems_of(site_text(**parts))

    assert (problem.field, problem.line > 1) == (place, True)
    assert message in problem.message


RIGHT = {
    "details of a feed": ("collect: {feed: start}", "{detail: auto}"),
    "listings that name a feed": ("collect: {feed: auto}", "{listing: auto, detail: html}"),
    "details of a sitemap": ("collect: {sitemap: robots}", "{detail: auto}"),
    "listings beside a sitemap": (
        "collect: {sitemap: robots, links: a}", "{listing: auto, detail: html}"
    ),
    "details by pattern": ("collect: {match: [/a/*]}", "{detail: auto}"),
    "steps where pages may be rendered": (LINKS, "auto, steps: [{click: a}]"),
}  # fmt: skip


@pytest.mark.parametrize(("collect", "wanted"), RIGHT.values(), ids=RIGHT)
def test_kinds_that_the_site_has_are_named(collect: str, wanted: str) -> None:
    text = site_text(collect=collect, access=f"access: {{representation: {wanted}}}")

    assert parse(text).config.access.representation.may_render


UNTOLD = "warning: auto renders only {} pages without any text"
DOUBTS = {
    "nothing says what is whole": (("", "auto", ""), [UNTOLD.format("listing")]),
    "of details": ((LINKS, "auto", ""), [UNTOLD.format("detail")]),
    "a condition of running pages only": (
        ("", "auto, ready: {dom_quiet: 1}", ""), [UNTOLD.format("listing")]
    ),
    "a condition": (("", "auto, ready: {absent: [.loading]}", ""), []),
    "rows": (("", "auto", "each: article"), []),
    "links, and details as served": ((LINKS, "{listing: auto}", ""), []),
    "rules for less than may come": (
        ("", "auto", "each: article, representations: [html]"),
        ["warning: pages that come as rendered_dom end as representation_mismatch"],
    ),
    "rules for something else": (
        ("", "rendered_dom", "representations: [html]"),
        ["warning: pages that come as rendered_dom end as representation_mismatch"],
    ),
    "rules for more than may come": (("", "html", "representations: [html, rendered_dom]"), []),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "messages"), DOUBTS.values(), ids=DOUBTS)
def test_what_is_hardly_meant_is_a_warning(
    parts: tuple[str, str, str], messages: list[str]
) -> None:
    collect, wanted, record = parts
    text = site_text(
        collect=collect,
        access=f"access: {{representation: {wanted}}}",
        record=f"record: {{type: event, {record}}}",
    )

    found = list(find_doubts(parse(text), text))

    assert len(found) == len(messages)
    for problem, message in zip(found, messages, strict=True):
        assert problem.message.startswith(message)
        assert "representation" in text.splitlines()[problem.line - 1]


def test_a_warning_stands_where_the_key_does() -> None:
    text = site_text(
        record="record: {type: event, representations: [html]}",
        access="access: {representation: auto}",
    )

    untold, untested = find_doubts(parse(text), text)

    lines = text.splitlines()
    assert lines[untold.line - 1].startswith("access:")
    assert lines[untested.line - 1].startswith("record:")
