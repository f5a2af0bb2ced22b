"""Listings that come in parts named by a query parameter, as "load more" buttons ask for them."""

import re
from urllib.parse import parse_qsl, quote, urlsplit

from crawler.contracts.site.collect import PageParameter

NEXT_PART = "pages"
"""Evidence of a link that no page holds: to the part behind this one."""
PAST_LAST_NOTE = "no items: behind the last part"


def is_past_first(url: str, pages: PageParameter) -> bool:
    part = part_of(url, pages)
    return part is not None and part > pages.first


def part_of(url: str, pages: PageParameter) -> int | None:
    """Return which part a listing is; None where the parameter holds no number."""
    value = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True)).get(pages.param)
    if value is None:
        return pages.first
    return int(value) if re.fullmatch(r"[0-9]{1,12}", value, re.ASCII) else None


def next_part(url: str, pages: PageParameter) -> str | None:
    """Return the address of the part behind that of *url*; None behind the last."""
    part = part_of(url, pages)
    if part is None:
        return None
    following = part + pages.step
    if pages.last is not None and following > pages.last:
        return None
    return _with_parameter(url, pages.param, following)


def _with_parameter(url: str, name: str, value: int) -> str:
    """Return *url* with one parameter set in its place, everything else as it stands."""
    head, _, query = url.partition("#")[0].partition("?")
    kept = [part for part in query.split("&") if part]
    setting = f"{quote(name, safe='[]')}={value}"
    is_it = [dict(parse_qsl(part, keep_blank_values=True)).get(name) is not None for part in kept]
    if True not in is_it:
        return f"{head}?{'&'.join((*kept, setting))}"
    kept[is_it.index(True)] = setting
    return f"{head}?{'&'.join(kept)}"
