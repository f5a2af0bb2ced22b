import pytest

from crawler.classification.login import find_login
from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason
from tests.unit.classification.builders import ARTICLE, make_page

FORM = '<form action="/login"><input name=u><input type="password" name=p></form>'
LOGIN_URL = "https://example.com/login?next=/docs/1"


def titled(title: str, body: str = FORM) -> str:
    return f"<title>{title}</title>{body}"


WALLS: dict[str, FetchedPage] = {
    "title and password": make_page(titled("Sign in")),
    "title with the site's name": make_page(titled("Log in | Example")),
    "title with the site's name in front": make_page(titled("Example: Log In to Example")),
    "other language": make_page(titled("Anmelden - Beispiel")),
    "unquoted attribute": make_page(titled("Login", "<input type=password>")),
    "redirected to a login page": make_page(titled("Example"), url=LOGIN_URL),
    "user name first": make_page(titled("Sign in", "<input type=email>"), url=LOGIN_URL),
    "refused with a form": make_page(titled("Login required"), status=401),
}
ORDINARY: dict[str, FetchedPage] = {
    "article": make_page(),
    "login box beside the content": make_page(titled("Bridge news", FORM + ARTICLE)),
    "login box and a telling title on a full page": make_page(titled("Login", FORM + ARTICLE)),
    "short page with a login box": make_page(titled("Welcome")),
    "article about signing in": make_page(titled("Sign in", "<p>How to sign in.</p>")),
    "newsletter": make_page(titled("News", "<form><input type=email></form>")),
    "address that merely contains the word": make_page(
        titled("Blogging in Rome"), url="https://example.com/blogin/1"
    ),
    "text about passwords": make_page(titled("Password policy", "<p>type=password</p>")),
    "empty": make_page(b""),
}


@pytest.mark.parametrize("page", WALLS.values(), ids=WALLS)
def test_a_page_that_only_lets_users_in_is_a_login_wall(page: FetchedPage) -> None:
    verdict = find_login(page)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.LOGIN, Reason.AUTHORIZATION_REVIEW)
    assert len(verdict.evidence) >= 2


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_login_wall(page: FetchedPage) -> None:
    assert find_login(page) is None
