"""Right text in the wrong place is no support; the near miss beside it is."""

import pytest

from crawler.contracts.record import FieldKind, FieldSpec
from crawler.document.document import Document
from crawler.extraction.placement.misplaced import find_misplaced
from crawler.extraction.placement.signs import Sign
from tests.unit.document.pages import make_snapshot

PRICE = FieldSpec("price", FieldKind.PRICE)
DATE = FieldSpec("published_at", FieldKind.DATE)
NAME = FieldSpec("name")
IMAGE = FieldSpec("image", FieldKind.IMAGE)


def judge(markup: str, spec: FieldSpec, boundary: str | None = None) -> str | None:
    """Return what is said of the element with the id ``x``."""
    document = Document(make_snapshot(f"<html><body>{markup}</body></html>"))
    (node,) = document.css("#x")
    within = document.css(boundary)[0] if boundary else None
    return find_misplaced(document, node, spec, within)


WRONG: dict[str, tuple[str, FieldSpec, Sign]] = {
    "del": ("<p><del id=x>$120</del> $60</p>", PRICE, Sign.STRUCK),
    "inside s": ("<p><s><b id=x>$120</b></s> $60</p>", PRICE, Sign.STRUCK),
    "strike": ("<strike id=x>$120</strike>", PRICE, Sign.STRUCK),
    "style": ("<i id=x style='text-decoration: line-through red'>$9</i>", PRICE, Sign.STRUCK),
    "utility class": ("<i id=x class='text-sm line-through'>$9</i>", PRICE, Sign.STRUCK),
    "struck name": ("<h2><s id=x>Concert</s></h2>", NAME, Sign.STRUCK),
    "old class": ("<b id=x class=old-price>$9</b>", PRICE, Sign.OLD_PRICE),
    "was class": ("<b id=x class=price--was>$9</b>", PRICE, Sign.OLD_PRICE),
    "camel case": ("<b id=x class=oldPrice>$9</b>", PRICE, Sign.OLD_PRICE),
    "list price around": (
        "<b class=list-price>RRP <i id=x>$9</i></b>",
        PRICE,
        Sign.OLD_PRICE,
    ),
    "labelled was": ("<p>Was: <b id=x>$120</b> Now: <b>$60</b></p>", PRICE, Sign.OLD_PRICE),
    "labelled by a term": ("<dl><dt>List price</dt><dd id=x>$9</dd></dl>", PRICE, Sign.OLD_PRICE),
    "own label": ("<p id=x>RRP $120</p>", PRICE, Sign.OLD_PRICE),
    "regular beside sale": (
        "<p><b id=x class=regular-price>$20</b> <b class=sale-price>$15</b></p>",
        PRICE,
        Sign.REGULAR_PRICE,
    ),
    "old for who hears": (
        "<p><span aria-label='Original price'><b id=x>$9</b></span></p>",
        PRICE,
        Sign.OLD_PRICE,
    ),
    "old in Italian": ("<p>Prezzo precedente <b id=x>9 €</b></p>", PRICE, Sign.OLD_PRICE),
    "utility class of a framework": ("<i id=x class='tw-line-through'>$9</i>", PRICE, Sign.STRUCK),
    "coupon": ("<p>Coupon: <b id=x>$9</b></p>", PRICE, Sign.OTHER_AMOUNT),
    "subtotal": ("<dl><dt>Subtotal</dt><dd id=x>$9</dd></dl>", PRICE, Sign.OTHER_AMOUNT),
    "least order": ("<p>Minimum order <b id=x>$9</b></p>", PRICE, Sign.OTHER_AMOUNT),
    "warranty": ("<p>2 year warranty <b id=x>$9</b></p>", PRICE, Sign.OTHER_AMOUNT),
    "lowest of a month": ("<p>Lowest price in 30 days: <b id=x>$9</b>", PRICE, Sign.OTHER_AMOUNT),
    "price of a kilo": ("<p>Grundpreis: <b id=x>9 €</b> / kg", PRICE, Sign.UNIT_PRICE),
    "members": ("<p>Members: <b id=x>$9</b></p>", PRICE, Sign.MEMBER_PRICE),
    "rated": ("<p>Rated <b id=x>9</b> out of 10", PRICE, Sign.RATING),
    "navigation": ("<nav><b id=x>$9</b></nav>", PRICE, Sign.NAVIGATION),
    "template": ("<template><b id=x>$9</b></template>", PRICE, Sign.HIDDEN),
    "closed dialog": ("<dialog><b id=x>$9</b></dialog>", PRICE, Sign.HIDDEN),
    "slides of another maker": ("<ul class=bxslider><li id=x>$9</li></ul>", PRICE, Sign.CAROUSEL),
    "slides by their role": (
        "<div aria-roledescription=carousel><b id=x>$9</b></div>",
        PRICE,
        Sign.CAROUSEL,
    ),
    "slides by their tag": ("<my-carousel><b id=x>$9</b></my-carousel>", PRICE, Sign.CAROUSEL),
    "related for who hears": (
        "<section aria-label='Related products'><b id=x>$9</b></section>",
        PRICE,
        Sign.RELATED,
    ),
    "related in Polish": (
        "<section><h2>Podobne produkty</h2><p id=x>9 zł</p></section>",
        PRICE,
        Sign.RELATED,
    ),
    "sponsored": ("<div class=sponsored><b id=x>$9</b></div>", PRICE, Sign.RELATED),
    "under reviews": ("<section><h2>Reviews</h2><p id=x>$9</p></section>", PRICE, Sign.REVIEWS),
    "saving": ("<p>You save <b id=x>$5</b></p>", PRICE, Sign.SAVING),
    "shipping": ("<p>Shipping: <b id=x>$5.99</b></p>", PRICE, Sign.SHIPPING),
    "shipping behind": ("<p><b id=x>$5.99</b> shipping</p>", PRICE, Sign.SHIPPING),
    "shipping cell": (
        "<table><tr><th>Delivery</th><td id=x>4,90 €</td></tr></table>",
        PRICE,
        Sign.SHIPPING,
    ),
    "shipping class": ("<b id=x class=shipping-cost>$5</b>", PRICE, Sign.SHIPPING),
    "threshold": ("<p>Free shipping on orders over <b id=x>$50</b></p>", PRICE, Sign.SHIPPING),
    "deposit": ("<p>Deposit: <b id=x>€25</b></p>", PRICE, Sign.DEPOSIT),
    "deposit behind": ("<p>zzgl. <b id=x>0,25 €</b> Pfand</p>", PRICE, Sign.DEPOSIT),
    "from a month": ("<p>from <b id=x>$25</b> per month</p>", PRICE, Sign.INSTALMENT),
    "payments": ("<p>or 4 interest-free payments of <b id=x>$25</b></p>", PRICE, Sign.INSTALMENT),
    "a lender": ("<p><b id=x>$25</b>/mo with Affirm</p>", PRICE, Sign.INSTALMENT),
    "votes": ("<p>4.5 (<b id=x>123</b> reviews)</p>", PRICE, Sign.RATING),
    "stars": ("<b id=x class=star-rating>4</b>", PRICE, Sign.RATING),
    "cart": ("<header><b class=cart-total id=x>$0.00</b></header>", PRICE, Sign.CART),
    "hidden": ("<b id=x hidden>$9</b>", PRICE, Sign.HIDDEN),
    "hidden around": ("<div style='display: none'><b id=x>$9</b></div>", NAME, Sign.HIDDEN),
    "related": ("<h1>A</h1><div class=related-products><b id=x>$9</b></div>", PRICE, Sign.RELATED),
    "recommended": ("<h1>A</h1><div id=recommendations><b id=x>B</b></div>", NAME, Sign.RELATED),
    "carousel": (
        "<h1>A</h1><div class='product-carousel'><p id=x>$9</p></div>",
        PRICE,
        Sign.CAROUSEL,
    ),
    "under a heading": (
        "<h1>A</h1><h2>You may also like</h2><ul><li><h3>B</h3><b id=x>$9</b></li></ul>",
        PRICE,
        Sign.RELATED,
    ),
    "heading in a header": (
        "<h1>A</h1><div><div><h2>Related products</h2></div><div><b id=x>$9</b></div></div>",
        PRICE,
        Sign.RELATED,
    ),
    "comment": (
        "<article><h1>A</h1></article><ol class=comment-list><time id=x>2020-01-01</time></ol>",
        DATE,
        Sign.REVIEWS,
    ),
    "footer": ("<h1>A</h1><footer><b id=x>2024-05-01</b></footer>", DATE, Sign.FOOTER),
    "footer by role": (
        "<h1>A</h1><div role=contentinfo><b id=x>$9</b></div>",
        PRICE,
        Sign.FOOTER,
    ),
    "copyright": ("<p>© <b id=x>2024</b> ACME</p>", DATE, Sign.COPYRIGHT),
    "copyright in full": ("<p id=x>Copyright © 2019-2024 ACME</p>", DATE, Sign.COPYRIGHT),
    "updated": ("<p>Posted 1 May. Updated: <b id=x>3 May 2024</b></p>", DATE, Sign.OTHER_DATE),
    "updated with month": ("<p id=x>Updated: May 3, 2024</p>", DATE, Sign.OTHER_DATE),
}


