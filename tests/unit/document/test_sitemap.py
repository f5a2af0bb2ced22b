import gzip

import pytest

import crawler.document.sitemap as sitemap_module
from crawler.contracts.snapshot import PageKind, Representation
from crawler.document.data import Flaw
from crawler.document.sitemap import MAX_BYTES, MAX_ENTRIES, Place, Sitemap, read_sitemap
from tests.unit.document.pages import make_snapshot

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
IMAGE = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
PAGE = "https://hall.example/1"
OTHER = "https://hall.example/2"


def read(body: str | bytes, url: str = "https://hall.example/sitemap.xml") -> Sitemap:
    data = body.encode() if isinstance(body, str) else body
    return read_sitemap(
        make_snapshot(
            data, url=url, page_kind=PageKind.LISTING, representation=Representation.SITEMAP
        )
    )


def urlset(inside: str, attributes: str = NAMESPACE) -> str:
    return f"<urlset {attributes}>{inside}</urlset>"


def entry(url: str = PAGE, more: str = "") -> str:
    return f"<url><loc>{url}</loc>{more}</url>"


WHOLE: dict[str, tuple[str | bytes, list[str]]] = {
    "with a namespace": (urlset(entry()), [PAGE]),
    "without one": (urlset(entry(), ""), [PAGE]),
    "of another one": (
        urlset(entry(), 'xmlns="http://www.google.com/schemas/sitemap/0.84"'),
        [PAGE],
    ),
    "with a prefix": (
        f'<s:urlset xmlns:s="x"><s:url><s:loc>{PAGE}</s:loc></s:url></s:urlset>',
        [PAGE],
    ),
    "declared and marked": (
        b"\xef\xbb\xbf<?xml version='1.0'?>\n" + urlset(entry()).encode(),
        [PAGE],
    ),
    "behind white space": ("\n\n <?xml version='1.0' encoding='UTF-8'?>" + urlset(entry()), [PAGE]),
    "in UTF-16": (
        ('<?xml version="1.0" encoding="utf-16"?>' + urlset(entry())).encode("utf-16"),
        [PAGE],
    ),
    "declared wrongly": (
        '<?xml version="1.0" encoding="iso-8859-1"?>' + urlset(entry(f"{PAGE}/ä")),
        [f"{PAGE}/ä"],
    ),
    "in latin-1": (
        ('<?xml version="1.0" encoding="iso-8859-1"?>' + urlset(entry(f"{PAGE}/ä"))).encode(
            "latin-1"
        ),
        [f"{PAGE}/ä"],
    ),
    "with white space in it": (urlset(entry(f"\n  {PAGE}\n ")), [PAGE]),
    "escaped": (urlset(entry(f"{PAGE}?a=1&amp;b=2")), [f"{PAGE}?a=1&b=2"]),
    "in CDATA": (urlset(entry(f"<![CDATA[{PAGE}?a=1&b=2]]>")), [f"{PAGE}?a=1&b=2"]),
    "with images": (
        urlset(
            entry(more=f"<image:image><image:loc>{OTHER}.png</image:loc></image:image>"),
            f"{NAMESPACE} {IMAGE}",
        ),
        [PAGE],
    ),
    "with an image first": (
        urlset(
            f"<url><image:loc>{OTHER}.png</image:loc><loc>{PAGE}</loc></url>",
            f"{NAMESPACE} {IMAGE}",
        ),
        [PAGE],
    ),
    "with languages": (
        urlset(
            entry(more=f'<x:link rel="alternate" hreflang="de" href="{OTHER}"/>'),
            f'{NAMESPACE} xmlns:x="http://www.w3.org/1999/xhtml"',
        ),
        [PAGE],
    ),
    "with comments": (urlset(f"<!-- {entry(OTHER)} -->{entry()}<?p q?>"), [PAGE]),
    "without an address": (urlset("<url><loc/></url><url/>" + entry()), ["", "", PAGE]),
    "with markup for an address": (urlset(entry(f"{OTHER}<b>x</b>") + entry()), ["", PAGE]),
    "empty": (urlset(""), []),
    "empty in one": (f"<urlset {NAMESPACE}/>", []),
    "lines": (f"{PAGE}\r\n\n  {OTHER}\n", [PAGE, OTHER]),
    "one line": (PAGE, [PAGE]),
    "RSS": (
        f"<rss version='2.0'><channel><item><link>{PAGE}</link></item></channel></rss>",
        [PAGE],
    ),
    "packed": (gzip.compress(urlset(entry()).encode()), [PAGE]),
    "packed twice": (gzip.compress(gzip.compress(urlset(entry()).encode())), [PAGE]),
    "packed lines": (gzip.compress(PAGE.encode()), [PAGE]),
}


