"""Which elements a reader is shown, as far as the page itself says."""

import re
from itertools import islice

from crawler.document.kept import keep_if_short
from crawler.extraction.content.apart import INLINE
from crawler.extraction.content.node import Attributes, Element

NEVER_SHOWN = frozenset(
    [
        "applet",
        "area",
        "audio",
        "base",
        "canvas",
        "colgroup",
        "datalist",
        "embed",
        "frame",
        "frameset",
        "head",
        "iframe",
        "input",
        "link",
        "map",
        "meta",
        "noembed",
        "noframes",
        "object",
        "optgroup",
        "option",
        "param",
        "progress",
        "rp",
        "script",
        "select",
        "source",
        "style",
        "svg",
        "template",
        "textarea",
        "title",
        "track",
        "video",
    ]
)
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden"
    r"|(?<![\w-])opacity\s*:\s*(?:0*(?:\.0\d*)?|0+%)\s*(?:;|!|$)|filter\s*:[^;]*opacity\(\s*0*(?:\.0*)?%?\s*\)"
    r"|font-size\s*:\s*(?:0*(?:\.0*)?(?:px|r?em|pt|%)?|[01]?(?:\.\d+)?(?:px|pt)|0*\.[01]\d*r?em)\s*(?:;|!|$)"
    r"|(?<![\w-])(?:left|top|right|bottom|text-indent)\s*:\s*-\d{3,}"
    r"|margin-(?:left|top)\s*:\s*-(?:\d{4,}|[5-9]\d\d)"
    r"|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]"
    r"|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)"
    r"|transform\s*:[^;]*(?:scale[xy]?\(\s*0\s*[,)]|translate[xy]?\(\s*-\d{4,})",
    re.IGNORECASE,
)
_OPACITY = re.compile(r"(?<![\w-])opacity\s*:[^;]*")
_COLOUR = re.compile(r"(?<![\w-])color\s*:\s*([^;!]+)", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
_NO_HEIGHT = re.compile(
    r"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|!|$)", re.IGNORECASE
)
_SHOWN_WIDER = re.compile(r"(?:^|\s)[\w-]+:(?:block|flex|grid|inline|table|contents)|d-\w+-\w+")
_HIDING_CLASS = re.compile(
    r"(?:^|\s)(?:(?:(?:[a-z]|is|a11y)-)?(?:hidden|hide)|d-none|sr-only|visually-hidden"
    r"|visuallyhidden|screen-reader-text"
    r"|screen-reader-only|screenreader|element-invisible|assistive"
    r"|show-for-sr|visually-hide|hide-visually|offscreen|off-screen|print-only|show-for-print"
    r"|visible-print(?:-block)?|mw-editsection|noprint-hidden)(?:\s|$)"
)


def is_hidden(attributes: Attributes) -> bool:
    """Whether an element's own attributes keep it from being shown."""
    if "hidden" in attributes and not is_streamed(attributes):
        return True
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    style = attributes.get("style")
    if style and _hides(_plain_style(style)):
        return True
    classes = attributes.get("class")
    return bool(classes) and _is_hiding_class(str(classes))


def is_faded(attributes: Attributes) -> bool:
    """Whether nothing hides an element but what a script takes away when it has loaded the page.

    Pages fade in from ``opacity: 0``; under a dialog the rest is ``aria-hidden``, and yet seen.
    """
    rest = {name: value for name, value in attributes.items() if name != "aria-hidden"}
    return not is_hidden({**rest, "style": _OPACITY.sub("", rest.get("style", ""))})


def is_streamed(element: Element | Attributes) -> bool:
    """What React sends late stands hidden at the end and is moved into its place (``$RC``)."""
    return str(element.get("id") or "").startswith("S:")


def _plain_style(style: str) -> str:
    """Return a style without what a browser passes over: comments and escapes."""
    if "/*" in style:
        style = _COMMENT.sub("", style)
    return _ESCAPE.sub(_unescape, style) if "\\" in style else style


def _unescape(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16) % 0x110000) if escape[1] else escape[2]


_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)


@keep_if_short(4096)
def _hides(style: str) -> bool:
    if _HIDING_STYLE.search(style):
        return True
    if "overflow" in style and _NO_HEIGHT.search(style):
        return True
    colour = _COLOUR.search(style)
    return colour is not None and _shade(colour[1]) == CLEAR


def blends_in(element: Element, tag: str, attributes: Attributes) -> bool:
    """Whether a text has the colour of what is behind it, as far as the elements around it say.

    What they do not say is in style sheets; but in a line of other text, white is on white.
    """
    shade = _colour_of(tag, attributes) if "style" in attributes or tag == "font" else None
    if shade is None:
        return False
    around = (element, *islice(element.iterancestors(), MAX_AROUND))
    behind = next(filter(None, map(_background_of, around)), None)
    if behind is None:
        return shade == PAPER and tag in INLINE and _is_in_line(element)
    return shade == behind


