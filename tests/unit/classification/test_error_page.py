# ruff: noqa: RUF001 - letters of other alphabets are meant

import pytest

from crawler.classification import failure_sign, parked
from crawler.classification.error_page import SIGNS, find_error_page
from crawler.classification.page import FetchedPage
from crawler.classification.signature import REASONS, Sign, find_sign
from crawler.contracts.outcome import Kind
from tests.unit.classification.builders import ARTICLE, make_page, titled


def saying(text: str, status: int = 200) -> FetchedPage:
    return make_page(f"<html><body><p>{text}</p></body></html>", status)


OWN = [sign for sign in SIGNS if sign not in (*parked.SIGNS, *failure_sign.SIGNS)]
CASES: dict[str, FetchedPage] = {
    "forbidden": make_page(titled("403 Forbidden", "<h1>Forbidden</h1>")),
    "permission-words": saying("You don't have permission to access /private on this server"),
    "maintenance-title": make_page(titled("Site is under maintenance")),
    "maintenance-text": saying("The website is temporarily unavailable"),
    "maintenance-abroad": saying("Le site est momentanément indisponible"),
    "regret-text": saying("We regret the inconvenience. Please try after some time."),
    "error-title": make_page(titled("500 Internal Server Error")),
    "error-occurred": make_page("<h2>Sorry, an error has occurred [Error: 1007]</h2>"),
    "old-browser": make_page(titled("Your browser is not supported")),
    "cloudflare-origin": make_page(titled("a | Cloudflare", "<h1>Error 1016 Ray ID: 8f</h1>"), 530),
    "error-text": saying("The website encountered an unexpected error. Please try again later."),
    "error-trace": make_page("Traceback (most recent call last): File x"),
}
WORDINGS: dict[str, Kind] = {
    "We are performing scheduled maintenance. This server is down for maintenance":
        Kind.MAINTENANCE,
    "We'll be back soon!": Kind.MAINTENANCE,
    "Wegen Wartungsarbeiten ist unsere Website nicht erreichbar": Kind.MAINTENANCE,
    "Sitio web en mantenimiento": Kind.MAINTENANCE,
    "На сайте проводятся технические работы": Kind.MAINTENANCE,
    "ただいまメンテナンス中のためサイトを停止しています": Kind.MAINTENANCE,
    "系统维护中，请稍后访问": Kind.MAINTENANCE,
    "Fatal error: Uncaught exception in /var/www/index.php": Kind.ERROR_PAGE,
    "Error establishing a database connection": Kind.ERROR_PAGE,
}  # fmt: skip
HEADINGS = [
    "Something went wrong",
    "Oops, something went wrong",
    "There was an error",
    "An unexpected error has occurred",
    "Service Unavailable",
    "Bad Gateway",
    "Es ist ein Fehler aufgetreten",
    "Une erreur est survenue",
    "Se ha producido un error inesperado",
    "Si è verificato un errore",
    "Произошла ошибка",
    "システムエラーが発生しました",
]
ORDINARY: dict[str, FetchedPage] = {
    "article": make_page(),
    "article with such a title": make_page(titled("Something went wrong", ARTICLE)),
    "maintenance firm": make_page(titled("Garden maintenance", "<p>We keep your lawn.</p>")),
    "notice of road works": saying("The bridge is closed to traffic until Friday."),
    "table of errors": make_page(titled("Error codes", "<p>500 means a fault.</p>")),
    "closed museum": saying("We are closed on Mondays. Come back soon!"),
    "status that speaks for itself": make_page(titled("500 Internal Server Error"), 500),
}


@pytest.mark.parametrize("sign", OWN, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_the_table_agrees(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    verdict = find_error_page(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (sign.kind, REASONS[sign.kind])


@pytest.mark.parametrize(("text", "kind"), WORDINGS.items())
def test_an_error_is_recognised_in_other_words_and_languages(text: str, kind: Kind) -> None:
    verdict = find_error_page(saying(text))
    assert verdict is not None
    assert verdict.kind is kind


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_that_tells_of_an_error_makes_an_error_page(heading: str) -> None:
    verdict = find_error_page(make_page(f"<h1>{heading}</h1><p>Please contact us.</p>"))
    assert verdict is not None
    assert verdict.kind is Kind.ERROR_PAGE


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_error_page(page: FetchedPage) -> None:
    assert find_error_page(page) is None
