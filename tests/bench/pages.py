"""Pages of about 50 kB for the benchmarks: one kind with JSON-LD, one that needs a tree."""

import json

FILLER = "".join(
    f'<div class="row r{n}"><a href="/other/{n}">Item {n}</a><p>Some words about item {n}, '
    f"which nobody asked for and every page has.</p></div>\n"
    for n in range(330)
)


def jsonld_page(number: int) -> bytes:
    event = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": f"Concert {number}",
        "startDate": "2026-12-24T20:00:00+01:00",
        "endDate": "2026-12-24T22:00:00+01:00",
        "url": f"/{number}",
        "image": f"/images/{number}.jpg",
        "description": "An evening of music.",
        "eventStatus": "https://schema.org/EventScheduled",
        "organizer": {"@type": "Organization", "name": "Town Hall"},
        "location": {"@type": "Place", "name": "Town Hall", "address": "1 High Street"},
        "offers": {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"},
    }
    script = f'<script type="application/ld+json">{json.dumps(event)}</script>'
    return _page(number, script, "")


def tree_page(number: int) -> bytes:
    fields = (
        f'<main><h1 class="name">Concert {number}</h1>'
        '<time class="start" datetime="2026-12-24T20:00:00+01:00">24 December, 8 pm</time>'
        '<span class="venue">Town Hall</span></main>'
    )
    return _page(number, "", fields)


def _page(number: int, head: str, body: str) -> bytes:
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>Concert {number}</title>{head}"
        f"</head><body>{body}{FILLER}</body></html>"
    ).encode()


KINDS = {"jsonld": jsonld_page, "tree": tree_page}
