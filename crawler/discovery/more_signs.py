"""What shows a reader that a listing has further parts, whether or not anything leads there.

For listings that lead to none by the rules of the site file. A sign that is not one would call a
whole collection incomplete, so only what says it outright counts.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from urllib.parse import urlsplit

from crawler.contracts.page import MoreSign, Shown
from crawler.discovery.more_words import LOAD_MORE, OF, PAGE
from crawler.discovery.next_page import (
    find_continuing,
    is_aside,
    is_of_others,
    number_in,
    strip_edges,
)
from crawler.document.document import Document, Node
from crawler.document.text import block_text, own_text

MAX_URL = 2_000
MAX_LINE = 120
MAX_LINES = 20_000
MAX_NODES = 2_000
MAX_PAGERS = 20
MAX_PIECES = 20

_INT = r"[0-9]{1,3}(?:[., \u00a0\u202f'][0-9]{3})+|[0-9]{1,7}"
_TO = "[-\u2010-\u2015~]|to|bis|au?|à|al?|do|tot|til|till|até|по|до"
_RANGE = re.compile(
    rf"(?<![\w.,:/-])({_INT})\s*(?:{_TO})\s*({_INT})\s+(?:{OF})\s*({_INT})(?![\w/:])", re.IGNORECASE
)
_PAGE_OF = re.compile(
    rf"(?<!\w)(?:{PAGE})\.?\s*([0-9]{{1,5}})\s*(?:\b(?:{OF})\b|/)\s*([0-9]{{1,5}})(?![\w/])"
    r"|(?<![\w/])([0-9]{1,5})\s*/\s*([0-9]{1,5})\s*(?:ページ|页|頁|페이지)"
    r"|第\s*([0-9]{1,5})\s*[页頁]\W{0,3}[共全]\s*([0-9]{1,5})\s*[页頁]",
    re.IGNORECASE,
)
_YEARS = range(1900, 2101)
MIN_PART = 8
"""Fewer are a year's issues or days sooner than a part of so many items."""
_PAGERS = "|".join(
    f"//*[contains(@{name}, '{word}')]"
    for name in ("class", "id")
    for word in ("pagin", "Pagin", "pager", "paging", "page-numbers", "pagenav")
)
_BUTTONS = "//button | //*[@role='button'] | //input[@type='button' or @type='submit'] | //a"
_CURRENT = re.compile(
    r"(?:^|[\s_-])(?:is-?)?(?:current|active|selected)(?:$|[\s_-])", re.IGNORECASE
)
_DIGITS = re.compile(r"[0-9]{1,5}")


def find_more_sign(document: Document) -> MoreSign | None:
    found = ((shown, find(document)) for shown, find in SIGNS.items())
    return next((MoreSign(shown, what) for shown, what in found if what), None)


def _find_link(document: Document) -> str | None:
    url = find_continuing(document)
    return url if url and len(url) <= MAX_URL else None


def _find_pager(document: Document) -> str | None:
    if not document.holds(b"pag"):
        return None
    for pager in islice(document.xpath(_PAGERS), MAX_PAGERS):
        assert isinstance(pager, Node)
        if is_aside(pager) or is_of_others(pager):
            continue
        numbered = {number: leaf for leaf in _leaves(pager) if (number := _number(leaf))}
        here = _find_current(numbered) or number_in(document.url) or _first_of(document)
        if here is not None and here + 1 in numbered:
            return str(max(numbered))
    return None


def _leaves(pager: Node) -> Iterator[Node]:
    return islice(pager.iter("a", "button", "span", "li", "strong", "b"), MAX_NODES)


def _number(leaf: Node) -> int:
    text = own_text(leaf)
    return int(text) if _DIGITS.fullmatch(text) else 0


def _find_current(numbered: Mapping[int, Node]) -> int | None:
    """Return the number that is marked, or is the only one that leads nowhere."""
    marked = [number for number, leaf in numbered.items() if _is_marked(leaf)]
    still = [number for number, leaf in numbered.items() if not _is_control(leaf)]
    return next((found[0] for found in (marked, still) if len(found) == 1), None)


def _is_marked(leaf: Node) -> bool:
    around = [leaf, leaf.getparent()]
    names = (each.get("class") or "" for each in around if each is not None)
    is_said = any(each is not None and each.get("aria-current") for each in around)
    return is_said or any(_CURRENT.search(name) for name in names)


def _is_control(leaf: Node) -> bool:
    around = (leaf, *islice(leaf.iterancestors(), 2))
    return any(each.tag in {"a", "button"} for each in around)


def _first_of(document: Document) -> int | None:
    """Tell that the page is the first by its address, which counts nothing."""
    parts = urlsplit(document.url)
    return None if parts.query or re.search(r"[0-9]", parts.path) else 1


def _find_count(document: Document) -> str | None:
    for line in _iterate_lines(document):
        if _says_range(line) or _says_page(line):
            return repr(line)
    return None


def _iterate_lines(document: Document) -> Iterator[str]:
    if document.root is not None and (body := document.root.find("body")) is not None:
        lines = block_text(body).splitlines()[:MAX_LINES]
        yield from (line for line in lines if len(line) <= MAX_LINE and any(map(str.isdigit, line)))


def _says_range(line: str) -> bool:
    """``1-20 of 340``, where parts are of one size; the year of ``No. 1-2 of 2024`` is no total."""
    for found in _RANGE.finditer(line):
        first, last, total = (int(re.sub(r"\D", "", number)) for number in found.groups())
        is_part = first <= last < total and (first - 1) % (last - first + 1) == 0
        if is_part and not (total in _YEARS and (first > 1 or last < MIN_PART)):
            return True
    return False


def _says_page(line: str) -> bool:
    for found in _PAGE_OF.finditer(line):
        here, total = (int(number) for number in found.groups() if number)
        if 0 < here < total:
            return True
    return False


def _find_button(document: Document) -> str | None:
    for node in islice(document.xpath(_BUTTONS), MAX_NODES):
        assert isinstance(node, Node)
        label = _read_label(node)
        if label in LOAD_MORE and _acts(node) and not _is_away(node):
            return repr(label)
    return None


def _read_label(node: Node) -> str:
    """Look at so much of the text as a label may have: elements that nobody closes hold the page."""
    text = "".join(islice(node.itertext(), MAX_PIECES))[:MAX_LINE].strip()
    label = text or node.get("value") or node.get("aria-label") or ""
    return strip_edges(" ".join(label[:MAX_LINE].lower().split()))


def _acts(node: Node) -> bool:
    """A link that leads to another page may show anything there."""
    href = (node.get("href") or "").strip().lower()
    return node.tag != "a" or not href or href.startswith(("#", "javascript:"))


def _is_away(node: Node) -> bool:
    """Nothing that a reader could use, or no part of the listing."""
    if node.get("disabled") is not None:
        return True
    around = (node, *islice(node.iterancestors(), 8))
    return any(each.tag in {"aside", "footer", "dialog"} or _is_hidden(each) for each in around)


def _is_hidden(node: Node) -> bool:
    style = "".join((node.get("style") or "").lower().split())
    return node.get("hidden") is not None or "display:none" in style


SIGNS: Mapping[Shown, Callable[[Document], str | None]] = {
    Shown.LINK: _find_link,
    Shown.PAGER: _find_pager,
    Shown.BUTTON: _find_button,
    Shown.TEXT: _find_count,
}
