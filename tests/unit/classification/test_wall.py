import pytest

from crawler.classification import wall_abroad
from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_sign
from crawler.classification.wall import SIGNS, find_wall
from crawler.contracts.outcome import Kind, Reason
from tests.unit.classification.builders import ARTICLE, make_page, titled


def saying(text: str, status: int = 200) -> FetchedPage:
    return make_page(f"<html><body><p>{text}</p></body></html>", status)


OWN = [sign for sign in SIGNS if sign not in wall_abroad.SIGNS]
CASES: dict[str, FetchedPage] = {
    "not-in-region": make_page(titled("Not available in your region")),
    "country-blocked": make_page(titled("Country blocked")),
    "geo-place": saying("Sorry, unavailable in your location."),
    "geo-content": saying("This video is not available in your country."),
    "geo-outside": saying("Our shop is not available to customers located outside of the U.S."),
    "geo-only": saying("Sorry, this player is only available in Australia"),
    "geo-visitors": saying("Visitors from your country are not permitted to browse this site."),
    "geo-business": saying("Looks like we don't do business in your area yet."),
    "geo-blocked": saying("Your region is currently blocked."),
    "geo-gdpr": saying("Unavailable to readers in the European Economic Area", 403),
    "geo-serve": saying("We are not able to serve customers outside of the U.S."),
    "geo-legal": saying("Unavailable for legal reasons"),
    "geo-abroad": saying("Cette vidéo n'est pas disponible dans votre pays"),
    "subscribe-to-read": make_page(titled("Subscribe to read | Example Times")),
    "paywall-limit": saying("You've reached your limit of free articles. Subscribe now."),
    "paywall-text": saying("To continue reading, take out a subscription."),
    "paywall-abroad": saying("Cet article est réservé aux abonnés"),
    "before-you-continue": make_page(titled("Before you continue to Search")),
    "consent-form": make_page('<form action="https://consent.example/save">'),
    "consent-yahoo": make_page('<form action="//consent.yahoo.com/v2/collectConsent">'),
    "consent-dpg": make_page("<script src=https://myprivacy.dpgmedia.nl/a.js></script>"),
    "cookie-wall": make_page(titled("Cookie consent")),
    "cookie-text": saying("We value your privacy. We use cookies. Accept all or reject all."),
    "cookie-abroad": saying("Wir verarbeiten Daten. Alle akzeptieren"),
    "pay-or-consent": saying("Mit Werbung weiterlesen: Tracking zulassen, oder Abo"),
    "age-gate": make_page(titled("Age verification")),
    "age-text": saying("You must be 18 years or older. Enter / Exit"),
}
WORDINGS: dict[str, Kind] = {
    "Dieses Video ist in deinem Land leider nicht verfügbar": Kind.GEO,
    "Este contenido no está disponible en tu país": Kind.GEO,
    "Este conteúdo não está disponível no seu país": Kind.GEO,
    "Il contenuto non è disponibile nel tuo paese": Kind.GEO,
    "Сервис недоступен в вашей стране": Kind.GEO,
    "お住まいの地域ではご利用いただけません": Kind.GEO,
    "您所在的地区无法访问": Kind.GEO,
    "This website is not currently available at your location": Kind.GEO,
    "Dieser Artikel ist nur für Abonnenten": Kind.PAYWALL,
    "Contenido exclusivo para suscriptores": Kind.PAYWALL,
    "Articolo riservato agli abbonati": Kind.PAYWALL,
    "この記事は有料会員限定です": Kind.PAYWALL,
    "This story is for subscribers only. Already a member?": Kind.PAYWALL,
}
ORDINARY: dict[str, FetchedPage] = {
    "article": make_page(),
    "banner beside the content": make_page(
        '<div class="cookie-consent-wrapper"><div class="banner">Accept?</div>'
        f"<main><h1>Offers</h1>{ARTICLE}</main></div>"
    ),
    "short page with a banner": make_page("<div class=consent>Accept?</div><h1>Offers</h1>"),
    "article about geo-blocking": make_page(f"<p>not available in your country</p>{ARTICLE}"),
    "shipping note": saying("Delivery is available across the country"),
    "choice of country": saying("Welcome. For customers in the United States. Continue to the UK."),
    "newsletter widget": make_page("<h1>Concert</h1><form>Subscribe to our newsletter</form>"),
    "event for members": saying("Open to members and guests. Subscriptions at the door."),
    "event for adults": saying("Wine tasting on Friday. Guests are 18 or over."),
    "cookie recipe": saying("We use butter cookies and accept all kinds of nuts."),
    "privacy policy": make_page(titled("Privacy policy", ARTICLE)),
}


@pytest.mark.parametrize("sign", OWN, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_the_table_agrees(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    verdict = find_wall(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (sign.kind, Reason.AUTHORIZATION_REVIEW)


@pytest.mark.parametrize(("text", "kind"), WORDINGS.items())
def test_a_wall_is_recognised_in_other_words_and_languages(text: str, kind: Kind) -> None:
    verdict = find_wall(saying(text))
    assert verdict is not None
    assert verdict.kind is kind


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_wall(page: FetchedPage) -> None:
    assert find_wall(page) is None


def test_status_451_is_a_matter_of_place() -> None:
    verdict = find_wall(make_page(b"", 451))
    assert verdict is not None
    assert verdict.kind is Kind.GEO
