from time import process_time

import pytest

from crawler.contracts.site.record import ContentRules
from crawler.document.document import BadSelectorError
from crawler.extraction.content.kind import PageType
from tests.unit.extraction.content.pages import PARAGRAPHS, SENTENCE, markdown, read

CARDS = "".join(
    f'<li><a href="/p/{n}"><h3>Lamp {n}</h3></a><span>${n}9.00</span></li>' for n in range(12)
)


def test_main_is_the_zone_beside_a_hero() -> None:
    html = (
        '<div class="hero"><p>Your privacy matters.</p></div>'
        f"<main><h1>Privacy notice</h1>{PARAGRAPHS}</main>"
    )
    content = read(html)
    assert content.zone.endswith("/main")
    assert "Your privacy matters" not in content.markdown
    assert content.share > 0.9
    assert content.problem is None


@pytest.mark.parametrize(
    "around",
    [
        "<footer><article>{}</article></footer>",
        "<aside><article>{}</article></aside>",
        '<div class="related-posts"><article>{}</article></div>',
        '<div id="cookie-banner">{}</div>',
        '<div class="share-buttons">{}</div>',
        '<nav class="breadcrumb">{}</nav>',
        '<section class="comments-area">{}</section>',
        '<div class="newsletter-signup">{}</div>',
    ],
)
def test_noise_never_becomes_the_zone(around: str) -> None:
    noise = around.format(f"<p>{'Elsewhere people read other stories about other ports. ' * 8}</p>")
    content = read(f"<body><article>{PARAGRAPHS}</article>{noise}</body>")
    assert "Elsewhere" not in content.markdown
    assert "harbour master" in content.markdown


@pytest.mark.parametrize(
    "name", ["content-with-sidebar", "no-sidebar", "paywall", "pagination-first"]
)
def test_a_wrapper_with_the_content_is_no_noise(name: str) -> None:
    assert "harbour master" in read(f'<div class="{name}">{PARAGRAPHS}</div>').markdown


@pytest.mark.parametrize(("beside", "is_main"), [(9, True), (24, False)])
def test_a_declared_main_part_with_much_of_the_running_text_is_the_zone(
    beside: int, *, is_main: bool
) -> None:
    terms = f"<p>{'The buyer bears the risk of loss at sea. ' * 5}</p>" * beside
    short = "<ul>" + "<li>Rope, brass and tar</li>" * 200 + "</ul>"
    page = f"<main><h1>Log</h1>{PARAGRAPHS}</main><div>{terms}</div>{short}"
    content = read(page, kind=PageType.SERVICE)
    assert content.zone.endswith("/main") is is_main


def test_text_under_a_title_such_as_related_is_dropped() -> None:
    html = (
        f"<article>{PARAGRAPHS}<h2>Related stories</h2>"
        f'<div><a href="/x">Another port</a><p>{SENTENCE}</p></div></article>'
    )
    assert "Another port" not in read(html).markdown


@pytest.mark.parametrize(
    ("title", "is_dropped"),
    [
        ("<h2>Related stories</h2>", True),
        ("<h2>Relatives of the crew</h2>", False),
        ('<div class="title">Related stories</div>', False),
        (f"<h2>Related stories {SENTENCE}</h2>", False),
    ],
)
def test_only_a_short_heading_names_a_box(title: str, *, is_dropped: bool) -> None:
    box = f"<section>{title}<div>Another port opens.</div></section>"
    assert ("Another port" not in markdown(f"<article>{PARAGRAPHS}{box}</article>")) is is_dropped


def test_a_title_that_every_member_bears_names_no_box() -> None:
    member = "<section><h2>Related laws</h2><div>Of the sea, and of tows.</div></section>"
    assert "Of the sea" not in markdown(f"<article>{PARAGRAPHS}{member * 2}</article>")
    assert "Of the sea" in markdown(f"<article>{PARAGRAPHS}{member * 3}</article>")


FIRST = f"<p>At first light. {SENTENCE}</p>"