@pytest.mark.parametrize(("markup", "spec", "sign"), WRONG.values(), ids=WRONG)
def test_a_value_in_the_wrong_place_is_named(markup: str, spec: FieldSpec, sign: Sign) -> None:
    why = judge(markup, spec)

    assert why is not None
    assert why.startswith(f"{sign}: /html/body/")


RIGHT: dict[str, tuple[str, FieldSpec]] = {
    "new price beside del": ("<p><del>$120</del> <b id=x>$60</b></p>", PRICE),
    "inserted": ("<p><del>$120</del> <ins id=x>$60</ins></p>", PRICE),
    "now": ("<p>Was: <b>$120</b> Now: <b id=x>$60</b></p>", PRICE),
    "sale beside regular": (
        "<p><b class=regular-price>$20</b> <b id=x class=sale-price>$15</b></p>",
        PRICE,
    ),
    "regular price alone": ("<p><b id=x class=regular-price>$20</b></p>", PRICE),
    "regular label alone": (
        "<p><span>Regular price</span> <b id=x class=price-item--regular>$20</b></p>",
        PRICE,
    ),
    "regular and sale agree": (
        "<p><b id=x class=price-item--regular>$20</b> <b class=price-item--sale>$20</b></p>",
        PRICE,
    ),
    "container of both": (
        "<p class='price has-old-price'><del>$120</del> <b id=x>$60</b></p>",
        PRICE,
    ),
    "old around others": (
        "<div class=old-price-block><div class=price-old><s>$9</s> <b id=x>$8</b></div></div>",
        PRICE,
    ),
    "a field for the old price": (
        "<del id=x>$120</del>",
        FieldSpec("old_price", FieldKind.PRICE),
    ),
    "a field for shipping": (
        "<p>Shipping: <b id=x>$5</b></p>",
        FieldSpec("shipping_price", FieldKind.PRICE),
    ),
    "the winner was": ("<p>The winning bid was <b id=x>$500</b></p>", PRICE),
    "free shipping behind": ("<p><b id=x>$20</b> + free shipping</p>", PRICE),
    "shipping calculated": ("<p><b id=x>$20</b> Shipping calculated at checkout.</p>", PRICE),
    "incl shipping": ("<p>incl. shipping <b id=x>$20</b></p>", PRICE),
    "shipping container": ("<li>Shipping container <b id=x>$2000</b></li>", PRICE),
    "named shipping box": ("<h1>Shipping</h1><p id=x>$20</p>", PRICE),
    "a safe": ("<p>Safe deposit box <b id=x>$20</b></p>", PRICE),
    "save the date": ("<p>Save the Date cards <b id=x>$20</b></p>", PRICE),
    "subscription": ("<p><b id=x>$9.99</b>/month</p>", PRICE),
    "salary": ("<p>from <b id=x>$3000</b> per month</p>", FieldSpec("salary_min", FieldKind.PRICE)),
    "reviews beside": ("<p><b id=x>$20</b> Reviews (12)</p>", PRICE),
    "reviews before": ("<p>12 reviews <b id=x>$20</b></p>", PRICE),
    "rating is rating": ("<b id=x class=rating>4</b>", FieldSpec("rating", FieldKind.RATING)),
    "tab panel": ("<div role=tabpanel hidden><p id=x>Oak</p></div>", NAME),
    "closed accordion": (
        "<div class=accordion-body style='display:none'><p id=x>Oak</p></div>",
        NAME,
    ),
    "hidden image": ("<img id=x hidden src=a.png>", IMAGE),
    "image in a gallery": ("<h1>A</h1><div class=carousel><img id=x src=a.png></div>", IMAGE),
    "article about carousels": (
        "<article class='category-carousel carousel-guide'><h1>A</h1><p id=x>B</p></article>",
        NAME,
    ),
    "heading that mentions it": (
        "<h1>A</h1><h2>Related work in carousels</h2><p id=x>$9</p>",
        PRICE,
    ),
    "behind a later heading": (
        "<h1>A</h1><h2>You may also like</h2><ul><li>B</li></ul><h2>Price</h2><p id=x>$9</p>",
        PRICE,
    ),
    "footer of the article": (
        "<article><h1>A</h1><footer><b id=x>2024-05-01</b></footer></article>",
        DATE,
    ),
    "address in the footer": (
        "<h1>A</h1><footer><p id=x>1 High Street</p></footer>",
        FieldSpec("address"),
    ),
    "class of a theme": ("<div class='has-footer theme-carousel'><p id=x>A</p></div>", NAME),
    "year of an event": ("<p>Festival <b id=x>2024</b></p>", DATE),
    "published": ("<p>Published: <b id=x>3 May 2024</b> Updated: <b>4 May 2024</b></p>", DATE),
    "list of dates": ("<p>Updated weekly since <b id=x>3 May 2024</b></p>", DATE),
}


@pytest.mark.parametrize(("markup", "spec"), RIGHT.values(), ids=RIGHT)
def test_a_near_miss_is_in_its_place(markup: str, spec: FieldSpec) -> None:
    assert judge(markup, spec) is None


IN_ROW = {
    "row in a carousel": "<div class=carousel><article><b id=x>$9</b></article></div>",
    "row under a heading": "<h2>Related products</h2><article><b id=x>$9</b></article>",
    "row that is a footer card": "<footer><article class=footer><b id=x>$9</b></article></footer>",
    "footer of the row": "<article><footer><b id=x>$9</b></footer></article>",
}


@pytest.mark.parametrize("markup", IN_ROW.values(), ids=IN_ROW)
def test_what_stands_around_a_row_says_nothing_of_it(markup: str) -> None:
    assert judge(markup, PRICE, "article") is None


def test_what_stands_in_a_row_does() -> None:
    markup = "<article><div class=related-products><b id=x>$9</b></div></article>"

    assert judge(markup, PRICE, "article") is not None


def test_an_attribute_need_not_be_visible() -> None:
    document = Document(make_snapshot("<b id=x hidden data-price=9></b>"))
    (node,) = document.css("#x")

    assert find_misplaced(document, node, PRICE, is_shown=False) is None
