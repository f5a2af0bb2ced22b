import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from crawler.contracts.site.config import SiteConfig
from crawler.sites.forms import FORMS, PATTERN_WORDS
from crawler.sites.record_types import TypeDeclaration
from crawler.sites.source import STEM


def patterns_of(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            yield node["pattern"]
        for value in node.values():
            yield from patterns_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from patterns_of(value)


FORM_PATTERNS = {
    r"^(robots|https?://[^\s]+)$",
    (
        r"^(jsonld|microdata|rdfa|microformats|plugin|opengraph|meta|state|loaded|feed|ical|json|label|list"
        r"|html|css|xpath|content|page|model):.+"
    ),
    r"^https?://[^\s]+$",
    r"^(/|https?://).*",
}


@pytest.mark.parametrize("model", [SiteConfig, TypeDeclaration])
def test_every_pattern_of_a_file_is_put_into_words(model: type[BaseModel]) -> None:
    patterns = set(patterns_of(model.model_json_schema()))

    assert patterns - FORM_PATTERNS <= set(PATTERN_WORDS)


def test_the_words_speak_of_patterns_that_exist() -> None:
    used = {
        pattern
        for model in (SiteConfig, TypeDeclaration)
        for pattern in patterns_of(model.model_json_schema())
    }

    assert set(PATTERN_WORDS) <= used
    assert len(FORMS) == len(FORM_PATTERNS) + 4  # selectors, parts, rows and paths have none


def test_the_name_of_a_file_and_of_a_site_follow_the_same_pattern() -> None:
    (site,) = (p for p in PATTERN_WORDS if p == f"^{STEM.pattern}$")

    assert re.fullmatch(site, "garden-jazz")
