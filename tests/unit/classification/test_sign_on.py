import pytest

from crawler.classification.login import find_login
from crawler.classification.page import FetchedPage
from crawler.classification.sign_on import SIGNS
from crawler.classification.signature import Sign, find_sign
from crawler.classification.verdict import vendor_of
from crawler.contracts.outcome import Kind
from tests.unit.classification.builders import ARTICLE, make_page, titled

USER = "<input name=j_username><input name=j_password type=password>"
CASES: dict[str, FetchedPage] = {
    "saml-request": make_page(
        "<form action=/sso><input type=hidden name=SAMLRequest value=P></form>"
    ),
    "saml-response": make_page("<form><input type=hidden name=SAMLResponse value=P></form>"),
    "okta-widget": make_page("<script src=/okta-sign-in.min.js></script>"),
    "okta-container": make_page("<div id=okta-login-container></div>"),
    "auth0-page": make_page(
        "<form action=/u/login?state=x></form><script src=//cdn.auth0.com/a.js>"
    ),
    "auth0-lock": make_page("<script>new Auth0Lock('x')</script>"),
    "keycloak-form": make_page("<form id=kc-form-login></form>"),
    "keycloak-page": make_page("<h1 id=kc-page-title>Willkommen</h1>"),
    "adfs-form": make_page("<form action=/adfs/ls/?x><input></form>"),
    "microsoft-sign-in": make_page(
        "<script src=//aadcdn.msauth.net/a.js></script><script>$Config={}"
    ),
    "account-sign-in": make_page(titled("Sign in to your account", "")),
    "shibboleth-form": make_page("<form action=/Shibboleth.sso/SAML2/POST></form>"),
    "shibboleth-login": make_page(f"<form>{USER}</form>"),
    "cas-form": make_page(
        '<form><input type="password"><input name="execution" value="e1"></form>'
    ),
    "choose-institution": make_page(titled("Select your institution")),
    "session-expired": make_page("<p>Your session has expired. Please sign in again."),
    "must-log-in": make_page("<p>You must be logged in to view this content."),
}
ORDINARY: dict[str, FetchedPage] = {
    "how to set it up": make_page(titled("Keycloak", f"<p>Put kc-form-login</p>{ARTICLE}")),
    "article with comments": make_page(
        titled("Gate repaired", f"{ARTICLE}<p>You must be logged in to post a comment.</p>")
    ),
    "short article with comments": make_page(
        titled("Gate repaired", "<p>On Tuesday.</p><p>You must be logged in to post a comment.</p>")
    ),
    "a shop that names prices to dealers": make_page(
        titled("Blue lamp", "<p>A lamp in blue. Please log in to see prices.</p>")
    ),
    "a job": make_page(titled("Gardener", "<p>Full time. Login required to apply.</p>")),
    "a forum": make_page(
        titled("Gates", "<p>See the plan.</p><p>You must be logged in to view attachments.</p>")
    ),
    "a session of a conference": make_page(
        titled("Session 4", "<p>The session has ended at noon.")
    ),
    "institutions": make_page(titled("Institutions", "<p>Select courses of your university.")),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_the_table_agrees(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    verdict = find_login(page)
    assert verdict is not None
    assert verdict.kind is Kind.LOGIN


def test_the_software_is_named() -> None:
    verdict = find_login(CASES["keycloak-form"])
    assert verdict is not None
    assert vendor_of(verdict) == "keycloak"


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_login(page: FetchedPage) -> None:
    assert find_login(page) is None
