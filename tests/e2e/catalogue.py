"""A site large enough to be interrupted: listings link to details, and every page takes a while.

Of twenty details three have some trouble each; what becomes of each URL, and which records
there are in the end, does not depend on how often the crawl was interrupted.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.e2e.project import Project
from tests.e2e.server import Server, Step, page, redirect

PER_LISTING = 20
SITE = "catalogue"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What is served, and what is to be expected of it; targets, not URLs."""

    scripts: dict[str, Sequence[Step]]
    start: str
    outcomes: dict[str, str]
    """Reason by target, for every URL that the crawl admits."""
    records: dict[str, dict[str, str]]
    """Values by the target of the page they are read from."""
    collection: dict[str, object]
    """What is said of its one collection, its address apart."""
    refetched: frozenset[str]
    """Targets that are asked for more than once even when nothing is interrupted."""


def build_catalogue(details: int) -> Catalogue:
    numbers = range(1, details + 1)
    last = (details - 1) // PER_LISTING + 1
    listings = {f"/list?page={n}": _listing(n, last, details) for n in range(1, last + 1)}
    moved = {f"/new/{n}": _detail(n) for n in numbers if _trouble(n) == "moved"}
    scripts: dict[str, Sequence[Step]] = {
        **{target: (step,) for target, step in {**listings, **moved}.items()},
        **{f"/item/{n}": _answers(n) for n in numbers},
    }
    return Catalogue(
        scripts=scripts,
        start="/list?page=1",
        outcomes=dict.fromkeys(listings, "eligible") | {f"/item/{n}": _reason(n) for n in numbers},
        records={_place(n): _values(n) for n in numbers if _reason(n) == "eligible"},
        collection={
            "complete": True,
            "pages": last,
            "items": _count_pages(details),
            "expected": _count_pages(details),
            "accepted": sum(_reason(n) == "eligible" for n in numbers),
            "failed": {"gone": gone}
            if (gone := sum(_trouble(n) == "gone" for n in numbers))
            else {},
            "duplicates": 0,
            "gaps": {},
        },
        refetched=frozenset(f"/item/{n}" for n in numbers if _trouble(n) == "flaky"),
    )


def publish(server: Server, catalogue: Catalogue) -> None:
    for target, steps in catalogue.scripts.items():
        server.serve(target, *steps)


def write_site_file(
    project: Project, server: Server, catalogue: Catalogue, *, concurrency: int = 4
) -> None:
    project.write_site(
        SITE,
        server,
        start=[catalogue.start],
        collect={
            "links": "li a[href]",
            "next": "a[rel=next]",
            "complete": {"expected_count": ".total"},
        },
        access={"concurrency": concurrency},
        record={
            "type": "event",
            "fields": {
                "name": ["jsonld:$.name", "css:h1::text"],
                "starts_at": ["jsonld:$.startDate", "css:time::attr(datetime)"],
            },
        },
    )


def _trouble(number: int) -> str:
    if number == 9:  # One is enough: its retry waits for seconds.
        return "flaky"
    return {3: "gone", 5: "moved", 7: "seen"}.get(number % 20, "")


def _reason(number: int) -> str:
    return {"gone": "gone", "seen": "redirected_to_seen"}.get(_trouble(number), "eligible")


def _place(number: int) -> str:
    return f"/new/{number}" if _trouble(number) == "moved" else f"/item/{number}"


def _values(number: int) -> dict[str, str]:
    day, month = number % 28 + 1, number // 28 % 12 + 1
    return {"name": f"Evening {number}", "starts_at": f"2027-{month:02d}-{day:02d}"}


def _answers(number: int) -> Sequence[Step]:
    return {
        "gone": (page("<h1>Gone</h1>", 410),),
        "moved": (redirect(f"/new/{number}"),),
        "seen": (redirect(f"/item/{number - 1}"),),
        "flaky": (page("<h1>In a moment</h1>", 503), _detail(number)),
    }.get(_trouble(number), (_detail(number),))


def _detail(number: int) -> Step:
    values = _values(number)
    event = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": values["name"],
        "startDate": values["starts_at"],
    }
    seen = (
        f'<script type="application/ld+json">{json.dumps(event)}</script><h1>What is on</h1>'
        if number % 3 == 0
        else f'<h1>{values["name"]}</h1><time datetime="{values["starts_at"]}">then</time>'
    )
    words = random.Random(number).choices(["music", "light", "river", "garden", "story"], k=400)
    return _slow(f"<!doctype html><title>On</title>{seen}<p>{' '.join(words)}</p>", number)


def _listing(number: int, last: int, details: int) -> Step:
    first = (number - 1) * PER_LISTING + 1
    linked = [*range(first, min(first + PER_LISTING, details + 1)), 1]
    links = "".join(f'<li><a href="/item/{n}">{n}</a></li>' for n in linked)
    following = f'<a rel="next" href="/list?page={number + 1}">on</a>' if number < last else ""
    total = f'<p class="total">{_count_pages(details)} evenings</p>'
    return _slow(f"<!doctype html><title>All</title>{total}<ul>{links}</ul>{following}", -number)


def _count_pages(details: int) -> int:
    return sum(_trouble(number) != "seen" for number in range(1, details + 1))


def _slow(html: str, number: int) -> Step:
    """Between 20 and 60 ms, so that a kill finds pages in every stage of their way."""
    return Step(html.encode(), delay=random.Random(number).uniform(0.02, 0.06))
