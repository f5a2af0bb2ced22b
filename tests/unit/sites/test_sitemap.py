import pytest

from tests.unit.sites.builders import parse, problems_of, site_text

AT = "https://garden.example/sitemap.xml"


@pytest.mark.parametrize(
    ("collect", "urls", "may_be_empty"),
    [
        ("sitemap: robots", ("robots",), False),
        (f'sitemap: "{AT}"', (AT,), False),
        (f'sitemap: [robots, "{AT}"]', ("robots", AT), False),
        (f'sitemap: {{urls: "{AT}", may_be_empty: true}}', (AT,), True),
        ("sitemap: {urls: [robots]}", ("robots",), False),
    ],
)
def test_sitemaps_are_named_shortly_or_in_full(
    collect: str, urls: tuple[str, ...], may_be_empty: bool
) -> None:
    source = parse(site_text(collect=f"collect: {{{collect}}}")).config.collect.sitemap

    assert source is not None
    assert (source.urls, source.may_be_empty) == (urls, may_be_empty)


@pytest.mark.parametrize(
    ("collect", "place", "message"),
    [
        ("sitemap: auto", "collect.sitemap.urls", "expected robots, or an http or https URL"),
        ("sitemap: /sitemap.xml", "collect.sitemap.urls", "no scheme"),
        ("sitemap: [robots, nowhere]", "collect.sitemap.urls[1]", "no scheme"),
        (
            "sitemap: {urls: robots, trust_lastmod: forever}",
            "collect.sitemap.trust_lastmod",
            "expected a number with a unit",
        ),
        (
            "sitemap: {urls: robots, trust_lastmod: 9999d}",
            "collect.sitemap.trust_lastmod",
            "expected at most 3650d",
        ),
        ("sitemap: []", "collect.sitemap.urls", "expected at least 1 of them, found 0"),
        ("sitemap: {}", "collect.sitemap.urls", "missing"),
        ("sitemap: {urls: robots, url: a}", "collect.sitemap.url", "did you mean urls?"),
        (
            'sitemap: ["https://maps.garden.example/a.xml"]',
            "collect.sitemap.urls[0]",
            "would be refused; expected its origin in start or access.hosts",
        ),
        (
            'sitemap: "http://garden.example/a.xml"',
            "collect.sitemap.urls[0]",
            "would be refused",
        ),
        ("sitemap: robots, feed: start", "collect.sitemap", "feed is given too"),
    ],
)
def test_a_mistake_is_named_with_its_place(collect: str, place: str, message: str) -> None:
    [problem] = problems_of(site_text(collect=f"collect: {{{collect}}}"))

    assert problem.field == place
    assert message in problem.message
    assert problem.line > 1


def test_a_sitemap_may_lie_on_a_host_that_is_listed() -> None:
    text = site_text(
        collect='collect: {sitemap: "https://maps.garden.example/a.xml"}',
        access='access: {hosts: ["https://maps.garden.example"]}',
    )

    assert parse(text).config.collect.sitemap is not None
