"""Tell a login wall from a page with a login box beside its content."""

import re
from urllib.parse import urlsplit

from crawler.classification.page import FetchedPage, count_words, read_title
from crawler.contracts.outcome import Kind, Reason, Verdict

MOST_WORDS = 250
_PASSWORD = re.compile(rb"""<input\b[^>]{0,2000}\btype\s*=\s*["']?password\b""")
_SIGN_IN = (
    r"(please )?(sign|log)[ -]?(in|on)|login( page)?|member login|account login|"
    r"(authentication|login) required|anmelden|anmeldung|connexion|se connecter|"
    r"iniciar sesi[óo]n|acceso|accedi|entrar|inloggen|logga in|zaloguj(?: si[ęe])?|вход|войти"
)
_SEGMENT = re.compile(rf"({_SIGN_IN})(\s+(to|with|at|bei|sur|to your account)\b.*)?")
_SEPARATOR = re.compile(r"\s+[|·•:»«—–-]+\s+|\s*[|:»—]\s*")  # noqa: RUF001  # title separators
_PATH = re.compile(
    r"/(log-?in|sign-?in|log-?on|sign-?on|sso|authenticate|auth|cas/login)(\.\w{2,5})?(/|$)",
    re.IGNORECASE,
)


def find_login(page: FetchedPage) -> Verdict | None:
    """Return the verdict on a page whose only business is to let a user in, or None."""
    if not page.body:
        return None
    signs = _find_signs(page)
    if len(signs) < 2 or count_words(page.window) > MOST_WORDS:
        return None
    return Verdict(Kind.LOGIN, Reason.AUTHORIZATION_REVIEW, signs)


def _find_signs(page: FetchedPage) -> tuple[str, ...]:
    window = page.window
    title = read_title(window)
    signs = {
        "password field": b"password" in window and _PASSWORD.search(window) is not None,
        "title asks to sign in": any(
            _SEGMENT.fullmatch(part.strip(" .!…")) for part in _SEPARATOR.split(title)
        ),
        "address of a login page": _PATH.search(urlsplit(page.url).path) is not None,
    }
    return tuple(sign for sign, is_seen in signs.items() if is_seen)
