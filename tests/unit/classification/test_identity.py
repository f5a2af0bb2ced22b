import pytest

from crawler.classification.identity import find_wrong_document
from crawler.contracts.outcome import Kind, Reason
from crawler.contracts.site import Identity
from crawler.document.document import Document
from tests.unit.classification.builders import make_snapshot

URL = "https://www.example.com/item?id=5"
CANONICAL = Identity(canonical=True)


@pytest.mark.parametrize(
    ("link", "is_right"),
    [
        (URL, True),
        ("http://example.com/item?id=5", True),
        ("https://www.example.com/item/?id=5#top", True),
        ("/item?utm_source=x&id=5", True),
        ("/item?id=6", False),
        ("/item", False),
        ("/login", False),
        ("https://other.example/item?id=5", False),
    ],
)
def test_the_canonical_link_must_name_the_page(link: str, is_right: bool) -> None:
    snapshot = make_snapshot(f'<link rel="canonical" href="{link}"><p>a', URL)
    verdict = find_wrong_document(Document(snapshot), snapshot, CANONICAL)
    assert (verdict is None) is is_right


def test_a_page_without_a_canonical_link_passes() -> None:
    snapshot = make_snapshot()
    assert find_wrong_document(Document(snapshot), snapshot, CANONICAL) is None


def test_a_redirect_target_may_name_itself() -> None:
    snapshot = make_snapshot('<link rel=canonical href="/new"><p>a', URL, "https://example.com/new")
    assert find_wrong_document(Document(snapshot), snapshot, CANONICAL) is None


def test_the_selector_must_match() -> None:
    snapshot = make_snapshot("<h1 class=programme>Programme</h1>")
    document = Document(snapshot)
    assert find_wrong_document(document, snapshot, Identity(selector="h1.programme")) is None
    verdict = find_wrong_document(document, snapshot, Identity(selector="h1.other"))
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (Kind.WRONG_DOCUMENT, Reason.WRONG_DOCUMENT)
    assert "h1.other" in verdict.evidence[0]


def test_nothing_declared_means_nothing_wrong() -> None:
    snapshot = make_snapshot('<link rel="canonical" href="/other">')
    assert find_wrong_document(Document(snapshot), snapshot, Identity()) is None