@pytest.mark.parametrize(("body", "urls"), WHOLE.values(), ids=WHOLE)
def test_addresses_are_read_as_they_are_meant(body: str | bytes, urls: list[str]) -> None:
    sitemap = read(body)

    assert (sitemap.flaw, sitemap.is_whole, sitemap.repairs) == (None, True, ())
    assert [place.url for place in sitemap.places] == urls
    assert sitemap.total == len(urls)


MENDED: dict[str, tuple[str, list[str], str]] = {
    "bare ampersands": (
        urlset(entry(f"{PAGE}?a=1&b=2&copy=3")),
        [f"{PAGE}?a=1&b=2&copy=3"],
        "2 ampersands written out",
    ),
    "an entity of HTML": (urlset(entry(f"{PAGE}?q=a&nbsp;b")), [f"{PAGE}?q=a&nbsp;b"], "1 amp"),
    "an entry that is not closed": (
        urlset(f"<url><loc>{PAGE}</loc>{entry(OTHER)}"),
        [OTHER, PAGE],
        "mended: ",
    ),
    "a tag that is misspelt": (
        urlset(f"<url><loc>{PAGE}</lo></url>" + entry(OTHER)),
        [PAGE, OTHER],
        "mended: ",
    ),
    "a prefix that nothing declares": (
        urlset(entry(more=f"<image:image><image:loc>{OTHER}</image:loc></image:image>")),
        [PAGE],
        "mended: ",
    ),
    "something behind the end": (urlset(entry()) + "<script>x</script>", [PAGE], "mended: "),
    "a control character": (urlset(entry(f"{PAGE}\x0b")), [f"{PAGE}\ufffd"], "1 control"),
}


@pytest.mark.parametrize(("body", "urls", "repair"), MENDED.values(), ids=MENDED)
def test_what_had_to_be_mended_is_said(body: str, urls: list[str], repair: str) -> None:
    sitemap = read(body)

    assert [place.url for place in sitemap.places] == urls
    assert [said for said in sitemap.repairs if said.startswith(repair)]


LEVELS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
HOSTILE: dict[str, tuple[str, str]] = {
    "entities of entities": (f'<!DOCTYPE u [<!ENTITY a0 "aaaaaaaaaa">{LEVELS}]>', "&a11;"),
    "one long entity many times": (f'<!DOCTYPE u [<!ENTITY a "{"a" * 3000}">]>', "&a;" * 3000),
    "a file": ('<!DOCTYPE u [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "&a;"),
    "a foreign file": ('<!DOCTYPE u SYSTEM "http://127.0.0.1:9/x.dtd">', ""),
    "a parameter entity": (
        '<!DOCTYPE u [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>',
        "",
    ),
}


@pytest.mark.parametrize(("doctype", "reference"), HOSTILE.values(), ids=HOSTILE)
def test_no_entity_is_used_and_nothing_is_opened(doctype: str, reference: str) -> None:
    sitemap = read(doctype + urlset(entry(f"{PAGE}{reference}") + entry(OTHER), ""))

    assert [place.url for place in sitemap.places] == [f"{PAGE}{reference}", OTHER]


def test_what_is_included_from_elsewhere_is_no_address() -> None:
    include = '<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>'

    sitemap = read(urlset(entry(include) + include + entry(OTHER)))

    assert [place.url for place in sitemap.places] == ["", OTHER]


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        (urlset(entry())[:-10], Flaw.CUT),
        (gzip.compress(urlset(entry()).encode())[:-3], Flaw.CUT),
        (gzip.compress(b"<!doctype html><title>Log in</title>"), Flaw.FOREIGN),
        (gzip.compress(gzip.compress(gzip.compress(urlset(entry()).encode()))), Flaw.FOREIGN),
        (gzip.compress(gzip.compress(b"<urlset>" + b" " * MAX_BYTES, 1)), Flaw.TOO_LARGE),
        (gzip.compress(b"<urlset>" + b" " * MAX_BYTES + b"</urlset>", 1), Flaw.TOO_LARGE),
        ("<rss><channel><item>", Flaw.CUT),
    ],
    ids=[
        "cut",
        "packed and cut",
        "packed page",
        "packed thrice",
        "bomb in a file",
        "bomb",
        "feed that is cut",
    ],
)
def test_what_is_no_whole_sitemap_gives_nothing(body: str | bytes, flaw: Flaw) -> None:
    sitemap = read(body)

    assert (sitemap.flaw, sitemap.places) == (flaw, ())
    assert sitemap.problem


