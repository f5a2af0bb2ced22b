import pytest

from crawler.contracts.outcome import RejectReason
from crawler.document.document import Document
from crawler.validation.structure import find_broken_structure
from tests.unit.document.pages import make_snapshot

ROW = "<article><h2>x</h2></article>"
WHOLE = {
    "rows": ("article", ROW + ROW),
    "end tag in a comment": ("article", f"{ROW}<!-- </article> -->"),
    "start tag in a script": ("article", f"<script>'<article>'</script>{ROW}"),
    "tag in an attribute": ("article", f'<p title="</article>"></p>{ROW}'),
    "another element with a longer name": ("article", f"<articles>{ROW}"),
    "end tags that HTML implies": ("li", "<ul><li>a<li>b</ul>"),
    "an unclosed element that is no row": (
        "article.row",
        f"<div><article class=row></article>{ROW}",
    ),
    "an unclosed element of the same name that is no row": (
        "article.row",
        "<article class=row></article><div><article></div>",
    ),
    "a stray </div>": ("div.row", "<div class=row></div></div>"),
    "no rows": ("article", "<p>x</p>"),
}


@pytest.mark.parametrize(("each", "source"), WHOLE.values(), ids=WHOLE)
def test_rows_that_the_source_delimits_are_whole(each: str, source: str) -> None:
    document = Document(make_snapshot(source))

    assert find_broken_structure(document, document.css(each)) is None


BROKEN = {
    "unclosed": ("article", "<article><h2>x</h2>", RejectReason.RECORD_STRUCTURE),
    "last one unclosed": ("article", f"{ROW}<article><h2>x</h2>", RejectReason.RECORD_STRUCTURE),
    "first one unclosed": ("article", f"<article><h2>x</h2>{ROW}", RejectReason.RECORD_STRUCTURE),
    "upper case": ("article", "<ARTICLE><h2>x</h2>", RejectReason.RECORD_STRUCTURE),
    "end tag without start": ("article", f"{ROW}</article>", RejectReason.RECORD_STRUCTURE),
    "unclosed row of a generic element": (
        "div.row",
        "<div class=row><p>x</p>",
        RejectReason.RECORD_STRUCTURE,
    ),
    "nested": ("article", f"<article>{ROW}</article>", RejectReason.NESTED_RECORD),
    "nested further down": (
        "article",
        f"<article><div><p>{ROW}</p></div></article>",
        RejectReason.NESTED_RECORD,
    ),
    "too deep": ("article", "<div>" * 100_000 + ROW, RejectReason.RECORD_STRUCTURE),
}


@pytest.mark.parametrize(("each", "source", "reason"), BROKEN.values(), ids=BROKEN)
def test_rows_that_the_parser_had_to_repair_reject_the_page(
    each: str, source: str, reason: RejectReason
) -> None:
    document = Document(make_snapshot(source))

    rejection = find_broken_structure(document, document.css(each))

    assert rejection is not None
    assert rejection.reason is reason
    assert rejection.candidate is None
