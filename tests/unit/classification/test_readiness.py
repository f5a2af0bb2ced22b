import pytest

from crawler.classification.readiness import describe_readiness, find_unready
from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.site import Ready
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
        ('<div id=root></div><script type="application/ld+json">{}</script>', Ready()),
        ("plain words", Ready()),
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
