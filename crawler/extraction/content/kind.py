"""What kind of page it is: decides which zone holds its content, and what of it is noise."""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from crawler.document.document import Document
from crawler.extraction.content.node import Element, Node
from crawler.extraction.content.title import find_declared


class PageType(StrEnum):
    ARTICLE = "article"
    DOCUMENTATION = "documentation"
    SERVICE = "service"
    FORUM = "forum"
    COLLECTION = "collection"
    PRODUCT = "product"
    LISTING = "listing"


_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"(?:https?://schema\.org/)?(\w{1,40})"')
_ARTICLES = frozenset(
    [
        "Article",
        "NewsArticle",
        "BlogPosting",
        "Report",
        "ScholarlyArticle",
        "ReportageNewsArticle",
        "OpinionNewsArticle",
        "AnalysisNewsArticle",
        "ReviewNewsArticle",
        "Recipe",
        "HowTo",
        "AdvertiserContentArticle",
    ]
)
_FORUMS = frozenset({"DiscussionForumPosting", "QAPage"})
_DOCUMENTS = frozenset({"TechArticle", "APIReference"})
_PRODUCTS = frozenset({"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Book"})
_SERVICES = frozenset({"Service", "ProfessionalService", "LocalBusiness"})
_OFFERS = frozenset({"Offer", "AggregateOffer"})
_COLLECTIONS = frozenset({"CollectionPage", "ItemList", "OfferCatalog", "SearchResultsPage"})

_PRODUCT_DECLARED = frozenset({"product", "product.item", "og:product", "ebay-objects:item"})

# The first that matches decides; what the address says of a shop or forum is seldom wrong.
_ADDRESS_FORMS = {
    PageType.FORUM: (
        r"^(?:forums?|community|discuss\w*|boards?|talk|answers)\.|/forums?/|/forum/|/threads?/"
        r"|/t/[\w-]+/\d+|/viewtopic|/showthread|/questions/\d+|/discussions?/\d|/topic/\d+"
        r"|stackexchange\.com/|stackoverflow\.com/|/r/\w+/comments/|/showtopic|/talk/"
    ),
    PageType.DOCUMENTATION: (
        r"^(?:docs?|developers?|help|support|api|wiki|dev|man|documentation|reference)\."
        r"|/docs?/|/documentation/|/manual/|/reference/|/api/|readthedocs\.|/wiki/|/man\d?/"
        r"|/tutorials?/|/guides?/[\w-]+/|\.github\.io/|/javadoc|/en/latest/|/stable/"
    ),
    PageType.PRODUCT: (
        r"/products?/[\w-]+|/p/[\w-]+|/item/|/listing/\d+|/pr/[\w-]+|/prod(?:uct)?detail|/sku/"
        r"|/buy/[\w-]+|-p-?\d{4,}"
    ),
    PageType.COLLECTION: (
        r"/collections?(?:/|$)|/shop(?:/|$)|/product-category/|/categor(?:y|ies)/|/c/[\w-]+"
        r"|/store(?:/|$)|/catalog|/b/[\w-]+|/cat(?:page)?[-/]|/browse/|/w/[\w-]+"
    ),
    PageType.LISTING: (
        r"/(?:blog|news|articles|posts|press|stories|events|jobs|careers|resources|insights|tags?"
        r"|topics?|authors?|archives?|search|directory|list|rankings?|latest)/?(?:page/\d+/?)?$"
        r"|/(?:tag|topic|author|archive|subject|genre|directory)s?/"
    ),
}
_ADDRESSES = {kind: re.compile(form) for kind, form in _ADDRESS_FORMS.items()}
_POST = re.compile(r"/articles?/[^/]+|\.s?html?$")
_ITEM = re.compile(r"/dp/\w{8,}|/itm/(?:[\w-]+/)?\d{6,}|/ip/[\w-]+/\d+|/app/\d+/|/c/product/")
_DATED = re.compile(r"/(?:19|20)\d\d/\d{1,2}/|/(?:19|20)\d\d-\d\d-\d\d")


