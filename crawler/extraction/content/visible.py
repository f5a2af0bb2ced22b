"""Which elements a reader is shown, as far as the page itself says."""

import re
from functools import lru_cache
from itertools import islice

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
    r"|(?<![\w-])opacity\s*:\s*(?:0+(?:\.0*)?|\.0+)\s*%?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0+(?:\.0+)?\s*(?:px|em|rem|pt|%)?\s*(?:;|!|$)"
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
    if ("hidden" in attributes and not is_streamed(attributes)) or attributes.get(
        "aria-hidden"
    ) == "true":
        return True
    style = attributes.get("style")
    if style and _hides(style):
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


@lru_cache(maxsize=4096)
def _hides(style: str) -> bool:
    if _HIDING_STYLE.search(style):
        return True
    if "overflow" in style and _NO_HEIGHT.search(style):
        return True
    colour, background = _COLOUR.search(style), _BACKGROUND.search(style)
    if colour is None:
        return False
    shade = _shade(colour[1])
    return shade == "transparent" or (background is not None and shade == _shade(background[1]))


_NAMED = {"white": "#ffffff", "black": "#000000", "rgb(255,255,255)": "#ffffff"}


def _shade(colour: str) -> str:
    plain = re.sub(r"\s", "", colour.lower())
    if re.fullmatch(r"#[0-9a-f]{3}", plain):
        plain = "#" + "".join(digit * 2 for digit in plain[1:])
    return _NAMED.get(plain, plain)


@lru_cache(maxsize=4096)
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
