import pytest

from crawler.extraction.content.kind import PageType, Signs, address_of, decide_type


def signs(
    address: str = "example.com/x",
    *,
    types: frozenset[str] = frozenset(),
    declared: str = "",
    prose: float = 0.1,
    links: float = 0.2,
    prices: int = 0,
) -> Signs:
    return Signs(address, types, declared, prose, links, prices)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (signs(types=frozenset({"QAPage"})), PageType.FORUM),
        (signs("forum.example.com/t/rope/12"), PageType.FORUM),
        (signs("example.com/forums/", prose=0.01, links=0.8), PageType.LISTING),
        (signs(declared="product"), PageType.PRODUCT),
        (signs("shop.example/products/lamp"), PageType.PRODUCT),
        (signs("shop.example/products/lamp-care", prose=0.7), PageType.ARTICLE),
        (signs(types=frozenset({"Product", "Offer"}), prose=0.7), PageType.PRODUCT),
        (signs(types=frozenset({"Product"}), prose=0.7, prices=1), PageType.PRODUCT),
        (signs(types=frozenset({"Product"}), prose=0.7), PageType.ARTICLE),
        (signs(types=frozenset({"Product"}), links=0.4, prices=90), PageType.COLLECTION),
        (signs("example.com/forum/", prose=0.01, links=0.3), PageType.SERVICE),
        (signs("example.com/forum/rope-12", prose=0.01, links=0.3), PageType.FORUM),
        (signs(types=frozenset({"Product", "Offer", "Article"}), prose=0.7), PageType.ARTICLE),
        (signs(types=frozenset({"Product", "Offer", "ItemList"}), links=0.6), PageType.LISTING),
        (signs(types=frozenset({"Product", "Offer", "Service"})), PageType.SERVICE),
        (signs("shop.example/dp/B0D1XD1ZV3", prose=1.2), PageType.PRODUCT),
        (signs("news.example/dp/B0D1XD1ZV3", declared="article", prose=1.2), PageType.ARTICLE),
        (signs("games.example/app/570/dota", prose=0.5), PageType.PRODUCT),
        (signs(declared="product.group", prose=0.5), PageType.COLLECTION),
        (signs("shop.example/collections/lamps", links=0.6), PageType.COLLECTION),
        (signs("docs.example.com/install", prose=0.5), PageType.DOCUMENTATION),
        (signs("example.com/blog/", links=0.6), PageType.LISTING),
        (signs("example.com/blog/one-two-three-four-five", prose=0.3), PageType.ARTICLE),
        (signs("example.com/2026/01/02/x", prose=0.05), PageType.ARTICLE),
        (signs(types=frozenset({"NewsArticle"}), prose=0.05), PageType.ARTICLE),
        (signs(prose=0.31), PageType.ARTICLE),
        (signs(prose=0.29), PageType.SERVICE),
        (signs("city.example/departments/building"), PageType.SERVICE),
        (signs("learn.example.com/programs/ropes"), PageType.SERVICE),
        (signs("api.example.com/ropes"), PageType.DOCUMENTATION),
        (signs(links=0.6), PageType.LISTING),
        (signs(links=0.6, prices=20), PageType.COLLECTION),
        (signs(), PageType.SERVICE),
    ],
)
def test_type_is_decided_by_declaration_address_and_shape(seen: Signs, expected: PageType) -> None:
    assert decide_type(seen) is expected


def test_address_is_compared_without_www_query_and_case() -> None:
    assert address_of("https://WWW.Example.com/A/b?c=1#d") == "example.com/a/b"