@pytest.mark.parametrize(
    ("before", "is_kept"),
    [
        (FIRST + FIRST, True),
        (FIRST, False),
        (FIRST + "<p>At noon.</p>", False),
        (FIRST + f'<p><a href="/x">At noon. {SENTENCE}</a></p>', False),
        ((FIRST + FIRST).replace("<p>", "<div>").replace("</p>", "</div>"), False),
    ],
)
def test_paragraphs_between_heading_and_body_open_an_article(before: str, *, is_kept: bool) -> None:
    page = (
        f'<main><h1>Log</h1><div>{before}</div><div class="entry-content">{PARAGRAPHS}</div></main>'
    )
    content = read(page, kind=PageType.ARTICLE)
    assert ("At first light" in content.markdown) is is_kept
    assert content.markdown.count("harbour master") == 18 + 2 * is_kept


def test_paragraphs_before_the_heading_open_nothing() -> None:
    page = f'<main><div>{FIRST * 2}</div><h1>Log</h1><div class="entry-content">{PARAGRAPHS}</div></main>'
    assert "At first light" not in read(page, kind=PageType.ARTICLE).markdown


ASKED = "<form><p>Your name</p><p>{}</p></form>"


@pytest.mark.parametrize("kind", PageType)
def test_a_form_is_dropped_but_for_one_that_the_page_stands_in(kind: PageType) -> None:
    page = f"<h1>Log</h1>{PARAGRAPHS}{ASKED.format('Which vessel?')}"
    assert "Which vessel" not in read(page, kind=kind).markdown
    assert "harbour master" in read(ASKED.format(PARAGRAPHS), kind=kind).markdown


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        ('<p>Read more: <a href="/x">a storm over the outer basin</a></p>', False),
        (
            '<p>Read more <a href="/x">of it</a>: a storm rose over the outer basin at six.</p>',
            True,
        ),
        ("<p>Also a storm over the basin, with hail.</p>", True),
        ("<h3>Related</h3>", False),
        ("<h3>Relatives</h3>", True),
        ('<ul><li><a href="/x">A storm over the outer basin</a></li></ul>', False),
        ("<ul><li>A storm over the outer basin</li></ul>", True),
    ],
)
def test_an_article_leads_nowhere_else(line: str, *, is_kept: bool) -> None:
    page = f"<article><h1>Log</h1>{PARAGRAPHS}{line}{PARAGRAPHS}</article>"
    plain = read(f"<article><h1>Log</h1>{PARAGRAPHS}{PARAGRAPHS}</article>", kind=PageType.ARTICLE)
    assert (read(page, kind=PageType.ARTICLE).markdown != plain.markdown) is is_kept


@pytest.mark.parametrize(
    ("name", "is_kept"), [("post-meta", False), ("author-box", False), ("authority", True)]
)
def test_who_posted_a_landing_page_is_dropped(name: str, *, is_kept: bool) -> None:
    page = f'<main><h1>Tows</h1><div class="{name}">By the mate</div>{PARAGRAPHS}</main>'
    assert ("By the mate" in read(page, kind=PageType.SERVICE).markdown) is is_kept


@pytest.mark.parametrize(
    ("kind", "name", "is_kept"),
    [
        (PageType.SERVICE, "alert", False),
        (PageType.LISTING, "alert alert-danger", False),
        (PageType.LISTING, "alert-list", True),
        (PageType.ARTICLE, "alert", True),
        (PageType.FORUM, "notices", False),
        (PageType.LISTING, "notices", True),
        (PageType.SERVICE, "filter-bar", False),
        (PageType.COLLECTION, "sticky-banner", False),
        (PageType.COLLECTION, "post-meta", False),
        (PageType.DOCUMENTATION, "post-meta", True),
    ],
)
def test_a_name_is_noise_on_pages_of_some_types(
    kind: PageType, name: str, *, is_kept: bool
) -> None:
    page = f'<main><h1>Tows</h1><div class="{name}">Two tows a day</div>{PARAGRAPHS}</main>'
    assert ("Two tows" in read(page, kind=kind).markdown) is is_kept


def test_product_page_keeps_its_facts() -> None:
    html = (
        "<main><h1>Brass lamp</h1><p>$49.00</p><table><tr><th>Height</th><td>30 cm</td></tr>"
        f"<tr><th>Weight</th><td>2 kg</td></tr></table><p>{SENTENCE}</p>"
        f'<div class="related-products"><ul>{CARDS}</ul></div></main>'
    )
    content = read(html, "https://shop.example/products/brass-lamp")
    assert content.kind is PageType.PRODUCT
    assert all(fact in content.markdown for fact in ("$49.00", "30 cm", "2 kg"))
    assert "Lamp 3" not in content.markdown


