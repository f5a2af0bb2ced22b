"""What names and headings say of the part of a page they belong to: tables, one line a kind."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from crawler.contracts.record import FieldKind, FieldSpec
from crawler.document.kept import keep_if_short


class Sign(StrEnum):
    """What a place is, in the words of a rejection."""

    STRUCK = "struck through"
    HIDDEN = "hidden from readers"
    OLD_PRICE = "an old or list price"
    REGULAR_PRICE = "the regular price beside a reduced one"
    SAVING = "what is saved"
    SHIPPING = "a shipping price"
    DEPOSIT = "a deposit"
    INSTALMENT = "an instalment"
    UNIT_PRICE = "the price of a unit"
    MEMBER_PRICE = "a price for members"
    CART = "the shopping cart"
    OTHER_AMOUNT = "another amount than the price"
    NAVIGATION = "the navigation of the page"
    RATING = "a rating or a number of reviews"
    RELATED = "a related item"
    CAROUSEL = "a carousel"
    REVIEWS = "a review or comment"
    FOOTER = "the footer of the page"
    COPYRIGHT = "a copyright notice"
    OTHER_DATE = "the date of something else"
    OTHER_ROW = "another row"


MONEY = frozenset({FieldKind.PRICE, FieldKind.PRICE_MIN, FieldKind.PRICE_MAX, FieldKind.NUMBER})
ANY = frozenset(FieldKind)
LINKED = frozenset({FieldKind.URL, FieldKind.IMAGE})
_COUNTED = frozenset({FieldKind.RATING, FieldKind.COUNT})


@dataclass(frozen=True, slots=True)
class Reach:
    """Fields that a sign speaks against; a field that names the thing itself is meant to have it."""

    kinds: frozenset[FieldKind]
    exempt: re.Pattern[str] | None = None


def _named(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|_)(?:{words})(?:_|$)")


_OLD_NAMES = _named(
    "old|was|list|regular|original|former|previous|rrp|msrp|uvp|before|compare|retail"
)
_CONTACT = _named(
    "address|street|city|postcode|country|phone|telephone|email|contact|organizer|organiser|publisher"
    "|venue|license|copyright|footer|social|imprint"
)
REACH: dict[Sign, Reach] = {
    Sign.STRUCK: Reach(ANY, _OLD_NAMES),
    Sign.HIDDEN: Reach(ANY - LINKED),
    Sign.OLD_PRICE: Reach(MONEY, _OLD_NAMES),
    Sign.REGULAR_PRICE: Reach(MONEY, _OLD_NAMES),
    Sign.SAVING: Reach(MONEY, _named("saving|savings|discount|reduction|rebate")),
    Sign.SHIPPING: Reach(MONEY, _named("shipping|delivery|postage|freight")),
    Sign.DEPOSIT: Reach(MONEY, _named("deposit")),
    Sign.INSTALMENT: Reach(MONEY, _named("instal+ments?|monthly|month|salary|wage|rent|lease")),
    Sign.UNIT_PRICE: Reach(MONEY, _named("unit|per|base")),
    Sign.MEMBER_PRICE: Reach(MONEY, _named("members?|loyalty|club")),
    Sign.CART: Reach(MONEY, _named("cart|basket")),
    Sign.OTHER_AMOUNT: Reach(
        MONEY,
        _named("tax|vat|subtotal|coupon|voucher|gift|warranty|insurance|minimum|lowest|fees?"),
    ),
    Sign.NAVIGATION: Reach(MONEY),
    Sign.RATING: Reach(MONEY, _named("rating|ratings|stars?|score|reviews?|votes?|count")),
    Sign.RELATED: Reach(ANY, _named("related|similar|recommended|recommendations")),
    Sign.CAROUSEL: Reach(ANY - LINKED, _named("carousel|slides?|slider")),
    Sign.REVIEWS: Reach(
        ANY - _COUNTED - LINKED, _named("reviews?|comments?|testimonials?|repl(?:y|ies)")
    ),
    Sign.FOOTER: Reach(ANY - LINKED, _CONTACT),
    Sign.COPYRIGHT: Reach(MONEY | _COUNTED | {FieldKind.DATE}, _named("copyright")),
    Sign.OTHER_DATE: Reach(frozenset({FieldKind.DATE})),
    Sign.OTHER_ROW: Reach(ANY),
}


@lru_cache(maxsize=1024)
def signs_against(spec: FieldSpec) -> frozenset[Sign]:
    """Return the signs that a place of this field must not bear."""
    return frozenset(
        sign
        for sign, reach in REACH.items()
        if spec.kind in reach.kinds and not (reach.exempt and reach.exempt.search(spec.name))
    )


OF_VALUE: dict[Sign, re.Pattern[str]] = {
    Sign.STRUCK: re.compile(
        r"^(?:(?:tw|u|text)-)?(?:line-through|strike-?through|text-strike(?:through)?|strike|struck|crossed-out)$"
    ),
    Sign.OLD_PRICE: re.compile(
        r"^(?:old|was)$|(?:^|-)(?:old|was|previous|former|before|original|list|rrp|msrp|uvp|strike"
        r"|crossed|retail|compare|compare-at)-(?:price|amount|value)(?:-|$)"
        r"|(?:^|-)prices?-(?:old|was|previous|former|before|original|list|rrp|msrp|uvp|strike|crossed"
        r"|compare|compare-at)(?:-|$)|^(?:rrp|msrp|uvp|compare-at)$"
    ),
    Sign.REGULAR_PRICE: re.compile(
        r"(?:^|-)(?:regular|normal|standard|full)-(?:price|amount)(?:-|$)"
        r"|(?:^|-)price(?:-item)?-(?:regular|normal|standard|full)(?:-|$)|^regular$"
    ),
    Sign.SAVING: re.compile(
        r"(?:^|-)(?:you-save|saving|savings|discount-amount|price-saved)(?:-|$)"
    ),
    Sign.SHIPPING: re.compile(
        r"(?:^|-)(?:shipping|delivery|postage|versand|livraison)"
        r"-(?:price|cost|costs|fee|fees|charge|charges|rate|amount)(?:-|$)|^(?:shipping|postage)$"
    ),
    Sign.DEPOSIT: re.compile(r"(?:^|-)(?:deposit|down-payment|anzahlung|pfand)(?:-|$)"),
    Sign.INSTALMENT: re.compile(
        r"(?:^|-)(?:instal+ments?|financing|finance|affirm|klarna|afterpay|clearpay|sezzle|shop-pay"
        r"|monthly-(?:price|payment|rate)|price-monthly|ratenzahlung)(?:-|$)"
    ),
    Sign.CART: re.compile(
        r"(?:^|-)(?:mini-?cart|cart-(?:total|count|drawer|summary|contents|subtotal)|header-cart"
        r"|basket-(?:total|summary))(?:-|$)"
    ),
    Sign.RATING: re.compile(
        r"(?:^|-)(?:rating|ratings|star|stars|review-count|reviews-count|num-reviews|votes)(?:-|$)"
    ),
    Sign.COPYRIGHT: re.compile(r"(?:^|-)(?:copyright|copyrights)(?:-|$)"),
}
"""Names of an element that is the value, or holds no other number."""
OF_REGION: dict[Sign, re.Pattern[str]] = {
    Sign.RELATED: re.compile(
        r"^related(?:-|$)|(?:^|-)(?:related-(?:products|items|articles|posts|events|content|stories)"
        r"|recommendations?|recommended|upsells?|up-sells?|cross-sells?|crosssells?"
        r"|similar-(?:products|items|articles|posts|events|jobs|recipes)|you-may(?:-also)?(?:-like)?"
        r"|you-might|also-(?:like|bought|viewed)|recently-viewed|more-like-this"
        r"|people-also|frequently-bought|products-related|suggested|suggestions|recs|recos|other-products"
        r"|more-products|sponsored)(?:-|$)|^(?:ads?|advert|advertisement)(?:-|$)"
    ),
    Sign.CAROUSEL: re.compile(
        r"(?:^|-)(?:carousel|slider|swiper|slick|owl-carousel|splide|flickity|glide|flexslider|bxslider"
        r"|embla|tns|slideshow|marquee)(?:-|$)"
    ),
    Sign.REVIEWS: re.compile(
        r"^(?:reviews|review-list|reviews-list|customer-reviews|product-reviews|user-reviews|comments"
        r"|comment-list|commentlist|comments-area|testimonials)$"
    ),
    Sign.FOOTER: re.compile(r"^(?:site|page|global|main|app)?-?footer$|^colophon$|^contentinfo$"),
}
"""Names of a part of the page that holds other things than what the page is about."""
_NO_NAME = re.compile(
    r"^(?:has|no|not|with|without|is|show|hide|enable|disable|supports?|tag|category|post|postid|page"
    r"|term|type|format|single|theme|js|template)-"
)
"""Beginnings of a name that says what an element has, or how it is filed."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@keep_if_short(8192)
def read_names(names: str) -> tuple[frozenset[Sign], frozenset[Sign]]:
    """Return what the classes and ids of an element say of it as a value, and as a region."""
    spelled = _CAMEL.sub("-", names[:500]).lower()
    tokens = [re.sub(r"[^a-z0-9]+", "-", token).strip("-") for token in spelled.split()]
    named = [token for token in tokens if not _NO_NAME.match(token)]
    return _signs_in(named, OF_VALUE), _signs_in(named, OF_REGION)


