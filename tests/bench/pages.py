"""Pages for the benchmarks: of 50 kB with JSON-LD, of 50 kB that need a tree, and that need scripts."""

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


RENDERER = """<script>
fetch("/data/" + location.pathname.split("/")[2]).then(answer => answer.json()).then(rows => {
  document.querySelector("main").innerHTML = rows.map(row =>
    `<article class="event"><h1 class="name">${row.name}</h1>
    <time class="start" datetime="${row.start}">soon</time></article>`).join("");
});
</script>"""


def rendered_page(number: int) -> bytes:
    """Return a page whose records come from ``/data/N``."""
    return (
        f"<!doctype html><title>Programme {number}</title><main>Loading</main>{RENDERER}"
    ).encode()


def data(number: int) -> bytes:
    return json.dumps(
        [{"name": f"Concert {number}", "start": "2026-12-24T20:00:00+01:00"}]
    ).encode()


KINDS = {"jsonld": jsonld_page, "tree": tree_page, "rendered": rendered_page, "data": data}
