import pytest

from crawler.classification.challenge import find_challenge
from crawler.classification.page import FetchedPage
from crawler.classification.refusal_sign import SIGNS
from crawler.classification.signature import Sign, find_sign
from crawler.classification.verdict import judge_response
from crawler.contracts.outcome import Kind
from tests.unit.classification.builders import ARTICLE, make_page, titled


def saying(text: str, status: int = 200) -> FetchedPage:
    return make_page(f"<html><body><p>{text}</p></body></html>", status)


CASES: dict[str, FetchedPage] = {
    "country-refused": make_page(
        titled("Access denied", "<p>Access from your country is not allowed.</p>"), 403
    ),
    "security-captcha": make_page(titled("Security check", "<p>Drag the slider to fit.</p>")),
    "permission-denied": make_page(
        titled("Access denied | Site", "<p>You are not authorized to access this page.</p>"), 403
    ),
    "proxy-words": saying("VPN or proxy detected. Please turn off your VPN."),
    "ad-blocker-words": saying("Please disable your ad blocker to continue."),
    "cookie-reload": make_page(
        "<div>Please wait</div><script>document.cookie='a=b';location.reload()</script>"
    ),
    "cookie-refresh": make_page(
        '<meta http-equiv="refresh" content="1"><div>Wait</div><script>document.cookie=1</script>'
    ),
    "checking-browser": make_page(titled("Checking your browser before accessing example.com")),
    "wait-seconds": make_page(titled("Loading... Please wait 5 seconds")),
    "security-check": make_page(titled("Security Check")),
    "client-challenge": make_page(titled("Client Challenge", "")),
    "being-redirected": make_page(titled("You are being redirected...", "")),
    "human-check": make_page(titled("Please verify you are human")),
    "human-verification": make_page(titled("Human Verification")),
    "captcha": make_page(titled("Captcha")),
    "robot-question": make_page(titled("Are you a robot?")),
    "you-are-blocked": make_page(titled("Sorry, you have been blocked")),
    "automated-request": make_page("<h1>Automated request detected</h1><p>Dear user</p>"),
    "security-block": make_page("<h1>Possible security risk detected</h1>"),
    "bot-protection": make_page("<h1>Bot Protection Firewall</h1>"),
    "access-denied": make_page("<html><body><h1>Access Denied</h1></body></html>"),
    "denied-abroad": make_page(titled("Zugriff verweigert", "<p>Fehler</p>")),
    "captcha-words": saying("Type the characters you see in this image"),
    "browser-words": saying("This process is automatic. Your browser will redirect to your "
                            "requested content shortly."),
    "traffic-words": saying("We detected unusual activity from your network and limited it"),
    "you-words": saying("You have been temporarily banned. Contact the site owner."),
    "you-words-alone": saying("You have been blocked."),
    "request-words": saying("Your IP address 192.0.2.1 was blocked because of an incident"),
    "has-blocked-words": saying("The administrator has blocked your IP from this website"),
    "request-security": saying("For security reasons your request, no. 5, was refused"),
    "blocked-words": saying("IP blocked. Blocked spider access!"),
    "misuse-words": saying("Error blocked for possible abuse"),
    "robot-words": saying("Bitte bestätigen Sie, dass Sie kein Roboter sind: captcha"),
    "human-words": saying("Show us your human side"),
    "request-words-alone": saying("Your browser has been blocked"),
    "bots-words": saying("Bots are not allowed."),
    "limit-words": saying("Too many requests in a given amount of time"),
    "scraper-words": saying("You are trying to extract information from this website. Abort."),
    "abroad-words": saying("Acceso denegado por seguridad"),
    "source-words": saying("Sorry, you come through an unauthorised source"),
    "cookie-script": make_page("<script>document.cookie='a=b';location.reload()</script>"),
    "robot-refusal": make_page("<button title='not a robot'></button>", 403),
    "blocked-by-security": make_page("<i data-x='blocked by security'></i>", 403),
}  # fmt: skip
WORDINGS: dict[str, Kind] = {
    "Checking if the site connection is secure": Kind.CHALLENGE,
    "Verifying your browser before you go on": Kind.CHALLENGE,
    "Vérification de votre navigateur en cours": Kind.CHALLENGE,
    "Überprüfung Ihres Browsers": Kind.CHALLENGE,
    "Comprobando su navegador": Kind.CHALLENGE,
    "Verificando seu navegador": Kind.CHALLENGE,
    "Проверка браузера": Kind.CHALLENGE,
    "正在检查您的浏览器": Kind.CHALLENGE,
    "Please confirm that you are not a robot": Kind.CAPTCHA,
    "Prouvez que vous n'êtes pas un robot: captcha": Kind.CAPTCHA,
    "Confirme que no eres un robot": Kind.CAPTCHA,
    "Confirme que não é um robô": Kind.CAPTCHA,
    "Conferma che non sei un robot": Kind.CAPTCHA,
    "Подтвердите, что вы не робот captcha": Kind.CAPTCHA,
    "Potwierdź, że nie jesteś robotem": Kind.CAPTCHA,
    "Je potrebné potvrdiť, že nie ste robot": Kind.CAPTCHA,
    "请完成验证 不是机器人": Kind.CAPTCHA,
    "Solve the puzzle to continue": Kind.CAPTCHA,
    "Your request was blocked due to suspicious behavior": Kind.BLOCK,
    "Access from your IP address has been temporarily restricted": Kind.BLOCK,
    "This request has been refused due to undesirable activity": Kind.BLOCK,
    "Your IP has been banned by our system. Security": Kind.BLOCK,
    "You are accessing example.com too much": Kind.BLOCK,
    "Sie wurden durch das Sicherheitssystem der Website blockiert": Kind.BLOCK,
    "Accès interdit: cette requête a été bloquée par sécurité": Kind.BLOCK,
    "Acesso bloqueado por segurança": Kind.BLOCK,
    "Accesso negato per motivi di sicurezza": Kind.BLOCK,
    "Toegang geweigerd (403)": Kind.BLOCK,
    "Доступ к сайту запрещён: ip": Kind.BLOCK,
    "Odmowa dostępu 403": Kind.BLOCK,
    "您的请求已被拦截 request id 5": Kind.BLOCK,
    "セキュリティ上の理由でアクセスが制限": Kind.BLOCK,
    "접근이 차단되었습니다 보안": Kind.BLOCK,
}
"""Other ways to say the same, in other languages: a family is more than its first example."""
ORDINARY: dict[str, FetchedPage] = {
    "article": make_page(),
    "article about captchas": make_page(
        titled("Why captchas fail", "verify you are human, solve the captcha" + ARTICLE)
    ),
    "article titled like a challenge": make_page(titled("Just a moment...", ARTICLE)),
    "article titled Access Denied": make_page(titled("Access Denied", ARTICLE)),
    "news of a refusal": saying("The request was denied by the judge on Monday."),
    "news of a blocked road": saying("The road has been blocked by fallen trees since noon."),
    "news of a ban": saying("Smoking has been banned in the park, the council said."),
    "news of robots": saying("The waiter is a robot. Visitors check it out every day."),
    "safety notice": saying("Please check your tickets. Bags may be checked at the door."),
    "listing with little text": make_page(titled("Jobs", "<ul><li>Gardener<li>Baker</ul>")),
    "contact form with a question": make_page(
        "<h1>Contact</h1><form>3 + 0 = ? Please prove that you are human <textarea></textarea>"
    ),
    "guest book": make_page("<p>Enter the characters below</p><textarea></textarea>"),
    "product named captcha": make_page(titled("Captcha Records: releases", "<p>Vinyl</p>")),
    "film named Blocked": make_page(titled("Blocked (film)", "<p>A film of 2019.</p>")),
    "short title with a common word": make_page(titled("Security", "<p>Short</p>")),
    "page that sets a cookie": make_page(
        "<script>document.cookie='a=b'</script><div id=root></div><script src=app.js></script>"
    ),
    "page that sets a cookie and can be loaded again": make_page(
        "<link rel=stylesheet href=a.css><p>Menu</p><script>document.cookie='a=b';"
        "function again() { location.reload() }</script>"
    ),
    "advice on proxies": make_page(
        titled("Proxies", "<p>A proxy is not allowed to change a page.</p>" + ARTICLE)
    ),
    "right of a country": saying("Imports from this country are taxed, the ministry said."),
    "press and hold a button": saying("Press and hold the dough for ten seconds."),
    "plain refusal": make_page("<h1>Forbidden</h1>", 403),
    "plain error": make_page("<h1>Internal Server Error</h1>", 500),
    "empty refusal": make_page(b"", 403),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_the_table_agrees(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    verdict = find_challenge(page)
    assert verdict is not None
    assert verdict.kind is sign.kind


@pytest.mark.parametrize(("text", "kind"), WORDINGS.items())
@pytest.mark.parametrize("status", [200, 403])
def test_a_wording_is_recognised_in_other_words_and_languages(
    text: str, kind: Kind, status: int
) -> None:
    assert judge_response(saying(text, status)).kind is kind


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_challenge(page: FetchedPage) -> None:
    assert find_challenge(page) is None
