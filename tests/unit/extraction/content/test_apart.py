import pytest

from crawler.extraction.content.node import grow
from crawler.extraction.content.noise import is_shown, label_of
from tests.unit.extraction.content.pages import document, markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="/a">Open World</a><a href="/b">co-op</a>', "Open World co-op"),
        ("<a>Home</a><a>sale</a>", "Home sale"),
        ("<span>Publication Year</span><span>2013</span>", "Publication Year 2013"),
        ("<span><b>Publisher</b></span><span><i>Valve</i></span>", "Publisher Valve"),
        ("<span>H</span><span>ello</span>", "Hello"),
        ("<b>un</b><i>likely</i>", "unlikely"),
        ("<span>Mac</span><span>OS</span>", "MacOS"),
        ("<span>$19</span><span>99</span>", "$1999"),
        ("<span>IPHONE</span><span>Case</span>", "IPHONECase"),
        ("<span>Water</span><sub>Two</sub>", "WaterTwo"),
        ("<span>over</span>-<span>Ear</span>", "over-Ear"),
        ("<span>Fast</span>Charging", "FastCharging"),
        ("<code><span>new</span><span>Point</span></code>", "newPoint"),
        ("<pre><span>self</span><span><b>None</b></span></pre>", "selfNone"),
    ],
)
def test_words_of_neighbours_are_apart_where_a_layout_keeps_them(html: str, expected: str) -> None:
    root = document(f"<p>{html}</p>").root
    assert root is not None
    assert grow(root, label_of, is_shown).text() == expected


def test_links_side_by_side_are_written_apart() -> None:
    page = '<p><a href="/a">Rope</a><a href="/b">Wire</a></p>'
    assert markdown(page) == "[Rope](https://example.com/a) [Wire](https://example.com/b)"
