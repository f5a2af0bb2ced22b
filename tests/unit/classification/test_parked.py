import pytest

from crawler.classification.error_page import find_error_page
from crawler.classification.page import FetchedPage
from crawler.classification.parked import SIGNS
from crawler.classification.signature import Sign, find_sign
from crawler.contracts.outcome import Kind, Reason
from tests.unit.classification.builders import ARTICLE, make_page, titled

CASES: dict[str, FetchedPage] = {
    "default-page": make_page(titled("Default Web Site Page", "<h1>SORRY!</h1>")),
    "it-works": make_page("<html><body><h1>It works!</h1></body></html>"),
    "no-site": make_page(titled("Account Suspended")),
    "for-sale": make_page(titled("Example.com is for sale | HugeDomains")),
    "parked-domain": make_page(titled("a.example", "<p>This domain is parked free by GoDaddy.com")),
}
WORDINGS = [
    "The domain example.com may be for sale by its owner!",
    "This domain was recently registered at Namecheap.com.",
    "Diese Domain steht zum Verkauf",
    "Ce domaine est à vendre",
    "Este dominio está en venta",
    "This domain has expired. Renew it now.",
]
ORDINARY: dict[str, FetchedPage] = {
    "article on domains": make_page(titled("Domains", f"<p>The domain is for sale.</p>{ARTICLE}")),
    "a house": make_page(titled("House for sale", "<p>This house is for sale. Three rooms.")),
    "a car park": make_page(titled("Parking", "<p>Cars are parked free on Sundays.")),
    "an account of a journey": make_page(titled("Account of a journey", "<p>By ship.")),
    "a film": make_page(titled("It works: a film", "<p>It works in two acts.")),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_the_table_agrees(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    verdict = find_error_page(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.ERROR_PAGE, Reason.HTTP_STATUS)


@pytest.mark.parametrize("text", WORDINGS)
def test_an_address_without_a_site_is_recognised_in_other_words(text: str) -> None:
    assert find_error_page(make_page(titled("example", f"<p>{text}</p>"))) is not None


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_not_parked(page: FetchedPage) -> None:
    assert find_error_page(page) is None
