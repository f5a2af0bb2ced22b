"""Families of wordings: what sites say in these places, beyond the first example of each row."""
# ruff: noqa: RUF001 - letters of other alphabets are meant

import pytest

from crawler.classification.verdict import judge_snapshot
from crawler.contracts.outcome import Kind
from tests.unit.classification.builders import ARTICLE, make_page, snapshot_of, titled

SOFT_404_HEADINGS = [
    "The page you requested was not found",
    "Sorry, we can't find the page you're looking for",
    "Oops! Page not found",
    "404: Page Not Found",
    "404 - File or directory not found.",
    "The resource cannot be found.",
    "HTTP Error 404",
    "We're sorry, the page you requested cannot be found",
    "Page Not Available",
    "Not Found (#404)",
    "404 | Not found",
    "The page cannot be displayed",
    "This page isn't available",
    "Sorry, this page isn't available.",
    "The page you're looking for doesn't exist.",
    "No such page",
    "File not found",
    "Object not found!",
    "We couldn't find what you're looking for",
    "Oops! We can't find that page.",
    "Page Not Found (404) - Example",
    "Whoops, that page is gone.",
    "The page you are looking for might have been removed",
    "Sorry! The page you were looking for could not be found.",
    "Seite existiert nicht",
    "Fehler 404",
    "Erreur 404 - Page introuvable",
    "Error 404: página no encontrada",
    "This listing is no longer available",
    "The job you are looking for is no longer available",
    "Sorry, that page does not exist",
    "Invalid URL",
    "Error 404 (Not Found)!!1",
    "Oops, looks like the page is lost.",
    "Ошибка 404",
    "404エラー",
    "페이지를 찾을 수 없습니다.",
    "We can't seem to find the page you're looking for.",
    "Uh oh! That page doesn't exist",
    "Whoops! We could not find the page you were looking for",
]
MAINTENANCE_HEADINGS = [
    "We'll be back",
    "Site Offline",
    "Down for maintenance",
    "Maintenance",
    "Scheduled downtime",
    "Website temporarily unavailable",
    "We are down for maintenance",
    "Sorry, we are down for scheduled maintenance right now",
    "Site en maintenance",
    "Página en mantenimiento",
    "Sitio en mantenimiento",
    "Sito in manutenzione",
    "Site em manutenção",
    "Briefly unavailable for scheduled maintenance. Check back in a minute.",
]
MAINTENANCE_TEXTS = [
    "Our site is currently undergoing scheduled maintenance. We should be back shortly.",
    "The system is being upgraded. Please try again later.",
    "Online banking is unavailable at the moment due to planned maintenance.",
    "We're performing some maintenance at the moment.",
    "Nous effectuons une maintenance du site. Merci de revenir plus tard.",
    "Briefly unavailable for scheduled maintenance. Check back in a minute.",
]
GEO_HEADINGS = [
    "Access denied for your country",
]
GEO_TEXTS = [
    "This site is not available in your country.",
    "We're sorry, this site is currently unavailable in your region",
    (
        "Our European visitors are important to us. This site is currently unavailable to "
        "visitors from the European Economic Area while we work to ensure your data is "
        "protected in accordance with applicable EU laws."
    ),
    (
        "451: Unavailable due to legal reasons. We recognize you are attempting to access "
        "this website from a country belonging to the European Economic Area (EEA) "
        "including the EU which enforces the General Data Protection Regulation (GDPR) "
        "and therefore access cannot be granted at this time."
    ),
    "Hulu isn't available outside the United States",
    "We are currently not able to serve customers outside of the U.S.",
    "Service not available in your territory",
    "Sorry, this content is not available in your location due to licensing restrictions",
    "The content you requested is not available in your country for copyright reasons",
    (
        "It appears you are accessing this site from outside the United States. This "
        "website is only available to users in the United States."
    ),
    "We have detected that you are visiting from a country where our services are not available",
    "Diese Seite ist in Ihrer Region nicht verfügbar.",
    "Sorry, our site is not accessible from your location",
    "Unfortunately, our website is currently unavailable in most European countries.",
    "This video is geo-restricted",
    "Your country is not supported",
]
ERROR_PAGE_HEADINGS = [
    "Application error: a client-side exception has occurred",
    "We're sorry, but something went wrong.",
    "HTTP Status 500 – Internal Server Error",
    "Server Error in '/' Application.",
    "An error occurred while processing your request",
    "Application Error",
    "Technical difficulties",
    "Unexpected Error",
    "Internal Server Error",
    "Error 500",
    "Sorry, there was a problem.",
    "Sorry, we're experiencing technical difficulties",
    "502 Bad Gateway",
    "Proxy Error",
    "HTTP Error 503. The service is unavailable.",
    "Runtime Error",
    "Oops! An Error Occurred",
    "Hoppla, da ist etwas schiefgelaufen",
    "Interner Serverfehler",
    "Erreur interne du serveur",
    "Error interno del servidor",
]
ERROR_PAGE_TEXTS = [
    "The website encountered an unexpected error. Please try again later.",
    "There has been a critical error on this website. Learn more about troubleshooting WordPress.",
    "upstream connect error or disconnect/reset before headers",
    "no healthy upstream",
    "Service Temporarily Unavailable",
]
REFUSED_HEADINGS = [
    "403 Forbidden",
    "403 - Forbidden: Access is denied.",
    "Access Denied - GoDaddy Website Firewall",
    "Forbidden",
    "Zugriff gesperrt",
    "Accès refusé",
    "Доступ запрещен",
    "You have been temporarily blocked",
]
REFUSED_TEXTS = [
    "Sorry, you are not allowed to access this page.",
    "Access to this resource on the server is denied!",
    "You don't have permission to access this resource.",
    "Request forbidden by administrative rules.",
    "This request was blocked by the security rules",
    "The owner of this website has banned your access based on your browser's signature",
    "Your access has been blocked by website administrator. Reference ID 5",
    "Your IP has been flagged for suspicious activity",
    "Your browser has been blocked",
    "We have detected unusual traffic from your IP. Access is temporarily denied.",
    "Web Page Blocked! The page cannot be displayed. Please contact the administrator. Event ID: 5",
    "Bots are not allowed.",
    "You've been blocked from accessing this site because of unusual activity",
    "You are not authorized to view this page",
    "Automated access to this site is prohibited",
    "Your connection has been limited because of too many requests",
]
CHECKED_HEADINGS = [
    "Nur einen Moment…",
    "Un instant…",
    "Un momento…",
    "Performing security verification",
    "Let's confirm you are human",
    "Robot Check",
    "Challenge Validation",
    "Verify to continue",
    "Ich bin kein Roboter",
    "Vérification de sécurité",
    "Sicherheitsüberprüfung",
    "Проверка безопасности",
    "人机验证",
    "Checking your Browser…",
    "Security Verification",
]
CHECKED_TEXTS = [
    "Please wait while your request is being verified",
    "Verifying you are human. This may take a few seconds.",
    "Um fortzufahren, bestätigen Sie bitte, dass Sie ein Mensch sind",
    "Veuillez confirmer que vous êtes un humain",
    "Before we continue... Press & Hold to confirm you are a human (and not a bot).",
    "Establishing a secure connection",
    "请拖动滑块完成验证",
    "Enter the code shown in the image to continue",
    "Please enable JavaScript and cookies to continue",
    "Click the button below to continue: I am human",
    "To continue, please type the characters below:",
    "Please slide to verify",
    "DDoS protection by Cloudflare",
]
CONSENT_HEADINGS = [
    "Before you continue to YouTube",
    "Age Verification",
]
CONSENT_TEXTS = [
    "Om deze site te gebruiken moet u cookies accepteren. Accepteer cookies",
]
PAYWALL_HEADINGS = [
    "Subscribe to continue reading",
    "This content is for members only",
]
PAYWALL_TEXTS = [
    "You've read your last free article. Subscribe to continue.",
    "This article is for subscribers only",
    "Dieser Artikel ist exklusiv für Abonnenten. Jetzt weiterlesen mit SZ Plus",
    "Article réservé aux abonnés. Il vous reste 80 % de cet article à lire.",
    "Become a member to read this story, and all of Medium. Already have an account? Sign in",
]
HEADINGS = [
    *((text, {Kind.SOFT_404}) for text in SOFT_404_HEADINGS),
    *((text, {Kind.MAINTENANCE}) for text in MAINTENANCE_HEADINGS),
    *((text, {Kind.GEO}) for text in GEO_HEADINGS),
    *((text, {Kind.ERROR_PAGE}) for text in ERROR_PAGE_HEADINGS),
    *((text, {Kind.BLOCK, Kind.DENIED}) for text in REFUSED_HEADINGS),
    *((text, {Kind.CHALLENGE, Kind.CAPTCHA}) for text in CHECKED_HEADINGS),
    *((text, {Kind.CONSENT}) for text in CONSENT_HEADINGS),
    *((text, {Kind.PAYWALL}) for text in PAYWALL_HEADINGS),
]
TEXTS = [
    *((text, {Kind.MAINTENANCE}) for text in MAINTENANCE_TEXTS),
    *((text, {Kind.GEO}) for text in GEO_TEXTS),
    *((text, {Kind.ERROR_PAGE}) for text in ERROR_PAGE_TEXTS),
    *((text, {Kind.BLOCK, Kind.DENIED}) for text in REFUSED_TEXTS),
    *((text, {Kind.CHALLENGE, Kind.CAPTCHA}) for text in CHECKED_TEXTS),
    *((text, {Kind.CONSENT}) for text in CONSENT_TEXTS),
    *((text, {Kind.PAYWALL}) for text in PAYWALL_TEXTS),
]


@pytest.mark.parametrize(("text", "kinds"), HEADINGS, ids=[text for text, _ in HEADINGS])
def test_a_heading_names_the_kind(text: str, kinds: set[Kind]) -> None:
    page = make_page(titled("Example", f"<h1>{text}</h1>"))
    assert judge_snapshot(snapshot_of(page)).kind in kinds


@pytest.mark.parametrize(("text", "kinds"), TEXTS, ids=[text for text, _ in TEXTS])
def test_a_sentence_names_the_kind(text: str, kinds: set[Kind]) -> None:
    page = make_page(titled("Example", f"<p>{text}</p>"))
    assert judge_snapshot(snapshot_of(page)).kind in kinds


@pytest.mark.parametrize("text", [text for text, _ in (*HEADINGS, *TEXTS)])
def test_an_article_that_quotes_it_is_eligible(text: str) -> None:
    page = make_page(titled("Example", f"<h2>On notices</h2><p>It said: {text}</p>{ARTICLE}"))
    assert judge_snapshot(snapshot_of(page)).is_eligible
