"""The JSON Schema of a site file, for editors and as the list of all keys."""

from typing import Any

from crawler.contracts.site.access import Screenshot
from crawler.contracts.site.collect import CalendarSource, FeedSource, SitemapSource
from crawler.contracts.site.config import SiteConfig
from crawler.contracts.site.section import AUTO
from crawler.sites.representation import AVAILABLE_REPRESENTATIONS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """Return the schema of what ``parse_site`` takes, a single rule in place of a list included."""
    schema = _without_titles(SiteConfig.model_json_schema())
    definitions = schema["$defs"]
    definitions["Representation"]["enum"] = list(AVAILABLE_REPRESENTATIONS)
    fields = definitions["RecordRules"]["properties"]["fields"]
    rules = fields["additionalProperties"]
    fields["additionalProperties"] = {"anyOf": [rules["items"], rules]}
    collect = definitions["Collect"]["properties"]
    for model in (FeedSource, CalendarSource):
        short = definitions[model.__name__]["properties"][model.SHORTHAND]["enum"]
        collect[model.REPRESENTATION.value]["anyOf"].append({"enum": short})
    _add_shorthand(definitions["SitemapSource"]["properties"], collect["sitemap"])
    access = definitions["Access"]["properties"]
    plain = {"enum": [*AVAILABLE_REPRESENTATIONS, AUTO]}
    access["representation"] = {"anyOf": [plain, access["representation"]]}
    short = definitions["Screenshot"]["properties"][Screenshot.SHORTHAND]["enum"]
    access["screenshot"] = {"anyOf": [{"enum": short}, access["screenshot"]]}
    return {"$schema": DIALECT, "title": "Site file", **schema}


def _add_shorthand(source: dict[str, Any], section: dict[str, Any]) -> None:
    """Let one address or a list of them stand in place of the section."""
    urls = source[SitemapSource.SHORTHAND]
    description = {"description": urls.pop("description")}
    source[SitemapSource.SHORTHAND] = {**description, "anyOf": [urls["items"], urls]}
    section["anyOf"] += [urls["items"], urls]


def _without_titles(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    # A title that is text repeats the key; a mapping is a property of that name.
    return {
        key: _without_titles(value)
        for key, value in node.items()
        if key != "title" or not isinstance(value, str)
    }
