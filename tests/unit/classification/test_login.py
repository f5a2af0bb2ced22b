from time import process_time

import pytest

from crawler.classification.login import find_login, is_sign_in_address
from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason
from tests.unit.classification.builders import ARTICLE, make_page, titled

FORM = '<form action="/login"><input name=u><input type="password" name=p></form>'
LOGIN_URL = "https://example.com/login?next=/docs/1"


def login(title: str, body: str = FORM) -> str:
    return titled(title, body)


WALLS: dict[str, FetchedPage] = {
    "title and password": make_page(login("Sign in")),
    "title with the site's name": make_page(login("Log in | Example")),
    "title with the site's name in front": make_page(login("Example: Log In to Example")),
    "other language": make_page(login("Anmelden - Beispiel")),
    "unquoted attribute": make_page(login("Login", "<input type=password>")),
    "redirected to a login page": make_page(login("Example"), url=LOGIN_URL),
    "user name first": make_page(login("Sign in", "<input type=email>"), url=LOGIN_URL),
    "heading": make_page(login("Example", "<h1>Member login</h1>" + FORM)),
    "name and login": make_page(login("Example Login")),
    "address in the query": make_page(
        login("Example"), url="https://example.com/index.php?app=core&section=login"
    ),
    "account of nobody": make_page(login("Example"), url="https://example.com/user?destination=a"),
    "form far below": make_page(
        login("Sign in", "<script>" + "x" * 99_999 + "</script>" + ARTICLE + FORM), url=LOGIN_URL
    ),
    "big page with every sign": make_page(login("Sign in", FORM + ARTICLE), url=LOGIN_URL),
    "refused with a form": make_page(login("Login required"), status=401),
}
ORDINARY: dict[str, FetchedPage] = {
    "article": make_page(),
    "login box beside the content": make_page(login("Bridge news", FORM + ARTICLE)),
    "login box and a telling title on a full page": make_page(login("Login", FORM + ARTICLE)),
    "short page with a login box": make_page(login("Welcome")),
    "article about signing in": make_page(login("Sign in", "<p>How to sign in.</p>")),
    "newsletter": make_page(login("News", "<form><input type=email></form>")),
    "address that merely contains the word": make_page(
        titled("Blogging in Rome"), url="https://example.com/blogin/1"
    ),
    "text about passwords": make_page(login("Password policy", "<p>type=password</p>")),
    "how-to": make_page(login("How to login", FORM)),
    "page with a login address that says more": make_page(
        login("Login and passwords", FORM + ARTICLE), url=LOGIN_URL
    ),
    "profile": make_page(login("Example", "<h1>Ann</h1>"), url="https://example.com/user"),
    "documentation of a login call": make_page(
        login("login - Example API", ARTICLE), url="https://example.com/docs/login"
    ),
    "empty": make_page(b""),
}


LANGUAGES = [
    "Anmelden", "Connexion", "Connectez-vous", "Iniciar sesión", "Accedi", "Entrar", "Inloggen",
    "Logga in", "Log ind", "Kirjaudu sisään", "Zaloguj się", "Přihlášení", "Bejelentkezés", "Вход",
    "Авторизация", "Увійти", "Giriş yap", "Σύνδεση", "ログイン", "登录", "로그인", "Đăng nhập",
]  # fmt: skip


@pytest.mark.parametrize("title", LANGUAGES)
def test_a_login_page_is_recognised_in_other_languages(title: str) -> None:
    assert find_login(make_page(login(title))) is not None
    assert find_login(make_page(login(title, "<p>text</p>"))) is None


@pytest.mark.parametrize("page", WALLS.values(), ids=WALLS)
def test_a_page_that_only_lets_users_in_is_a_login_wall(page: FetchedPage) -> None:
    verdict = find_login(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.LOGIN, Reason.AUTHORIZATION_REVIEW)
    assert len(verdict.evidence) >= 2


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_login_wall(page: FetchedPage) -> None:
    assert find_login(page) is None


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/login", True),
        ("/en/sign-in/?next=/minutes", True),
        ("/wp-login.php", True),
        ("/users/sign_in", True),
        ("/accounts/login/?next=/", True),
        ("/design-in-practice", False),
        ("/signs", False),
        ("/logins", False),
        ("/login/form", True),
        ("/signin/identifier", True),
        ("/oauth2/authorize?client_id=1", True),
        ("/realms/x/protocol/openid-connect/auth", True),
        ("/adfs/ls/?wa=wsignin1.0", True),
        ("/index.php?action=login", True),
        ("/account", False),
        ("/my-account/", False),
        ("/docs/auth/tokens", False),
        ("/authors", False),
        ("/blog/how-to-log-in-safely", False),
        ("/catalogue?q=login", False),
        ("/", False),
    ],
)
def test_an_address_to_sign_in_on_is_not_one_with_content(address: str, expected: bool) -> None:
    assert is_sign_in_address(f"https://garden.example{address}") is expected


@pytest.mark.parametrize("filling", ["-", "- ", "a-", "a ", "log ", "sign in "])
def test_a_title_of_any_kind_is_judged_in_time(filling: str) -> None:
    title = f"x{filling * 400}"[:399] + "x"
    page = FetchedPage(
        "https://a.example/", body=f"<title>{title}</title><input type=password>".encode()
    )
    started = process_time()

    found = find_login(page)

    assert found is None
    assert process_time() - started < 0.5
