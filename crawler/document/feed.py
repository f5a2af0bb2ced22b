"""RSS, Atom and RDF feeds, read by feedparser from bytes alone: nothing is fetched or opened.

Entries become objects of plain values under feedparser's names (``title``, ``link``, ``published``,
``ev_startdate`` …). A date of one kind never stands in for another, nor the content for a summary.
"""

import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import JsonValue

from crawler.contracts.snapshot import Snapshot
from crawler.document.data import MAX_ENTRIES, Data, Entry, Flaw, tidy_id
from crawler.document.jsonpath import JsonNode, Parts
from crawler.document.text import inner_text
from crawler.document.tree import parse_tree
from crawler.document.url import resolve_url

SLIPS = (LookupError, AttributeError, TypeError, ValueError, AssertionError, RecursionError)
"""What feedparser raises where markup that it mends is not where it takes it to be."""
MAX_DEPTH = 6
"""Containers inside each other that a value of an entry may have."""
_END = re.compile(
    rb"</(?:[\w.-]+:)?(?:rss|feed|rdf|channel)\s*>|<(?:rss|feed)\b[^<>]*/>", re.IGNORECASE
)
_DECLARED_ENTITY = re.compile(rb"<!ENTITY\s(?:[^>\"']|\"[^\"]*\"|'[^']*')*>?")
_CHARSET = re.compile(r"charset\s*=\s*\"?([\w.:-]{1,40})", re.IGNORECASE)
_ENTRY = re.compile(rb"<(/?)(?:item|entry)\b[^<>]*?(/?)>", re.IGNORECASE)
MAX_AUTHOR = 300
_WITH_MAIL = re.compile(
    r"\s*(?:[^\s<>()@]+@[^\s<>()@]+\s*\((?P<behind>[^()]+)\)|(?P<before>[^<>@]+)<[^<>\s@]+@[^<>\s@]+>)\s*"
)
_WEB = ("http://", "https://")
_MARKUP_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_HIDDEN = ("_parsed", "_detail")
"""Endings of keys that repeat another one in feedparser's own notation."""


def read_feed(snapshot: Snapshot) -> Data:
    """Return the entries of an XML feed in the order of the source."""
    body = snapshot.body.lstrip()
    if not _END.search(body.replace(b"\0", b"")):
        return Data(flaw=Flaw.CUT, problem="the feed has no end")
    try:
        parsed = _parse(body, snapshot)
    except SLIPS as error:
        return Data(flaw=Flaw.BROKEN, problem=f"feedparser stopped at {type(error).__name__}")
    problem = _find_problem(body, parsed)
    if problem is not None:
        return Data(flaw=Flaw.BROKEN, problem=problem)
    found = parsed["entries"][:MAX_ENTRIES]
    views = [_view(entry) for entry in found]
    titles: dict[Parts, str] = {
        ("entries", index, "title"): entry["title"]
        for index, (entry, view) in enumerate(zip(found, views, strict=True))
        if "title" in view and view["title"] != entry["title"]
    }
    return make_feed(
        views,
        [_base_of(entry, snapshot.final_url) for entry in found],
        _next_of(parsed["feed"]),
        titles,
        notes=_notes(parsed),
        repairs=_repairs(parsed),
    )


def make_feed(
    views: Iterable[dict[str, JsonValue]],
    bases: Iterable[str],
    next_url: str | None,
    raws: Mapping[Parts, str],
    *,
    notes: tuple[str, ...] = (),
    repairs: tuple[str, ...] = (),
) -> Data:
    """Return entries under the names that every feed is read by."""
    values: list[JsonValue] = [*views]
    top: JsonValue = {"entries": values}
    entries = tuple(
        Entry(
            JsonNode(top, ("entries", index), view, None),
            tidy_id(str(view.get("id") or "")) if isinstance(view, dict) else "",
            base,
        )
        for index, (view, base) in enumerate(zip(values, bases, strict=False))
    )
    return Data(top, entries, next_url, raws, notes=notes, repairs=repairs)


def _parse(body: bytes, snapshot: Snapshot) -> Any:
    # Slow to import, and most pages are no feeds.
    import feedparser  # type: ignore[import-untyped] # noqa: PLC0415

    # The encoding alone: by its media type a feed that is called HTML would be a damaged one.
    named = next((v for n, v in snapshot.headers if n.lower() == "content-type"), "")
    charset = _CHARSET.search(named)
    content_type = f"application/xml; charset={charset[1]}" if charset else "application/xml"
    return feedparser.parse(
        io.BytesIO(_without_entities(body)),  # bytes themselves could name a file
        response_headers={"content-type": content_type},
        sanitize_html=False,
        resolve_relative_uris=False,
    )