def name_types(root: Element) -> frozenset[str]:
    """Return the names of the types that the page's JSON-LD mentions."""
    scripts = (each for each in root.iter("script") if "ld+json" in (each.get("type") or ""))
    return frozenset(name for each in scripts for name in _TYPE.findall(each.text or ""))


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells one type of page from another."""

    address: str
    """Host without ``www.`` and path, lower case."""
    types: frozenset[str]
    """Types that its JSON-LD names."""
    declared: str
    """The value of ``og:type``."""
    prose_share: float
    link_share: float
    prices: int
    """Counted where they may decide: not in an article that names no product."""


def decide_type(signs: Signs) -> PageType:
    """Return the type of a page: by what it declares, then by its address, then by its shape."""
    named = _type_by_declaration(signs) or _type_by_address(signs)
    return named or _type_by_shape(signs)


def _type_by_declaration(signs: Signs) -> PageType | None:
    if signs.types & _FORUMS:
        return PageType.FORUM
    if signs.declared in _PRODUCT_DECLARED:
        return PageType.PRODUCT if signs.link_share < 0.6 else PageType.COLLECTION
    if signs.declared == "product.group":
        return PageType.COLLECTION
    if _sells_one(signs):
        return PageType.PRODUCT
    if signs.types & _DOCUMENTS and signs.prose_share > 0.15:
        return PageType.DOCUMENTATION
    return None


def _sells_one(signs: Signs) -> bool:
    """Whether the page offers one thing, and is no review of it and no list."""
    if signs.types & (_ARTICLES | _COLLECTIONS | _SERVICES) or signs.link_share > 0.3:
        return False
    if _ITEM.search(signs.address):
        return signs.declared != "article"
    is_offered = bool(signs.types & _OFFERS) or signs.prices > 0
    return is_offered and bool(signs.types & _PRODUCTS)


def _type_by_address(signs: Signs) -> PageType | None:
    for kind, pattern in _ADDRESSES.items():
        if pattern.search(signs.address) and _could_be(kind, signs):
            return kind
    return None


def _could_be(kind: PageType, signs: Signs) -> bool:
    if kind is PageType.FORUM:
        is_index = signs.address.rstrip("/").endswith(("/forum", "/forums"))
        return signs.prose_share > 0.05 or (signs.link_share < 0.4 and not is_index)
    if kind is PageType.DOCUMENTATION:
        return signs.prose_share > 0.05
    return signs.prose_share < 0.42 and not (_says_article(signs) and signs.prose_share > 0.25)


def _says_article(signs: Signs) -> bool:
    return signs.declared == "article" or bool(signs.types & _ARTICLES)


def _type_by_shape(signs: Signs) -> PageType:
    if signs.prose_share > _prose_of_article(signs):
        return PageType.ARTICLE
    if signs.link_share > 0.3 and signs.prices > 30:
        return PageType.COLLECTION
    if signs.types & _PRODUCTS and not signs.types & _SERVICES and signs.link_share < 0.5:
        return PageType.PRODUCT
    if signs.link_share > 0.4:
        return PageType.COLLECTION if signs.prices > 8 else PageType.LISTING
    if signs.prices > 15:
        return PageType.COLLECTION
    return PageType.SERVICE


def _prose_of_article(signs: Signs) -> float:
    """Return how much of the text must be running text for the page to be an article."""
    if (signs.types & _ARTICLES and signs.declared != "website") or _DATED.search(signs.address):
        return 0.02
    return 0.15 if _says_article(signs) or _has_slug(signs.address) else PROSE


def _has_slug(address: str) -> bool:
    """Whether an address ends with the words of a headline, or as posts of old systems do."""
    last = address.rstrip("/").rpartition("/")[2]
    return last.count("-") >= 4 or _POST.search(address) is not None


def address_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}".lower().removeprefix("www.")


PROSE = 0.3
"""Share of running text above which a page is an article, whatever else it is."""
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|zł|kr\b|лв)")


def read_signs(document: Document, region: Node) -> Signs:
    """Return the signs of a page whose common noise is gone; *region* is its main part."""
    size = max(1, region.size)
    root = document.root
    types = frozenset() if root is None else name_types(root)
    is_told = region.prose > PROSE * size and not types & _PRODUCTS
    return Signs(
        address=address_of(document.url),
        types=types,
        declared="" if root is None else find_declared(root, "og:type").lower(),
        prose_share=region.prose / size,
        link_share=region.link_size / size,
        prices=0 if is_told else len(_PRICE.findall(region.text())),
    )
