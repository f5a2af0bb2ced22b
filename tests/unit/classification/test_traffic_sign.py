import pytest

from crawler.classification.challenge import find_challenge
from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_sign
from crawler.classification.traffic_sign import SIGNS
from tests.unit.classification.builders import quoted_in_article, saying

CASES: dict[str, FetchedPage] = {
    "place-refused": saying("Your country is not allowed to access this website."),
    "address-words": saying("Sorry, your IP address appears on our blocklist."),
    "access-words": saying("Your access has been suspended. Contact us."),
    "agent-words": saying("Forbidden: user-agent not allowed"),
    "accused-words": saying("Bad bot detected. Go away."),
    "attack-words": saying("SQL injection attempt detected. Your IP has been seen."),
    "stopped-by-words": saying("This page has been denied by our firewall."),
    "amount-words": saying("Page view limit exceeded for your IP address."),
    "locked-out-words": saying("You have been locked out."),
    "hosting-words": saying(
        "Traffic from data centers is blocked. Use another connection, please."
    ),
    "task-words": saying("Please solve this simple math problem: 3 + 4 ="),
    "cues-together": saying(
        "Your provider is known for spam. Contact the webmaster to be unblocked."
    ),
    "wait-words": saying("Verifying your request, please wait..."),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_of_no_article_that_quotes_it(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    assert find_challenge(page) is not None
    assert find_sign(quoted_in_article(page), (sign,)) is None
