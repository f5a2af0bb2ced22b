import pytest

from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_sign
from crawler.classification.wall_abroad import SIGNS
from tests.unit.classification.builders import make_page, quoted_in_article, saying, titled

CASES: dict[str, FetchedPage] = {
    "geo-words": saying("We currently do not offer our services in your country."),
    "geo-many": saying("Ten materiał nie jest dostępny w twoim kraju"),
    "paywall-call": saying("Create a free account to continue reading."),
    "paywall-many": saying("Abonnez-vous pour lire la suite"),
    "consent-words": saying("To continue, please accept or reject cookies."),
    "consent-partners": saying("We and our 800 partners store information. Agree / manage options"),
    "consent-many": saying("Usamos cookies. Aceptar todo / rechazar todo"),
    "age-many": saying("¿Eres mayor de edad? Sí / no"),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_of_no_article_that_quotes_it(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    assert find_sign(quoted_in_article(page), (sign,)) is None


def test_a_thing_that_is_not_shipped_everywhere_has_a_page_nevertheless() -> None:
    said = "We do not currently ship to your country."
    goods = make_page(titled("Lamp", f"<p>A lamp.</p><p>{said}</p><button>Add to cart</button>"))
    assert find_sign(goods, SIGNS) is None
    assert find_sign(saying(said), SIGNS) is not None