def _signs_in(tokens: list[str], table: dict[Sign, re.Pattern[str]]) -> frozenset[Sign]:
    return frozenset(sign for sign, names in table.items() if any(map(names.search, tokens)))


RELATED_HEADING = re.compile(
    r"\W*(?:(?:you|customers?|people|others|shoppers) (?:may|might|will|who|also|could)\b.*"
    r"|related(?: (?:products?|items?|articles?|posts?|events?|stories|content|jobs|recipes|news|links))?"
    r"|similar (?:products?|items?|articles?|posts?|events?|jobs|recipes|to this|stories)\b.*"
    r"|recommended(?: (?:for you|products?|items?|articles?|reading|events?))?|recommendations"
    r"|recently viewed\b.*|frequently bought\b.*|more (?:from|like)\b.*|read next|up next"
    r"|also (?:available|bought|viewed)|trending(?: now)?|best ?sellers|sponsored(?: products| content)?"
    r"|das könnte (?:ihnen|dir|sie|dich) auch\b.*|ähnliche (?:produkte|artikel|veranstaltungen)"
    r"|kunden kauften auch|vous aimerez (?:aussi|peut-être)\b.*|produits similaires|articles similaires"
    r"|productos relacionados|también te puede\b.*|prodotti correlati|potrebbe(?:ro)? interessarti\b.*"
    r"|gerelateerde producten|vergelijkbare producten|anderen (?:bekeken|kochten)\b.*"
    r"|(?:other|more|suggested|sponsored) (?:products|items)|produtos (?:relacionados|semelhantes)|você também\b.*"
    r"|podobne produkty|inni (?:kupili|oglądali)\b.*|podobné produkty|související produkty|hasonló termékek"
    r"|kapcsolódó termékek|liknande produkter|lignende (?:produkter|varer)|benzer ürünler|похожие товары"
    r"|с этим товаром\b.*|関連商品|おすすめ商品|この商品を.*|相关(?:商品|产品|推荐)|相關(?:商品|產品)|猜你喜欢|관련 상품"  # noqa: RUF001
    r"|추천 상품)\W*",
    re.IGNORECASE,
)
"""The whole of a heading over items that the page is not about."""
REVIEWS_HEADING = re.compile(
    r"\W*(?:(?:customer |user |product |verified )?(?:reviews?|comments?|testimonials?|ratings (?:and|&) reviews)"
    r"|(?:kunden)?bewertungen|kundenrezensionen|avis(?: clients?)?|opiniones|recensioni|beoordelingen|opinie)\W*",
    re.IGNORECASE,
)
"""The whole of a heading over what others say of the thing."""
