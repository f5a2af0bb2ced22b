"""URLs without the parts that make no other page: campaign marks and session ids."""

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

_PATH_SESSION = re.compile(
    r";jsessionid=[^/?#;]*|/\([A-Z]\([A-Za-z0-9]{24}\)\)(?=/)", re.IGNORECASE
)
"""Java's and ASP.NET's, which stand in the path."""


def without_parameters(url: str, ignored: Sequence[str]) -> str:
    """Return *url* without the query parameters named; a ``*`` ends a name that is a prefix.

    Names are compared without regard to case. Session ids in the path go with ``jsessionid``.
    """
    if not ignored:
        return url
    head, mark, query = url.partition("?")
    if "jsessionid" in ignored:
        head = _PATH_SESSION.sub("", head)
    if not mark:
        return head
    names, prefixes = _split_names(tuple(ignored))
    kept = [part for part in query.split("&") if not _is_ignored(part, names, prefixes)]
    return f"{head}?{'&'.join(kept)}" if kept else head


def _is_ignored(part: str, names: frozenset[str], prefixes: tuple[str, ...]) -> bool:
    name = unquote(part.partition("=")[0]).lower()
    return name in names or (bool(prefixes) and name.startswith(prefixes))


@lru_cache(maxsize=64)
def _split_names(ignored: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    lower = [name.lower() for name in ignored]
    names = frozenset(name for name in lower if not name.endswith("*"))
    return names, tuple(name[:-1] for name in lower if name.endswith("*"))
