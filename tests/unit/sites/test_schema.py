import json
from collections.abc import Iterator
from typing import Any

from crawler.contracts.site.config import SiteConfig
from crawler.sites.schema import json_schema


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node:
        if isinstance(child, dict | list):
            yield from nodes(child)


def test_the_schema_names_every_key_and_forbids_others() -> None:
    schema = json_schema()

    assert set(schema["properties"]) == set(SiteConfig.model_fields)
    assert schema["required"] == ["site", "authorization", "start", "record"]
    assert all(
        node["additionalProperties"] is False
        for node in nodes(schema)
        if node.get("type") == "object" and "properties" in node
    )


def test_descriptions_are_kept_and_titles_that_repeat_the_key_are_not() -> None:
    schema = json_schema()

    assert [node["title"] for node in nodes(schema) if isinstance(node.get("title"), str)] == [
        "Site file"
    ]
    expires = schema["$defs"]["Authorization"]["properties"]["expires"]
    assert expires["description"].startswith("Last day on which requests may be sent")
    assert expires["format"] == "date"


def test_a_single_rule_is_taken_in_place_of_a_list() -> None:
    fields = json_schema()["$defs"]["RecordRules"]["properties"]["fields"]

    single, several = fields["additionalProperties"]["anyOf"]
    assert single["type"] == "string"
    assert several == {"type": "array", "items": single}


def test_only_what_can_be_fetched_now_is_offered_as_representation() -> None:
    assert json_schema()["$defs"]["Representation"]["enum"] == [
        "html",
        "rendered_dom",
        "screenshot",
    ]


def test_a_representation_stands_for_all_pages_or_for_a_kind() -> None:
    plain, by_kind = json_schema()["$defs"]["Access"]["properties"]["representation"]["anyOf"]

    assert plain == {"enum": ["html", "rendered_dom", "screenshot", "auto"]}
    assert by_kind["$ref"] == "#/$defs/Representations"


def test_the_schema_is_json() -> None:
    assert json.loads(json.dumps(json_schema())) == json_schema()
