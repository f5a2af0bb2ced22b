"""What the addresses of many pages have in common: numbers, ids and values taken out."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

_ID = re.compile(
    r"(?=[^/]*[0-9])(?:[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-z_-]{20,})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[0-9]+")


def shape_of(url: str) -> str:
    """Return ``https://garden.example/events/<int>/?day&month`` for every day and month of events.

    A segment of a path that is an id, such as a session's, is ``<id>``; words stay what they are.
    """
    parts = urlsplit(url)
    path = "/".join(map(_shape_segment, parts.path.split("/")))
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    query = f"?{'&'.join(names)}" if names else ""
    return f"{parts.scheme}://{parts.netloc}{path}{query}"


def _shape_segment(segment: str) -> str:
    plain = unquote(segment)
    return "<id>" if _ID.fullmatch(plain) else _NUMBER.sub("<int>", plain)