SALE = f"""<main><h1>Deck lamp</h1><p>{SENTENCE * 3}</p>
<table><tr><th>Weight</th><td>2 kg</td></tr></table><h2>Features</h2><p>Brass, signed.</p>{{}}</main>"""


@pytest.mark.parametrize(
    "beside",
    [
        "<section><h3>Frequently bought together</h3><p>A wick of cotton.</p></section>",
        '<div class="product-reviews"><p>Bought it twice, said Ann.</p></div>',
        '<div class="feature-disclaimer disclaimer"><p>1. Image simulated.</p></div>',
        (
            "<div><p><a href=/a>Another lamp of this shop, of copper and clear glass</a></p><p><a href=/b>A lamp"
            " of tin for less, made in the same yard</a></p><p><a href=/c>Spare wicks of cotton</a> $9</p></div>"
        ),
    ],
)
def test_what_a_shop_says_beside_its_product_is_dropped(beside: str) -> None:
    plain, full = (read(SALE.format(each), kind=PageType.PRODUCT).markdown for each in ("", beside))
    assert plain == full
    assert all(each in plain for each in ("Deck lamp", "2 kg", "Brass, signed"))


@pytest.mark.parametrize(
    "fact",
    [
        "<h2>What reviewers measured</h2><p>A beam of nine metres.</p>",
        "<h2>Specifications</h2><p>A beam of nine metres.</p>",
        '<div class="previewed"><p>A beam of nine metres.</p></div>',
        '<p>See the <a href="/wick">wick</a>: a beam of nine metres.</p>',
    ],
)
def test_facts_of_a_product_are_kept(fact: str) -> None:
    assert "nine metres" in read(SALE.format(fact), kind=PageType.PRODUCT).markdown


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        ("<p>$499.00</p>", True),
        ("<p>€ 1.250</p>", True),
        ("<p>4.5 (81)</p>", True),
        ("<p>20 %</p>", True),
        ("<p>12 / 40</p>", False),
        ('<a class="btn btn-primary" href="/x">Record now</a>', False),
        ('<a class="btn-link" href="/x">Rope ladder</a>', True),
        ('<a class="card-button" href="/x">A ladder of rope, with eleven rungs of ash</a>', True),
        ("<p>Log in to set a price alert.</p>", False),
        ("<p>You must be logged in to reply here.</p>", False),
        ("<p>You must see the lock.</p>", True),
        ("<p>† Sold in pairs.</p>", False),
        ("<p>Sold in pairs †</p>", True),
        ("<p>Ask question</p>", False),
    ],
)
def test_prices_are_kept_and_controls_are_not(line: str, *, is_kept: bool) -> None:
    text = line.partition(">")[2].partition("<")[0]
    page = f"<main><h1>Lamps</h1><ul><li>Deck lamp {SENTENCE * 4}</li><li>{line}</li></ul></main>"
    assert (text in read(page, kind=PageType.COLLECTION).markdown) is is_kept


@pytest.mark.parametrize("around", ['<div class="modal-terms">{}</div>', "<dialog>{}</dialog>"])
def test_no_overlay_is_what_a_page_with_a_main_part_is_about(around: str) -> None:
    terms = f"<p>{'The buyer bears the risk of loss at sea. ' * 200}</p>"
    page = f"<main><h1>Log</h1>{PARAGRAPHS}</main>{around.format(terms)}"
    assert "risk of loss" not in markdown(page)
    assert "harbour master" in markdown(page)


@pytest.mark.parametrize("name", ["header-wrap", "announcement-bar", "left-menu", "news-ticker"])
def test_header_that_is_so_by_name_is_dropped(name: str) -> None:
    bar = f'<div class="{name}"><p>Free tows on Sundays, all spring.</p></div>'
    assert "Free tows" not in markdown(f"{bar}<h1>Log</h1>{PARAGRAPHS}")
    inner = bar.replace("Sundays", "Mondays") if name == "header-wrap" else ""
    page = read(f"<main><h1>Log</h1><section>{inner}{PARAGRAPHS}</section></main>")
    assert ("Free tows on Mondays" in page.markdown) is bool(inner)


