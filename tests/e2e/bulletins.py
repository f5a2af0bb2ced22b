"""The site that the project's worked example reads, and pages for it."""

from pathlib import Path
from typing import Any

from tests.e2e.project import Project
from tests.e2e.server import Server, Step, page

EXAMPLE = (
    '<article data-id="notice-1" data-published="2026-09-10">'
    "<h2>Maintenance window announced</h2></article>"
)
RECORD: dict[str, Any] = {
    "type": "notice",
    "schema_version": "bulletins.v1",
    "each": "article",
    "fields": {
        "id": "xpath:./@data-id",
        "title": "css:h2::text",
        "published": "xpath:./@data-published",
    },
}


def write_bulletins(
    project: Project, server: Server, *targets: str, name: str = "bulletins", **sections: Any
) -> Path:
    """Write the site file ``bulletins`` with *targets* (or whole URLs) as its start."""
    return project.write_site(
        name, server, **{"start": list(targets), "record": RECORD, **sections}
    )


def article(
    key: str, heading: str = "<h2>Gate repaired</h2>", published: str = "2026-09-10"
) -> str:
    return f'<article data-id="{key}" data-published="{published}">{heading}</article>'


def board(*articles: str) -> Step:
    """Return a page whose ready region is its ``main``."""
    return page(f"<main>{''.join(articles)}</main>")
