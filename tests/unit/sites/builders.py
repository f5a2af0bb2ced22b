"""Site files with sensible content; a test names only what matters to it."""

from textwrap import dedent

import pytest

from crawler.contracts.errors import Problem, SiteConfigError
from crawler.contracts.rules import LoadedSite
from crawler.sites.builtin import BUILT_IN
from crawler.sites.config import parse_site
from crawler.sites.record_types import TypeCatalog

BUILT_IN_TYPES = TypeCatalog(dict(BUILT_IN), {})

PARTS = {
    "site": "site: garden-jazz",
    "authorization": "authorization: {basis: public, approved_by: desk, expires: 2027-06-30}",
    "start": "start: [https://garden.example/events]",
    "record": "record: {type: event}",
}


def site_text(**parts: str) -> str:
    """Return a site file whose top-level keys are *parts*, each written out, over the defaults."""
    return "\n".join(dedent(part).strip() for part in {**PARTS, **parts}.values() if part) + "\n"


def parse(text: str, path: str = "garden-jazz.yaml") -> LoadedSite:
    return parse_site(text.encode(), path, BUILT_IN_TYPES)


def problems_of(text: str, path: str = "garden-jazz.yaml") -> tuple[Problem, ...]:
    with pytest.raises(SiteConfigError) as caught:
        parse(text, path)
    return caught.value.problems
