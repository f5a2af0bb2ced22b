"""Whether two URL patterns can fit one URL. In doubt they can: parameters are not looked at."""

import re

from crawler.document.url_pattern import UrlPattern, read_pattern

_HEAD = re.compile(r"[^*<]*")
_TAIL = re.compile(r"[^*>]*\Z")
_Segment = tuple[str, re.Pattern[str] | None]


def may_fit_one_url(one: str, other: str) -> bool:
    """Raises BadPatternError."""
    return any(_may_meet(a, b) for a in read_pattern(one) for b in read_pattern(other))


def _may_meet(one: UrlPattern, other: UrlPattern) -> bool:
    are_apart = one.origin and other.origin and one.origin != other.origin
    return not are_apart and _may_share_path(one, other)


def _may_share_path(one: UrlPattern, other: UrlPattern) -> bool:
    """Fill a table from the ends: whether what is left of both from here on can be the same."""
    mine, theirs = (tuple(zip(each.globs, each.segments, strict=True)) for each in (one, other))
    below = [False] * (len(theirs) + 1)
    for at in range(len(mine), -1, -1):
        row = [False] * (len(theirs) + 1)
        for here in range(len(theirs), -1, -1):
            a, b = mine[at : at + 1], theirs[here : here + 1]
            if not a and not b:
                row[here] = True
            elif a and a[0][1] is None:
                row[here] = below[here] or (bool(b) and row[here + 1])
            elif b and b[0][1] is None:
                row[here] = row[here + 1] or (bool(a) and below[here])
            else:
                row[here] = bool(a and b) and below[here + 1] and _may_share(a[0], b[0])
        below = row
    return below[0]


def _may_share(one: _Segment, other: _Segment) -> bool:
    for (glob, _), (_, fixed) in ((one, other), (other, one)):
        if fixed is not None and _HEAD.fullmatch(glob):
            return bool(fixed.fullmatch(glob))
    heads, tails = _ends(_HEAD, one[0], other[0]), _ends(_TAIL, one[0], other[0])
    return heads[1].startswith(heads[0]) and tails[1].endswith(tails[0])


def _ends(which: re.Pattern[str], one: str, other: str) -> list[str]:
    """Return what stands before or after anything open, shortest first."""
    found = (which.search(each) for each in (one, other))
    return sorted((each[0] if each else "" for each in found), key=len)
