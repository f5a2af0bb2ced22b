"""Credentials in URLs, made unreadable wherever a URL is shown."""

import re
from hashlib import sha256

NAMES = (
    "access_token",
    "api_key",
    "apikey",
    "auth",
    "auth_token",
    "client_secret",
    "jwt",
    "key",
    "passwd",
    "password",
    "pwd",
    "secret",
    "session",
    "session_id",
    "sessionid",
    "sid",
    "sig",
    "signature",
    "token",
    "x-amz-credential",
    "x-amz-security-token",
    "x-amz-signature",
)
"""Query parameters that commonly carry one, in lower case."""

_PARAMETER = re.compile(
    rf"(?P<name>[?&;](?:{'|'.join(map(re.escape, NAMES))})=)(?!\*\*\*)(?P<value>[^&#;\s\"'<>\\]+)",
    re.IGNORECASE,
)
_USERINFO = re.compile(
    r"(?P<name>[a-z][a-z0-9+.-]*://)(?!\*\*\*)(?P<value>[^/?#@\s\"'<>\\]+)(?=@)", re.IGNORECASE
)

_SET_COOKIE_VALUE = re.compile(r"\A([^=;]*=)?[^;]*")


def mask_secrets(text: str) -> str:
    """Replace credentials by ``***`` and eight hex digits of their SHA-256.

    Two different values stay different, so that a masked URL still names its page. What is masked
    already stays as it is.
    """
    if "=" in text:
        text = _PARAMETER.sub(_mask, text)
    return _USERINFO.sub(_mask, text) if "@" in text else text


def mask_set_cookies(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return response headers in which a cookie shows its name and attributes, and no value."""
    return tuple(
        (
            name,
            _SET_COOKIE_VALUE.sub(r"\1***", value, count=1)
            if name.lower() == "set-cookie"
            else value,
        )
        for name, value in headers
    )


def _mask(found: re.Match[str]) -> str:
    return f"{found['name']}***{sha256(found['value'].encode('utf-8', 'replace')).hexdigest()[:8]}"
