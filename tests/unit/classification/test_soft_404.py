# ruff: noqa: RUF001 - letters of other alphabets are meant

import pytest

from crawler.classification.soft_404 import PATTERNS, find_soft_404, match_not_found
from crawler.contracts.outcome import Kind, Reason
from crawler.document.document import Document
from tests.unit.classification.builders import ARTICLE, make_snapshot

NOT_FOUND = {
    "404": "404",
    "Error 404 | Example": "404",
    "404 Not Found": "404-not-found",
    "404 - Page not found": "404-not-found",
    "Page not found": "thing-gone",
    "Page not found \u2013 Example": "thing-gone",
    "This job is no longer available": "thing-gone",
    "Oops! That page can\u2019t be found.": "thing-gone",
    "The page you requested could not be found": "thing-gone",
    "We could not find that page": "cannot-find",
    "Not Found": "not-found",
    "The requested URL was not found on this server": "thing-gone",
    "No such page": "not-found",
    "This job posting has expired": "expired",
    "This position has been filled": "expired",
    "Error page": "error-page",
    "You've reached a dead end": "dead-link",
    "Seite nicht gefunden": "de",
    "Die angeforderte Seite konnte nicht gefunden werden": "de",
    "Désolé, cette page n'existe plus": "fr",
    "La page demandée est introuvable": "fr",
    "La página que buscas no existe": "es",
    "No encontramos la página": "es",
    "Pàgina no trobada": "ca",
    "La pagina richiesta non esiste": "it",
    "Deze pagina bestaat niet": "nl",
    "Sidan hittades inte": "sv",
    "Siden ble ikke funnet": "da-no",
    "Sivua ei löytynyt": "fi",
    "Strona nie istnieje": "pl",
    "Stránka nenalezena": "cs-sk",
    "Az oldal nem található": "hu",
    "Pagina nu a fost găsită": "ro",
    "Stranica nije pronađena": "hr-sr-sl",
    "Strani ni mogoče najti": "hr-sr-sl",
    "Páxina non atopada": "gl-eu",
    "Síðan fannst ekki": "is",
    "Lehte ei leitud": "et",
    "Lapa nav atrasta": "lv",
    "Puslapis nerastas": "lt",
    "Страницата не е намерена": "bg",
    "صفحه مورد نظر یافت نشد": "fa",
    "पृष्ठ नहीं मिला": "hi",
    "ไม่พบหน้าที่คุณต้องการ": "th",
    "Η σελίδα δεν βρέθηκε": "el",
    "Sayfa bulunamadı": "tr",
    "Сторінку не знайдено": "uk",
    "お探しのページは見つかりませんでした": "ja",
    "抱歉，您访问的页面不存在": "zh",
    "요청하신 페이지를 찾을 수 없습니다": "ko",
    "الصفحة غير موجودة": "ar",
    "הדף לא נמצא": "he",
    "Không tìm thấy trang": "vi",
    "Halaman tidak ditemukan": "id",
    "Page introuvable": "fr",
    "Página no encontrada": "es",
    "Pagina non trovata": "it",
    "Página não encontrada": "pt",
    "Pagina niet gevonden": "nl",
    "Nie znaleziono strony": "pl",
    "Страница не найдена": "ru",
}
ORDINARY = [
    "How we fixed 404 errors",
    "404 Gallery Street",
    "Lost and not found: a novel",
    "Finding the page you want",
    "Page 404 of the register",
    "Missing person found",
    "Room 404",
    "Peugeot 404 Cabriolet",
    "This event has passed",
    "Offers that expired in May",
    "No results found",
    "Sold out",
    "Seite 404",
    "La página de inicio",
    "Страница 4",
    "",
]


@pytest.mark.parametrize(("heading", "rule"), NOT_FOUND.items())
def test_a_heading_that_says_not_found_is_matched_by_its_rule(heading: str, rule: str) -> None:
    assert match_not_found(heading) == rule


def test_every_rule_has_a_case() -> None:
    assert set(NOT_FOUND.values()) == set(PATTERNS)


@pytest.mark.parametrize("heading", ORDINARY)
def test_a_heading_about_something_else_is_not(heading: str) -> None:
    assert match_not_found(heading) is None


@pytest.mark.parametrize(
    "html",
    [
        "<title>Page not found</title><h1>We could not find that page</h1>",
        "<title>Example</title><h1>Page <b>not</b> found</h1>",
        "<title>Not&nbsp;Found</title>",
        "<title>Example</title><h1>Example</h1><h2>Page not found</h2>",
        "<p>Page not found</p>",
        "<p>The page you are looking for: the requested page was not found. Home</p>",
    ],
)
def test_a_page_that_says_it_is_not_there_is_a_soft_404(html: str) -> None:
    snapshot = make_snapshot(html)
    verdict = find_soft_404(Document(snapshot), snapshot)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.SOFT_404, Reason.SOFT_404)


@pytest.mark.parametrize(
    "html",
    [
        "<title>How we fixed 404 errors</title><h1>404 errors, fixed</h1>",
        f"<title>404 Not Found - HTTP</title><h1>404 Not Found</h1>{ARTICLE * 3}",
        "<title>News</title><!-- <h1>Page not found</h1> --><h1>Bridge</h1>",
        "<title>News</title><h1>Bridge</h1><h1>Page not found</h1>",
        "<h1>Lost</h1><p>The book on lost pages: page not found, and what came of it.</p>",
        f"<p>Page not found</p>{ARTICLE}",
        "<p>Room 404 was not found by the guests.</p>",
    ],
)
def test_a_page_about_missing_pages_is_not(html: str) -> None:
    snapshot = make_snapshot(html)
    assert find_soft_404(Document(snapshot), snapshot) is None
