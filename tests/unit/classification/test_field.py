"""What makers and sites put in the place of a page, and pages that only look alike.

The bodies are written after those met in the field, one a line. A line with ``main`` is served in
the frame of a site, and again in one with a menu of some hundred entries.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawler.classification.verdict import judge_snapshot
from crawler.contracts.outcome import Kind
from tests.unit.classification.builders import ARTICLE, make_page, snapshot_of

HERE = Path(__file__).parent
SECTIONS = [
    "Home",
    "News",
    "World",
    "Politics",
    "Business",
    "Markets",
    "Technology",
    "Science",
    "Health",
    "Sports",
    "Football",
    "Culture",
    "Books",
    "Film",
    "Music",
    "Travel",
    "Food",
    "Style",
    "Opinion",
    "Letters",
    "Video",
    "Games",
    "Weather",
    "Jobs",
    "Property",
    "Cars",
    "Shop",
]
SMALL = "".join(f'<li><a href="/{name.lower()}">{name}</a></li>' for name in SECTIONS)
PARTS = ("All", "New", "Best of", "Guide to", "Archive of", "Letters on", "Pictures of")
LARGE = "".join(
    f'<li><a href="/{name.lower()}">{name}</a><ul>'
    + "".join(f'<li><a href="/{name.lower()}/{part[:2]}">{part} {name}</a></li>' for part in PARTS)
    + "</ul></li>"
    for name in SECTIONS
)
SERVICE = "".join(
    f'<li><a href="/about/{number}">{name}</a></li>'
    for number, name in enumerate(
        [
            "About us",
            "Contact",
            "Careers",
            "Press",
            "Terms of use",
            "Privacy policy",
            "Cookie policy",
            "Accessibility",
            "Site map",
            "Help centre",
            "Subscriptions",
            "My account",
            "Returns",
            "Delivery",
            "Cookie settings",
        ]
    )
)
HEAD = '<meta property="og:site_name" content="Example"><link rel="stylesheet" href="/a.css">'
LANDMARKS = (
    '<header><a href="/">Example Times</a><nav><ul>{menu}</ul></nav><form action="/search">'
    '<input type="search" name="q"></form><a href="/login">Sign in</a> '
    '<a href="/subscribe">Subscribe</a></header><main>{main}</main><footer><ul>{service}</ul>'
    '<form action="/newsletter"><label>Sign up for our newsletter</label><input type="email">'
    "</form><p>© 2026 Example Media. All rights reserved. This site is protected by reCAPTCHA and "
    "the Google Privacy Policy and Terms of Service apply.</p></footer>"
)
PLAIN = (
    '<div id="top"><a href="/">Example Times</a><div class="menu"><ul>{menu}</ul></div></div>'
    '<div id="main">{main}</div><div id="bottom"><ul>{service}</ul><p>© 2026 Example Media</p></div>'
)
FRAMES = {"small": (LANDMARKS, SMALL), "large": (LANDMARKS, LARGE), "plain": (PLAIN, LARGE)}


def read_lines(name: str) -> list[Any]:
    return list(_read_lines(name))


def _read_lines(name: str) -> Iterator[Any]:
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if "html" in case:
            yield pytest.param(case, case["html"], id=case["id"])
            continue
        for frame, (layout, menu) in FRAMES.items():
            body = layout.format(menu=menu, main=case["main"], service=SERVICE)
            html = (
                f"<html><head><title>{case['title']}</title>{HEAD}</head><body>{body}</body></html>"
            )
            yield pytest.param(case, html, id=f"{case['id']}, {frame}")


def judge(case: dict[str, Any], html: str) -> tuple[Kind, tuple[str, ...]]:
    headers = case.get("headers", {})
    page = make_page(
        html,
        case.get("status", 200),
        case.get("url", "https://www.example.com/item/5"),
        content_type=headers.get("Content-Type", "text/html; charset=utf-8"),
        **{name: value for name, value in headers.items() if name != "Content-Type"},
    )
    verdict = judge_snapshot(snapshot_of(page))
    return verdict.kind, verdict.evidence


@pytest.mark.parametrize(("case", "html"), read_lines("field_stand_ins.jsonl"))
def test_what_stands_in_for_a_page_is_named(case: dict[str, Any], html: str) -> None:
    kind, evidence = judge(case, html)
    assert kind in case["kinds"], evidence


REFUSALS = (HERE / "field_refusals.txt").read_text(encoding="utf-8").splitlines()
KEPT_OUT = {Kind.CHALLENGE, Kind.CAPTCHA, Kind.BLOCK, Kind.GEO, Kind.DENIED}
SHORT_NEWS = [
    "The council has banned cars from the old town since Monday. Too many requests were made.",
    "VPN service review: the best proxy servers of the year. Prices from 3 EUR a month.",
    "Security policy. We take security seriously. Write to security@example.com.",
    "A bot was detected in the online game on Tuesday, the maker said.",
    "The IP address of the printer is 10.0.0.5. Contact the administrator for the password.",
    "Captcha solving for libraries: a talk on 12 March at 18:00 in room 4.",
    "Your request was received. We will answer within two days.",
    "Our firewall products block attacks. Buy now from 99 EUR.",
    "The site was blocked by fallen trees. Access is restricted to residents.",
    "You are not allowed to park here between 8 and 18.",
    "Rate limits: 60 requests per minute and key. Contact us for more.",
    "Der Zugang zum Park ist gesperrt. Das Rathaus hat geöffnet.",
    "L'accès au parc est interdit aux chiens. La mairie est ouverte.",
    "El acceso al puente está restringido hasta el lunes.",
    "Доступ к мосту ограничен до понедельника.",
    "The pool will be closed for maintenance from 3 to 7 March.",
    "The lift at the station is unavailable due to maintenance until Friday.",
    "Under construction: the new bridge. Work began in March and will take two years.",
    "Wegen Bauarbeiten ist die Brücke gesperrt. Umleitung über die Hauptstraße.",
    "Eine Fehlermeldung der Heizung führte zur Schließung der Schule.",
    "An error in the printed programme: the concert begins at 19:00.",
    "Available in the United States and Canada only from March. Price 49 USD.",
    "Members only swim: Tuesdays at 8. Members pay 2 EUR.",
    "Cookies recipe: mix flour, butter and sugar. Bake for 12 minutes.",
    "Films for over 18s are shown at 22:00. Tickets at the door.",
    "We value your privacy: privacy policy of the garden club. We store your name only.",
    "公園は月曜日まで利用が制限されます。",
]


@pytest.mark.parametrize("text", REFUSALS)
@pytest.mark.parametrize("status", [200, 403])
def test_a_sentence_that_refuses_is_recognised(text: str, status: int) -> None:
    kind, evidence = judge({"status": status}, f"<title>a.example</title><p>{text}</p>")
    assert kind in KEPT_OUT, evidence


NOTICES = [
    pytest.param(notice["text"], Kind(notice["kind"]), id=notice["text"])
    for notice in map(json.loads, (HERE / "field_notices.jsonl").read_text("utf-8").splitlines())
]
NEAR = {Kind.MAINTENANCE: Kind.ERROR_PAGE}
"""Which of the two a technical difficulty is, nobody can tell."""


@pytest.mark.parametrize(("text", "kind"), NOTICES)
def test_a_sentence_that_stands_for_a_page_names_its_kind(text: str, kind: Kind) -> None:
    found, evidence = judge({}, f"<title>a.example</title><p>{text}</p>")
    assert found in {kind, NEAR.get(kind)}, evidence


@pytest.mark.parametrize(("text", "_"), NOTICES)
def test_an_article_may_say_the_same_of_something_else(text: str, _: Kind) -> None:
    found, evidence = judge({}, f"<title>a.example</title><p>He read: {text}</p>{ARTICLE}")
    assert found is Kind.OK, evidence


@pytest.mark.parametrize("text", SHORT_NEWS)
def test_a_short_page_that_uses_the_same_words_is_eligible(text: str) -> None:
    kind, evidence = judge({}, f"<title>a.example</title><p>{text}</p>")
    assert kind is Kind.OK, evidence


@pytest.mark.parametrize(("case", "html"), read_lines("field_ordinary.jsonl"))
def test_a_page_that_only_looks_alike_is_eligible(case: dict[str, Any], html: str) -> None:
    kind, evidence = judge(case, html)
    assert kind is Kind.OK, evidence
