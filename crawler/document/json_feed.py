"""JSON Feed 1.1 under the names that other feeds are read by."""

from collections.abc import Mapping

from pydantic import JsonValue

from crawler.contracts.snapshot import Snapshot
from crawler.document.data import MAX_ENTRIES, Data, Flaw
from crawler.document.feed import make_feed
from crawler.document.json_body import read_json

VERSION = "https://jsonfeed.org/version/"
NAMES = {
    "id": "id",
    "url": "link",
    "title": "title",
    "summary": "summary",
    "image": "image",
    "date_published": "published",
    "date_modified": "updated",
    "tags": "categories",
    "language": "language",
    "external_url": "external_url",
    "banner_image": "banner_image",
}


def read_json_feed(snapshot: Snapshot) -> Data:
    """Return the items of a JSON feed in the order of the source."""
    body = read_json(snapshot)
    if body.flaw is not None:
        return Data(flaw=body.flaw, problem=body.problem)
    feed = body.value
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(feed, dict) or not isinstance(items, list):
        return Data(flaw=Flaw.UNANSWERED, problem="a JSON feed without items")
    views = [_view(item) for item in items[:MAX_ENTRIES] if isinstance(item, dict)]
    following = feed.get("next_url")
    return make_feed(
        views,
        [snapshot.final_url] * len(views),
        following if isinstance(following, str) else None,
        {},
        repairs=body.repairs,
    )


def _view(item: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    view = {key: value for key, value in item.items() if key.startswith("_")}
    view |= {name: item[key] for key, name in NAMES.items() if item.get(key) not in (None, "")}
    authors = item.get("authors") or item.get("author")
    view["authors"] = _names(authors if isinstance(authors, list) else [authors])
    view["content"] = item.get("content_html") or item.get("content_text")
    return {key: value for key, value in view.items() if value not in (None, [])}


def _names(authors: list[JsonValue]) -> list[JsonValue]:
    return [author["name"] for author in authors if isinstance(author, dict) and "name" in author]