def test_collection_keeps_every_member() -> None:
    content = read(
        f"<main><h1>Lamps</h1><ul>{CARDS}</ul></main>", "https://shop.example/collections/lamps"
    )
    assert content.kind is PageType.COLLECTION
    assert all(
        f"Lamp {n}" in content.markdown and f"${n}9.00" in content.markdown for n in range(12)
    )


def test_forum_keeps_what_its_members_say() -> None:
    posts = "".join(
        f'<div class="post"><div class="user">ann{n}</div>'
        f'<div class="body"><p>{SENTENCE}{n}.</p></div></div>'
        for n in range(5)
    )
    content = read(f"<main><h1>Which rope?</h1>{posts}</main>", "https://forum.example/t/rope/12")
    assert content.kind is PageType.FORUM
    assert content.markdown.count("harbour master") == 5


def test_site_file_names_the_zone_and_the_noise() -> None:
    html = f'<div id="a"><p>One</p><p class="x">Two</p></div><div id="b">{PARAGRAPHS}</div>'
    content = read(html, rules=ContentRules(zone="#a", noise=(".x",)))
    assert (content.markdown, content.problem) == ("One", None)


def test_nested_matches_of_a_zone_are_written_once() -> None:
    html = (
        '<div class="z"><p>One</p><div class="z"><p>Two</p></div></div><div class="z">Three</div>'
    )
    assert read(html, rules=ContentRules(zone=".z")).markdown == "One\n\nTwo\n\nThree"


def test_zone_that_matches_nothing_is_named() -> None:
    content = read(PARAGRAPHS, rules=ContentRules(zone="#gone"))
    assert (content.markdown, content.problem) == ("", "zone_not_found")


def test_broken_selector_is_an_error() -> None:
    with pytest.raises(BadSelectorError):
        read(PARAGRAPHS, rules=ContentRules(zone="p["))


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ("", "empty"),
        ("<html><body></body></html>", "empty"),
        ("<div>" * 100_000 + "x", "too_deep"),
    ],
)
def test_page_without_usable_content_says_why(html: str, problem: str) -> None:
    content = read(html)
    assert (content.markdown, content.problem) == ("", problem)


def test_hash_depends_on_the_content_alone() -> None:
    page = f"<body><nav>{{}}</nav><article>{PARAGRAPHS}</article></body>"
    first, second = read(page.format("Home")), read(page.format("Home | News"))
    assert first.content_hash == second.content_hash
    assert (
        first.content_hash != read(f"<article>{PARAGRAPHS}<p>{SENTENCE}</p></article>").content_hash
    )


def test_title_is_the_heading_without_the_name_of_the_site() -> None:
    head = "<head><title>Harbour log | Port News</title></head>"
    assert read(f"{head}<body><h1>Harbour log</h1>{PARAGRAPHS}</body>").title == "Harbour log"
    assert read(f"{head}<body>{PARAGRAPHS}</body>").title == "Harbour log"
    assert read(PARAGRAPHS).title == ""


def links_of(text: str) -> str:
    return "<ul>" + f"<li><a href=/>{text}</a></li>" * 9 + "</ul>"


HOSTILE = {
    "words of controls that can be parted in many ways": links_of("login or " * 20 + "port"),
    "figures with strokes": links_of("1/" * 80 + "port"),
    "a style sheet without rules": f"<style>none {'a ' * 45_000}</style>" * 9,
    "a style sheet whose rule has no end": f"<style>none {'a ' * 900}{{{'b ' * 45_000}</style>" * 9,
    "overlays": "<div class=modal>Save 5 percent now</div>" * 40_000,
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_page_costs_no_more_than_its_length(hostile: str) -> None:
    started = process_time()

    content = read(f"<main><h1>Port</h1>{PARAGRAPHS}</main>{hostile}")

    assert process_time() - started < 4
    assert "harbour master" in content.markdown


def test_a_long_thread_costs_no_more_than_its_length() -> None:
    posts = "<div class=post><p>Who has seen the lamp?</p></div>" * 12_000
    started = process_time()

    read(f"<main><h1>Lamps</h1>{posts}</main>", kind=PageType.FORUM)

    assert process_time() - started < 4
