import pytest

from crawler.classification.failure_sign import SIGNS
from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_sign
from tests.unit.classification.builders import quoted_in_article, saying

CASES: dict[str, FetchedPage] = {
    "work-words": saying("We are currently upgrading our systems. Please check back soon."),
    "work-abroad": saying("Сайт находится на техническом обслуживании"),
    "failure-words": saying("Something went wrong on our end. Please refresh the page."),
    "failure-abroad": saying("Es ist ein Fehler aufgetreten."),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_of_no_article_that_quotes_it(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    assert find_sign(quoted_in_article(page), (sign,)) is None
