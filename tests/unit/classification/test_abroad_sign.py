import pytest

from crawler.classification.abroad_sign import SIGNS
from crawler.classification.challenge import find_challenge
from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_sign
from tests.unit.classification.builders import quoted_in_article, saying

CASES: dict[str, FetchedPage] = {
    "robot-abroad": saying("Bekræft at du ikke er en robot"),
    "address-abroad": saying("Ihre IP-Adresse wurde gesperrt."),
    "asking-abroad": saying("Ihr Zugriff wurde aus Sicherheitsgründen blockiert."),
    "suspect-abroad": saying("Vous avez été bloqué en raison d'une activité suspecte."),
    "amount-abroad": saying("Слишком много запросов"),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_of_no_article_that_quotes_it(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    assert find_challenge(page) is not None
    assert find_sign(quoted_in_article(page), (sign,)) is None
