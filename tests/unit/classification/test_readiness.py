from dataclasses import replace

import pytest

from crawler.classification.readiness import describe_readiness, find_unready
from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.site.access import Ready
from crawler.document.document import Document
from tests.unit.classification.builders import make_snapshot

READY = Ready(present=("article.event",), absent=(".loading",))
SHELL = '<title>App</title><div id="root"></div><script>render()</script>'

UNREADY: dict[str, tuple[str, Ready, Kind, str]] = {
    "region missing": ("<p>Hello</p>", READY, Kind.EMPTY, "article.event"),
    "still loading": (
        "<article class=event>a</article><div class=loading></div><script></script>",
        READY,
        Kind.SHELL,
        ".loading",
    ),
    "shell": (SHELL, Ready(), Kind.SHELL, "no text"),
    "shell with a notice for browsers without scripts": (
        SHELL + "<noscript>Enable JavaScript</noscript>",
        Ready(),
        Kind.SHELL,
        "no text",
    ),
    "spinner": (SHELL.replace("</div>", "Loading…</div>"), Ready(), Kind.SHELL, "Loading".lower()),
    "notice that scripts are needed": (
        SHELL.replace("</div>", "Please enable JavaScript to use this app.</div>"),
        Ready(),
        Kind.SHELL,
        "enable javascript",
    ),
    "shell whose scripts are loaded ahead": (
        '<link href="/a.js" as="script"><section id=main></section>',
        Ready(),
        Kind.SHELL,
        "no text",
    ),
    "too few": (
        "<b>1</b><b>2</b>",
        Ready(count={"b": 3}),
        Kind.EMPTY,
        "b matches 2 of 3",
    ),
    "a text missing": (
        "<p>Some of it</p>",
        Ready(text=("All of it",)),
        Kind.EMPTY,
        "the text 'All of it' is missing",
    ),
    "shell with a note to machines": (
        '<html itemscope><meta itemprop="name" content="Shop"><div id=root></div><script></script>',
        Ready(),
        Kind.SHELL,
        "no text",
    ),
    "empty body": ("<html><body><!-- --></body></html>", Ready(), Kind.EMPTY, "no text"),
}


@pytest.mark.parametrize(("html", "ready", "kind", "seen"), UNREADY.values(), ids=UNREADY)
def test_a_page_that_is_not_complete_says_what_is_amiss(
    html: str, ready: Ready, kind: Kind, seen: str
) -> None:
    snapshot = make_snapshot(html)
    verdict = find_unready(Document(snapshot), snapshot, ready)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (kind, Reason.INCOMPLETE_SNAPSHOT)
    assert seen in verdict.evidence[0]


@pytest.mark.parametrize(
    ("html", "ready"),
    [
        ("<article class=event>a</article>", READY),
        ("<article class=event></article>", READY),
        ("<p>Hello</p>", Ready()),
        ("<b>1</b><b>2</b><b>3</b>", Ready(count={"b": 3})),
        ("<p>We show\n <b>all</b> of it.</p>", Ready(text=("All  of it",))),
        ('<div id=root></div><script type="application/ld+json">{}</script>', Ready()),
        ("plain words", Ready()),
        ('<div itemscope><meta itemprop="name" content="Lamp"></div>', Ready()),
        ('<div typeof="Product"><meta property="name" content="Lamp"></div>', Ready()),
        (f"<script></script><noscript>{'A word. ' * 60}</noscript>", Ready()),
        ("<script></script><p>Loading bay: open from nine to five.</p>", Ready()),
        ("<p>Loading...</p>", Ready()),
        ("<script></script><p>JavaScript for beginners, a course on Monday.</p>", Ready()),
    ],
)
def test_a_complete_page_is_ready(html: str, ready: Ready) -> None:
    snapshot = make_snapshot(html)
    assert find_unready(Document(snapshot), snapshot, ready) is None


def test_readiness_is_described_by_its_selectors() -> None:
    document = Document(make_snapshot("<article class=event>a</article>"))
    assert describe_readiness(document, READY) == ("article.event: 1 present", ".loading: absent")
    assert describe_readiness(document, Ready()) == ()


def test_a_rendered_page_that_ran_out_of_time_says_what_it_lacked() -> None:
    snapshot = replace(
        make_snapshot("<p>Here</p>"), flags=("unsettled",), readiness=("not in time: app.done",)
    )

    verdict = find_unready(Document(snapshot), snapshot, Ready(marker="app.done"))

    assert verdict is not None
    assert verdict.evidence == ("not in time: app.done",)