@pytest.mark.parametrize(
    "body",
    [
        urlset(entry() + "<a>" * 1000 + "</a>" * 1000 + entry(OTHER)),
        urlset(entry() + entry(f"{PAGE}/{'x' * 11_000_000}") + entry(OTHER)),
    ],
    ids=["nested too deeply", "one address too long"],
)
def test_a_parser_that_gave_up_is_not_taken_for_the_end(body: str) -> None:
    sitemap = read(body)

    assert [place.url for place in sitemap.places] == [PAGE]
    assert not sitemap.is_whole


def test_entries_beyond_the_limit_are_counted_only() -> None:
    sitemap = read(urlset("".join(entry(f"{PAGE}/{n}") for n in range(MAX_ENTRIES + 10_000))))

    assert (len(sitemap.places), sitemap.total) == (MAX_ENTRIES, MAX_ENTRIES + 10_000)


BOMBS = {
    "entries without anything": "<url/>" * 30_000,
    "elements of no kind": "<x/>" * 30_000,
    "elements in an entry": f"<url>{'<x/>' * 30_000}</url>",
}


@pytest.mark.parametrize("inside", BOMBS.values(), ids=BOMBS)
def test_reading_ends_after_so_many_elements(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight million fit into a file that may be read, and take longer than a page may."""
    monkeypatch.setattr(sitemap_module, "MAX_ELEMENTS", 1_000)

    sitemap = read(urlset(entry() + inside, attributes=""))

    assert sitemap.repairs == ("more than 1000 elements",)
    assert not sitemap.is_whole
    assert sitemap.places[0].url == PAGE
    assert sitemap.total < 20_000


def test_what_would_take_too_long_to_mend_is_not_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    body = urlset(entry(f"{PAGE}?a&b&c"))
    monkeypatch.setattr(sitemap_module, "MAX_LOOSE", 2)
    mended = read(body)
    monkeypatch.setattr(sitemap_module, "MAX_LOOSE", 1)

    assert mended.places[0].url == f"{PAGE}?a&b&c"
    assert read(body) == Sitemap(
        flaw=Flaw.TOO_LARGE, problem="more than 1 ampersands and CDATA sections"
    )


def test_an_index_names_sitemaps_with_their_dates() -> None:
    inside = f"<sitemap><loc>{PAGE}.xml</loc><lastmod> 2026-03-01 </lastmod></sitemap>"

    sitemap = read(f"<sitemapindex {NAMESPACE}>{inside}</sitemapindex>")

    assert sitemap.places == (Place(f"{PAGE}.xml", is_sitemap=True, modified="2026-03-01"),)


def test_a_robots_file_names_sitemaps_and_nothing_else() -> None:
    lines = (
        "# Sitemap: https://hall.example/old.xml",
        "User-agent: *",
        f"sitemap : {PAGE}.xml # all",
        "Disallow: /a",
        "Sitemap:",
        f"SITEMAP:{OTHER}.xml",
    )

    sitemap = read("\n".join(lines), "https://hall.example/robots.txt")

    assert sitemap.places == (
        Place(f"{PAGE}.xml", is_sitemap=True),
        Place(f"{OTHER}.xml", is_sitemap=True),
    )
