"""Parts of a URL that differ from one visit to the next and name nothing."""

import re

from pydantic import JsonValue

_ADDRESS = re.compile(r"https?://[^\s]+", re.IGNORECASE)
_LINK = re.compile(r"(?<=\]\()https?://[^\s()]+(?=\))", re.IGNORECASE)
"""The target of a link in Markdown."""
_SESSION_PATH = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_NAMES = (
    r"x-(?:amz|goog)-[\w-]+|awsaccesskeyid|googleaccessid|key-pair-id|policy|signature|sig|expires"
    r"|hdnea|hdnts|phpsessid|jsessionid|sessionid|aspsessionid\w*|utm_\w+|fbclid|gclid|_"
    r"|cb|cachebuster|cache_buster|nocache|timestamp|ts"
)
_PARAMETER = re.compile(rf"(?<=[?&])(?:{_NAMES})=[^&#]*(?:&|(?=#)|$)", re.IGNORECASE)


def strip_tokens(value: JsonValue) -> JsonValue:
    """Return a value whose addresses and links lack signatures, expiry, sessions and cache busters.

    ``v=2`` stays: sites count it up when the picture behind it changes.
    """
    if isinstance(value, str):
        if "://" not in value:
            return value
        is_address = _ADDRESS.fullmatch(value) is not None
        return _strip(value) if is_address else _LINK.sub(lambda link: _strip(link[0]), value)
    if isinstance(value, list):
        return [strip_tokens(entry) for entry in value]
    return value


def _strip(url: str) -> str:
    bare = _PARAMETER.sub("", _SESSION_PATH.sub("", url))
    return bare if bare == url else re.sub(r"[?&]+(?=#|$)", "", bare)
