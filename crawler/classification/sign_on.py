"""Places where one signs on for many sites, known by the software that runs them, as a table."""

from crawler.classification.signature import Sign, with_headline, with_markers, with_text
from crawler.contracts.outcome import Kind

_L = Kind.LOGIN
_NOT_A_PART = (
    r"(?![^.]{0,25}\b(?:prices?|pricing|costs?|rates?|availability|phone|numbers?|contacts?|details|"
    r"e-?mail|address|comments?|repl(?:y|ies)|attachments?|images?|photos?|pictures?|links?|results?)\b)"
)
"""Of a page that says the rest to everybody."""

SIGNS: tuple[Sign, ...] = (
    with_markers("saml-request", "saml", _L, b"samlrequest", b"<form", most_words=60),
    with_markers("saml-response", "saml", _L, b"samlresponse", b"<form", most_words=60),
    with_markers("okta-widget", "okta", _L, b"okta-sign-in", most_words=80),
    with_markers("okta-container", "okta", _L, b"okta-login-container", most_words=80),
    with_markers("auth0-page", "auth0", _L, b"/u/login", b"<form", b"auth0", most_words=80),
    with_markers("auth0-lock", "auth0", _L, b"auth0lock", most_words=40),
    with_markers("keycloak-form", "keycloak", _L, b"kc-form-login", most_words=160),
    with_markers("keycloak-page", "keycloak", _L, b"kc-page-title", most_words=100),
    with_markers("adfs-form", "adfs", _L, b"/adfs/ls", b"<form", most_words=100),
    with_markers("microsoft-sign-in", "microsoft", _L, b"aadcdn.", b"$config", most_words=80),
    with_markers("shibboleth-form", "shibboleth", _L, b"shibboleth.sso", b"<form", most_words=80),
    with_markers(
        "shibboleth-login", "shibboleth", _L, b"j_username", b"j_password", most_words=160
    ),
    with_markers("cas-form", "cas", _L, b'name="execution"', b'type="password"', most_words=160),
    with_headline(
        "account-sign-in", "generic", _L, r"sign in to your( \w+)? account", most_words=40
    ),
    with_headline(
        "choose-institution",
        "generic",
        _L,
        r"(please )?(select|choose|find) (your |an )(institution|organi[sz]ation|university|"
        r"library|identity provider|home organi[sz]ation|school)\b.*|where are you from\?",
        most_words=120,
    ),
    with_text(
        "session-expired",
        "generic",
        _L,
        r"\b(?:your |the )?session (?:has |is |was )?(?:expired|timed out|ended)",
        r"(?:sign|log) ?(?:in|on)\b|re-?authenticate",
        most_words=50,
        hints="session",
    ),
    with_text(
        "must-log-in",
        "generic",
        _L,
        r"you (?:must|need to|have to) (?:be |first )?(?:logged in|log in|sign in|signed in|login)"
        r" (?:first )?(?:to|in order to|before)[^.]{0,20} (?:view|see|access|read|continue|do|"
        rf"perform|use|open|visit|proceed){_NOT_A_PART}|please (?:log|sign) ?in (?:or \w+ )?"
        rf"(?:to|first to) (?:view|see|access|read|continue|proceed){_NOT_A_PART}|"
        r"you are not logged in[^.]{0,60}(?:permission|access|log in)|"
        r"(?:this|the) (?:page|content|area|section|topic|forum) (?:is|requires)[^.]{0,40}"
        r"(?:registered (?:users|members)|logged[- ]in (?:users|members)|(?:log|sign)[- ]?in)|"
        r"(?:log|sign) ?in(?: is)? required(?! to (?:apply|comment|post|bid|book|buy|vote|reply|order))",
        most_words=80,
        hints="log|sign",
    ),
)
"""Each of a page with little to read; makers before wordings."""
