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
        ("Published by:<span>Valve</span>", "Published by: Valve"),
        ("Item number:<b>4049</b>", "Item number: 4049"),
        ("at 12:<b>30</b>", "at 12:30"),
        ("https:<wbr>//example.com", "https://example.com"),
        ("Note:<sup>2</sup>", "Note:2"),
        ("std:<code>vector</code>", "std:vector"),
        ("<code>key:<span>value</span></code>", "key:value"),
        ("<span>Tools</span><span>•</span><span>games</span>", "Tools • games"),
        ("<i>4.8</i><i>|</i><i>150</i>", "4.8 | 150"),
        ("<span>km</span><span>/</span><span>h</span>", "km/h"),
        ("<span>pre</span><span>-</span><span>war</span>", "pre-war"),
        ("<code><i>a</i><i>|</i><i>b</i></code>", "a|b"),
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