def _is_in_line(element: Element) -> bool:
    """Whether the element, without a class of its own, stands in a line of text."""
    line = element.getparent()
    if line is None or "class" in element.attrib:
        return False
    texts = (line.text, *(each.tail for each in islice(line.iterchildren(), MAX_AROUND)))
    return sum(len((text or "").strip()) for text in texts) >= MIN_LINE


def _colour_of(tag: str, attributes: Attributes) -> str | None:
    style = attributes.get("style", "")
    colour = _COLOUR.search(style) if "color" in style.lower() else None
    written = colour[1] if colour else attributes.get("color", "") if tag == "font" else ""
    return _shade(written) if written else None


def _background_of(element: Element) -> str | None:
    """Return the colour that an element has, what else is behind its text, or None."""
    background = _BACKGROUND.search(element.get("style") or "")
    written = background[1] if background else element.get("bgcolor") or ""
    shade = _shade(written)
    return None if shade in {"", CLEAR, "none", "inherit", "initial"} else shade


PAPER = "#ffffff"
MAX_AROUND = 30
MIN_LINE = 20
CLEAR = "transparent"
_NAMED = {
    "white": "#ffffff",
    "black": "#000000",
    "rgb(255,255,255)": "#ffffff",
    "rgb(0,0,0)": "#000000",
}
_CLEAR = re.compile(
    r"(?:rgb|hsl)a\((?:[^(),]*,){3}0*\.?0*%?\)|(?:rgb|hsl)a?\([^()]*/0*\.?0*%?\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0"
)


def _shade(colour: str) -> str:
    plain = re.sub(r"\s", "", colour.lower())
    if _CLEAR.fullmatch(plain):
        return CLEAR
    if re.fullmatch(r"#[0-9a-f]{3}", plain):
        plain = "#" + "".join(digit * 2 for digit in plain[1:])
    return _NAMED.get(plain, plain)


@keep_if_short(4096)
def _is_hiding_class(classes: str) -> bool:
    lowered = classes.lower()
    return _HIDING_CLASS.search(lowered) is not None and not _SHOWN_WIDER.search(lowered)


def is_folded(element: Element, tag: str) -> bool:
    """Whether a child of a ``<details>`` is folded away: it is closed."""
    if tag == "summary":
        return False
    parent = element.getparent()
    return parent is not None and "open" not in parent.attrib


_MAY_HIDE = re.compile("none|hidden|opacity|font-size|-9")
_SIMPLE = re.compile(r"([.#])(-?[_a-zA-Z][\w-]*)")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
MAX_STYLE = 100_000


def hidden_names(root: Element) -> frozenset[str]:
    """Return the classes and ids, with their ``.`` or ``#``, that a style sheet in the page hides.

    Only rules outside of ``@media`` and the like count, and only selectors of one name.
    """
    names: set[str] = set()
    for style in root.iter("style"):
        text = style.text or ""
        if len(text) <= MAX_STYLE and _MAY_HIDE.search(text):
            names.update(_names_hidden_by(_COMMENT.sub("", text)))
    return frozenset(names)


def _names_hidden_by(css: str) -> set[str]:
    names: set[str] = set()
    for rule in _without_blocks(css).split("}"):
        if _MAY_HIDE.search(rule) is None:
            continue
        selectors, _, style = rule.rpartition("{")
        if _hides(style.strip()):
            found = (_SIMPLE.fullmatch(each.strip()) for each in selectors.split(","))
            names.update(name[0] for name in found if name is not None)
    return names


def _without_blocks(css: str) -> str:
    """Return the rules of a style sheet that apply always: those of no ``@`` block."""
    kept: list[str] = []
    start = at = 0
    while (at := css.find("@", start)) >= 0:
        kept.append(css[start:at])
        start = _end_of_block(css, at)
    return "".join([*kept, css[start:]])


_BRACE = re.compile(r"[{};]")


def _end_of_block(css: str, start: int) -> int:
    depth = 0
    for brace in _BRACE.finditer(css, start):
        if brace[0] == "{":
            depth += 1
        elif brace[0] == "}":
            depth -= 1
        if depth <= 0:
            return brace.end()
    return len(css)


def is_hidden_by_name(element: Element, attributes: Attributes, names: frozenset[str]) -> bool:
    """Whether a style sheet hides a short text; what is longer waits for a script or a click."""
    name = attributes.get("id")
    if not (name and f"#{name}" in names):
        classes = attributes.get("class", "").split()
        if not any(f".{each}" in names for each in classes):
            return False
    return len("".join(islice(element.itertext(), 100)).strip()) <= MAX_HIDDEN_TEXT


MAX_HIDDEN_TEXT = 400