def _find_problem(body: bytes, parsed: Any) -> str | None:
    """Return why nothing of a feed can be used: what was mended in silence delimits no entries."""
    if not parsed.get("version") and not parsed["entries"]:
        return "no RSS, Atom or RDF feed"
    tags = _ENTRY.findall(body) if parsed["bozo"] else []
    begun = sum(1 for end, alone in tags if not end and not alone)
    ended = sum(1 for end, _ in tags if end)
    return f"{begun} entries begin and {ended} end" if begun != ended else None


def _without_entities(body: bytes) -> bytes:
    """Drop declared entities: a few of them can expand to more than any limit."""
    if b"<!ENTITY" in body:
        return _DECLARED_ENTITY.sub(b"", body)
    wide = b"\0" in body and b"<!ENTITY" in body.replace(b"\0", b"")
    return b"" if wide else body


def _notes(parsed: Any) -> tuple[str, ...]:
    total = len(parsed["entries"])
    return (f"{total} entries, of which {MAX_ENTRIES} were read",) if total > MAX_ENTRIES else ()


def _repairs(parsed: Any) -> tuple[str, ...]:
    if not parsed["bozo"]:
        return ()
    why = str(parsed.get("bozo_exception", "not well-formed"))
    return (f"mended: {' '.join(why.split())[:200]}",)


def _base_of(entry: Mapping[str, Any], url: str) -> str:
    details = (entry.get(name) for name in ("title_detail", "summary_detail"))
    base = next((detail["base"] for detail in details if detail and detail.get("base")), "")
    return resolve_url(url, base) or url


def _next_of(feed: Mapping[str, Any]) -> str | None:
    links = feed.get("links") or ()
    return next((link.get("href") for link in links if link.get("rel") == "next"), None)


def _view(entry: Any) -> dict[str, JsonValue]:
    # Of a mapping with feedparser's own look-up, one key would answer for another.
    raw: dict[str, Any] = dict(dict.items(entry))
    view = {key: _plain(value, 0) for key, value in raw.items() if not key.endswith(_HIDDEN)}
    contents = [part.get("value") for part in raw.get("content", ())]
    if "summary_detail" not in raw and raw.get("summary") in contents:
        view.pop("summary", None)
    view.pop("title", None)
    if (
        raw.get("guidislink")
        and raw.get("link") == raw.get("id")
        and not _is_address(raw.get("id") or "")
    ):
        view.pop("link", None)  # an id that is said to be an address, and is none
    named: dict[str, JsonValue] = {
        "title": _title(raw),
        "content": contents[0] if contents else None,
        "authors": _authors(raw),
        "categories": [tag.get("label") or tag.get("term") for tag in raw.get("tags", ())],
        "image": _image(raw),
    }
    return {**view, **{key: value for key, value in named.items() if value}}


def _authors(raw: Mapping[str, Any]) -> list[JsonValue]:
    """feedparser takes an address with a name apart, but knows no domain of more than four letters."""
    authors = raw.get("authors", ())
    mail = _WITH_MAIL.fullmatch((raw.get("author") or "")[:MAX_AUTHOR])
    if mail and len(authors) < 2:
        return [(mail["behind"] or mail["before"]).strip()]
    return [name for each in authors if (name := each.get("name"))]


def _is_address(text: str) -> bool:
    return text.lower().startswith(_WEB)


def _title(raw: Mapping[str, Any]) -> str:
    title, detail = raw.get("title") or "", raw.get("title_detail") or {}
    return plain_title(title) if detail.get("type") in _MARKUP_TYPES else title


def plain_title(markup: str) -> str:
    """Return what a reader sees of a title that is markup."""
    root = parse_tree(markup).root
    return inner_text(root) if root is not None else ""


def _image(raw: Mapping[str, Any]) -> str | None:
    pictures = [each.get("url") for each in raw.get("media_thumbnail", ())]
    media = (*raw.get("media_content", ()), *raw.get("links", ()))
    pictures += [
        each.get("url") or each.get("href")
        for each in media
        if str(each.get("type", "")).startswith("image/") or each.get("medium") == "image"
    ]
    itunes = raw.get("image")
    pictures.append(itunes.get("href") if isinstance(itunes, dict) else None)
    return next((picture for picture in pictures if picture), None)


def _plain(value: Any, depth: int) -> JsonValue:
    if depth >= MAX_DEPTH:
        return None
    if isinstance(value, dict):
        return {str(key): _plain(inner, depth + 1) for key, inner in dict.items(value)}
    if isinstance(value, list):
        return [_plain(inner, depth + 1) for inner in value]
    return value if isinstance(value, str | int | bool | None) else str(value)
