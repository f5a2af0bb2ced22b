"""Links from the entries of a feed, calendar or response to their pages, and to what follows."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qsl, quote_plus, unquote_plus, urldefrag, urlsplit, urlunsplit

from crawler.contracts.page import Link
from crawler.contracts.site.collect import ApiSource, CalendarSource, Collect, FeedSource
from crawler.contracts.snapshot import PageKind, Representation
from crawler.discovery.links import MAX_LINKS, MAX_URL
from crawler.discovery.pagination import parse_count
from crawler.document.data import Data, Entry
from crawler.document.jsonpath import JsonNode, select
from crawler.document.url import resolve_url

MAX_TOKEN = 1_000


def find_entry_links(data: Data, collect: Collect, url: str) -> tuple[Link, ...]:
    """Return where the entries of *url* lead, and the next part of the collection behind them.

    Raises BadPathError.
    """
    found: dict[str, Link] = {}
    source = collect.data_source
    if source is not None and source.gives == "pages":
        for link in _page_links(data, source):
            if len(found) < MAX_LINKS:
                found.setdefault(link.url, link)
    following = _next_link(data, collect, url)
    if following is not None and following.url != url:
        found.setdefault(following.url, following)
    return tuple(found.values())


def count_expected(data: Data, collect: Collect) -> int | None:
    """Return how many rows a response says there are, on all of its pages together."""
    if collect.api is None or collect.api.total is None:
        return None
    found = [match.value for match in select(collect.api.total, _root(data))]
    if len(found) != 1 or isinstance(found[0], bool):
        return None
    total = found[0]
    if isinstance(total, int):
        return total if total >= 0 else None
    return parse_count(total) if isinstance(total, str) else None


def _page_links(data: Data, source: FeedSource | CalendarSource | ApiSource) -> Iterator[Link]:
    path = source.url if isinstance(source, ApiSource) else PLACES[source.REPRESENTATION]
    for entry in data.entries:
        for url in _addresses(entry, path or ""):
            yield Link(url, PageKind.DETAIL, path or "")


def _addresses(entry: Entry, path: str) -> Iterator[str]:
    for match in select(path, entry.node)[:1]:
        url = resolve_url(entry.base_url, match.value) if isinstance(match.value, str) else None
        if url is not None and len(url) <= MAX_URL:
            yield urldefrag(url).url


def _next_link(data: Data, collect: Collect, url: str) -> Link | None:
    if collect.feed is not None and collect.feed.follow_next:
        return _listing(data.next_url, url, "rel=next", Representation.FEED)
    if collect.api is None:
        return None
    address, evidence = _next_address(data, collect.api, url)
    found = _listing(address, url, evidence, Representation.JSON)
    return replace(found, is_guessed=collect.api.next is None) if found else None


def _listing(
    address: str | None, url: str, evidence: str, representation: Representation
) -> Link | None:
    absolute = resolve_url(url, address) if address else None
    if absolute is None or len(absolute) > MAX_URL:
        return None
    return Link(urldefrag(absolute).url, PageKind.LISTING, evidence, representation)


def _next_address(data: Data, api: ApiSource, url: str) -> tuple[str | None, str]:
    if api.next is None:
        return (_counted(data, api, url), api.param or "")
    found = [match.value for match in select(api.next, _root(data))]
    token = found[0] if len(found) == 1 else None
    if isinstance(token, bool) or not isinstance(token, str | int) or token == "":
        return None, api.next
    if api.param is None:
        return str(token), api.next
    return with_parameter(url, api.param, str(token)[:MAX_TOKEN]), api.next


def _counted(data: Data, api: ApiSource, url: str) -> str | None:
    """Return the address of the next page by number; None behind the last one."""
    if api.param is None or not data.entries:
        return None
    by_rows = api.count_by == "rows"
    first = api.first if api.first is not None else int(not by_rows)
    current = _number_in(url, api.param, first)
    rows = len(data.entries)
    total = count_expected(data, Collect(api=api))
    seen = current - first + rows if by_rows else (current - first + 1) * rows
    if current < first or (total is not None and seen >= total):
        return None
    return with_parameter(url, api.param, str(current + (rows if by_rows else 1)))


def _number_in(url: str, name: str, otherwise: int) -> int:
    """Return the whole number under a query parameter; -1 for a value that is none."""
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    values = [value for key, value in pairs if key == name]
    if not values:
        return otherwise
    text = values[-1]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def with_parameter(url: str, name: str, value: str) -> str:
    """Return *url* with one query parameter replaced, or added at the end; the rest is as it was."""
    parts = urlsplit(url)
    pieces = parts.query.split("&") if parts.query else []
    spelled = next((key for piece in pieces if (key := _key_of(piece, name))), quote_plus(name))
    kept = [piece for piece in pieces if not _key_of(piece, name)]
    query = "&".join((*kept, f"{spelled}={quote_plus(value)}"))
    return urlunsplit(parts._replace(query=query))


def _key_of(piece: str, name: str) -> str | None:
    """Return how the parameter *name* is spelled in a piece of a query; None for another one."""
    spelled = piece.partition("=")[0]
    return spelled if unquote_plus(spelled) == name else None


def _root(data: Data) -> JsonNode:
    return JsonNode(data.top, (), data.top, None)


PLACES = {Representation.FEED: "$.link", Representation.CALENDAR: "$.URL"}
"""Where an entry names its page."""
