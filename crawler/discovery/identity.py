"""What tells the items of a listing from each other, and from those of another listing."""

import re
from collections.abc import Sequence

from crawler.document.parameters import without_parameters

_PIECE = re.compile(r"[^/?&;#]+")
_TOKEN = re.compile(
    r"(?:[^=]*=)?(?:(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])[0-9a-z]{16,}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
    re.IGNORECASE,
)


def name_items(urls: Sequence[str], ignored: Sequence[str]) -> list[str]:
    """Return the addresses of items without what is ignored, and without the listing's session.

    A session is a token that stands in the addresses of all items, be it in path or query, and says
    of none which one it is. Where nothing else tells them apart, it stays.
    """
    bare = [without_parameters(url, ignored) for url in urls]
    tokens = _find_shared_tokens(bare)
    if not tokens:
        return bare
    named = [_PIECE.sub(lambda piece: "" if piece[0] in tokens else piece[0], url) for url in bare]
    return named if len(set(named)) == len(set(bare)) else bare


def _find_shared_tokens(urls: Sequence[str]) -> frozenset[str]:
    if len(set(urls)) < 2:
        return frozenset()
    first, *others = (set(_PIECE.findall(url)) for url in urls)
    shared = first.intersection(*others)
    return frozenset(piece for piece in shared if _TOKEN.fullmatch(piece))
