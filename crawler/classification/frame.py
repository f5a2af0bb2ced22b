"""Look past the frame of a site, its menus and footer, at what the page itself says.

A notice in the place of a page is short, but where a site puts it into its own template there is
as much to read around it as around any page.
"""

import re
from dataclasses import dataclass

from crawler.classification import challenge, error_page, sign_on, wall
from crawler.classification.login import find_login
from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_verdict
from crawler.classification.visible_text import count_words, read_words
from crawler.contracts.outcome import Kind, Verdict

MOST_WORDS = 900
"""Of the whole page: one with more to read is hardly all frame."""
MOST_CORE_WORDS = 120
MOST_PARAGRAPHS = 20
"""And pictures, preformatted parts and whatever else begins with the letter."""
MOST_FIELDS = 2
SEARCHED = 384 * 1024
LEAST_LINKS = 3
MENU_LEVELS = 4
"""Lists further inside of others are left alone."""

_RAW = re.compile(
    rb"<(script|style|svg|template|noscript|select)\b[^<]*(?:<(?!/\1)[^<]*)*(?:</[^>]*>?|\Z)",
    re.IGNORECASE,
)
_TAG = re.compile(
    rb"<(/?)(nav|header|footer|aside|ul|ol|a|h1|h2)\b[^>]*(?:>|\Z)",
    re.IGNORECASE,
)
"""Both match up to their end or that of the markup, so that nothing is read twice."""
FRAMES = frozenset({b"nav", b"header", b"footer", b"aside"})
LISTS = frozenset({b"ul", b"ol"})
HEADINGS = frozenset({b"h1", b"h2"})
_FIELD = re.compile(
    rb"<textarea\b|<input\b(?![^>]{0,200}\btype\s*=\s*[\"']?(?:hidden|submit|button|password|checkbox|radio|"
    rb"search)\b)",
    re.IGNORECASE,
)
_ENTITY = re.compile(
    rb"\"@type\"\s*:\s*\[?\s*\"(?:Product|Event|\w+Event|Recipe|JobPosting|Place|Book|Movie|Course|"
    rb"Offer|Person|Dataset|Restaurant|Hotel|LocalBusiness)\"|"
    rb"itemprop\s*=\s*[\"']?(?:price|startDate|recipeIngredient)\b",
)
"""What says that the page is about a thing, whatever else it says."""
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d[.,]\d\d\s?(?:[$€£¥₹]|eur|usd|gbp|chf|zł|kr)")
"""Of goods, about which a page may say where they are not to be had; or of a subscription."""


def _is_told_by_words(sign: Sign) -> bool:
    """Marks in the source say nothing of a large page, and a banner that asks for consent is part of
    many; only a heading makes it a wall.
    """
    is_said = sign.headline is not None or (bool(sign.texts) and sign.kind is not Kind.CONSENT)
    return is_said and not sign.markers and sign.header is None


SIGNS = tuple(
    filter(
        _is_told_by_words,
        (*challenge.SIGNS, *sign_on.SIGNS, *wall.SIGNS, *error_page.SIGNS),
    )
)
PAYWALL_SIGNS = tuple(sign for sign in SIGNS if sign.kind is Kind.PAYWALL)


def find_framed_notice(page: FetchedPage) -> Verdict | None:
    """Return the verdict on a page whose own part is but a notice, or None.

    The page as a whole has passed.
    """
    if not _may_be_framed(page.body):
        return None
    core = FetchedPage(page.url, page.status, page.headers, take_from_frame(page.body))
    if core.word_count > MOST_CORE_WORDS or len(_FIELD.findall(core.body)) > MOST_FIELDS:
        return None
    if _PRICE.search(core.text):
        return find_verdict(core, PAYWALL_SIGNS)
    is_one_form = core.window.count(b"<form") == 1  # With another beside it, one may register.
    return find_verdict(core, SIGNS) or (find_login(core) if is_one_form else None)


def _may_be_framed(body: bytes) -> bool:
    """Tell most pages apart before any of them is taken to pieces; the cheapest sign first."""
    if len(body) > SEARCHED or body.count(b"<p") > MOST_PARAGRAPHS:
        return False
    if len(read_words(body, MOST_WORDS)) > MOST_WORDS:
        return False
    return _ENTITY.search(body) is None


def take_from_frame(markup: bytes) -> bytes:
    """Return *markup* without menus, headers, footers, asides and lists of links.

    Headings stay, wherever they are. What is not closed goes on to the end.
    """
    seen = _RAW.sub(b" ", markup)
    core, position = _Core(), 0
    for tag in _TAG.finditer(seen):
        core.add(seen[position : tag.start()])
        core.meet(tag[2].lower(), tag[0], is_end=bool(tag[1]))
        position = tag.end()
    core.add(seen[position:])
    return b"".join(piece.markup for piece in core.pieces)


@dataclass(frozen=True, slots=True)
class _Piece:
    markup: bytes
    words: int = 0
    link_words: int = 0


class _Core:
    """What has been kept so far, and what is open."""

    def __init__(self) -> None:
        self.pieces: list[_Piece] = []
        self._frames = 0
        self._is_heading = False
        self._is_link = False
        self._lists: list[int] = []
        """Number of pieces before each open list."""

    def add(self, markup: bytes) -> None:
        if not markup or (self._frames and not self._is_heading):
            return
        words = count_words(markup, MOST_WORDS)
        self.pieces.append(_Piece(markup, words, words if self._is_link else 0))

    def meet(self, name: bytes, tag: bytes, *, is_end: bool) -> None:
        if name in FRAMES:
            self._frames = max(0, self._frames + (-1 if is_end else 1))
        elif name == b"a":
            self._is_link = not is_end
        elif name in LISTS:
            self._meet_list(is_end=is_end)
        else:
            self._is_heading = not is_end
        is_kept = name not in FRAMES and (not self._frames or name in HEADINGS)
        if is_kept:
            self.pieces.append(_Piece(tag))

    def _meet_list(self, *, is_end: bool) -> None:
        if not is_end:
            self._lists.append(len(self.pieces))
        elif self._lists:
            start = self._lists.pop()
            if len(self._lists) < MENU_LEVELS and _is_menu(self.pieces[start:]):
                del self.pieces[start:]


def _is_menu(pieces: list[_Piece]) -> bool:
    links = sum(piece.link_words > 0 for piece in pieces)
    words, link_words = (sum(p.words for p in pieces), sum(p.link_words for p in pieces))
    return links >= LEAST_LINKS and link_words * 3 >= words * 2
