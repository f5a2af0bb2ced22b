"""What is taken out of a chosen zone: boxes known by their title, controls, repeats, link lists."""

import re
from collections import Counter
from collections.abc import Iterable

from crawler.document.text import HEADINGS
from crawler.extraction.content.apart import INLINE
from crawler.extraction.content.kind import PageType
from crawler.extraction.content.node import Node
from crawler.extraction.content.prose import long_text

MAX_TITLES = 200
SHORT = 250
ACCOUNT = 160
"""Characters below which a text that begins by signing in is about nothing else."""
BUTTON = 30
"""Characters that a button says at most; a longer link is a title with a button's frame."""
LINK_LIST = 120
"""Characters that a block of links holds at least, to be a list of other things."""
_TITLES = re.compile(
    r"(?:(?:you (?:may|might)|customers|people|others|users|viewers)\b.{0,20}\b(?:also|like)\b"
    r"|related\b|similar\b|recommended\b|more (?:from|on|like|in|news|stories|articles|posts|to)\b"
    r"|recently viewed|frequently bought|goes well with|complete the look|pairs? (?:well )?with"
    r"|(?:most|trending|popular) (?:read|viewed|popular|now|posts|articles|stories|searches)"
    r"|trending\b|latest (?:news|posts|articles|stories|from)|recent (?:posts|articles|news)"
    r"|read (?:next|more|also)|what to read next|up next|keep reading|don\W?t miss|in other news"
    r"|(?:sign up|subscribe|join)\b.{0,40}\b(?:newsletter|updates|list|inbox|emails?)\b"
    r"|newsletter|subscribe|share (?:this|on|via)|follow us|stay (?:connected|in touch|up to date)"
    r"|about the author|tags?:?$|categories:?$|filed under|advertisement|sponsored\b"
    r"|leave a (?:reply|comment)|join the (?:conversation|discussion)|(?:\d+ )?comments?(?:"
    r" \(\d+\))?$"
    r"|das könnte|ähnliche|verwandte|mehr zum thema|weitere (?:artikel|themen|beiträge)"
    r"|vous aimerez|articles? (?:liés|similaires)|à lire aussi|sur le même sujet"
    r"|te puede interesar|artículos relacionados|noticias relacionadas|productos relacionados"
    r"|leia (?:mais|também)|veja (?:mais|também)|notícias relacionadas|potrebbe(?:ro)? interessart"
    r"|articoli correlati|leggi anche|читайте также|похожие)",
    re.IGNORECASE,
)
_SHOP_TITLES = re.compile(
    r"(?:(?:[\w'-]+ ){0,2}(?:reviews?|ratings?)\b.{0,25}$|(?:what|see what) .{0,20}(?:are )?saying"
    r"|(?:[\w'-]+ )?(?:shipping|delivery|returns?|exchanges?|refunds?)\b"
    r"|(?:[\w'-]+ )?payments?\b|financing\b|trade.?in\b|how do you want"
    r"|(?:often|frequently|commonly) (?:bought|purchased|paired)|buy (?:it|them) with|bundle\b"
    r"|people who (?:viewed|bought)|(?:more|other|seller\W?s other) items|all listings"
    r"|about (?:this|the) (?:seller|shop|store|brand)|meet your seller|shop policies|sold by"
    r"|(?:explore|browse|shop|discover) (?:more|related|by|all|our|the)\b|best.?sell(?:ers|ing)"
    r"|compare\b|(?:more|seller) options|questions? (?:&|and) answers?|(?:have|ask) a question"
    r"|need (?:help|more)|contact\b|customer (?:service|support|photos)|why (?:buy|shop)\b"
    r"|recent events|legal\b|disclaimers?\b|foot ?notes?\b|important (?:information|notes?)"
    r"|(?:livraison|retours?|paiement|avis|kundenbewertungen|bewertungen|versand|envío|reseñas))",
    re.IGNORECASE,
)
_PAGE_ASIDE = re.compile(
    r"(?:also|related|see (?:more|also)|read (?:more|also|next)|more (?:from|on|news|stories)"
    r"|don\W?t miss|story continues below|continue reading|image \d+ of \d+|tags?|comments?"
    r"|leave a (?:comment|reply)|sign up|subscribe|follow us|click here|watch|listen|most read"
    r"|recommended|join the conversation|voltar|share this)\b",
    re.IGNORECASE,
)
_CONTROL = re.compile(
    r"(?!.*(?:[$€£¥₹%]|\d[.,]\d))"  # no price, rating or share
    r"\W*(?>(?:add to (?:cart|basket|bag|wish ?list|compare)|buy now|shop now|quick (?:view|shop"
    r"|add|look)"
    r"|choose (?:an? )?options?|select options?|view (?:all|more|details|product|cart)|see"
    r" (?:all|more|details)"
    r"|show (?:more|less|all)|load(?:ing)?(?: more)?|read (?:more|less)|learn more|find out more"
    r"|more info"
    r"|search forums?|watch this topic|reply with quote|report(?: inappropriate)? (?:content|post)"
    r"|(?:register|sign up|sign in|log ?in)(?: now| a new account| or)|apply now|back to top"
    r"|to reply to this topic"
    r"|compare|wish ?list|save|share|print|email|close|open|next|prev(?:ious)?|back|menu|search"
    r"|filters?"
    r"|sort(?: by)?|clear(?: all)?(?: filters?)?|reset|apply|cancel|submit|reply|quote|like"
    r"|follow|watch"
    r"|report|edit|delete|copy(?: link| code)?|copied!?|download|sign (?:in|up)|log ?in|register"
    r"|join(?: now)?|subscribe"
    r"|skip to (?:main )?content|top|advert(?:isement)?|sponsored|ad|promoted"
    r"|facebook|twitter|x|linkedin|pinterest|whatsapp|reddit|instagram|youtube|telegram|flipboard"
    r"|swatch|play|pause|mute|video|gallery|zoom|home|new|sale|start thread|improve"
    r" this (?:question|answer)"
    r"|add a comment|upvote|downvote|ask (?:a )?question|sorted by"
    r"|start(?: a)?(?: new)? (?:topic|thread)"
    r"|create an account(?: or)?"
    r"|terms(?: (?:and|&) conditions| of (?:use|service))?|privacy(?: policy)?|cookies?(?: policy)?"
    r"|rss(?: feed)?|powered by|not logged in|who is online|rate this|write a review|view cart"
    r"|you (?:must|are|have to|need to) (?:be )?(?:not )?(?:logged|log|sign(?:ed)?) in"
    r"|to (?:comment|reply)"
    r"|or|here|(?:\d+ )?(?:hour|minute|day|week|month|year)s? ago|\d+(?:"
    r" ?/ ?\d+)?)(?:\W+|$))++$",
    re.IGNORECASE,
)
"""What is said of nothing but controls. Each word is taken once and for good, so that no text costs
more than its length: a longer one stands before those that it begins with.
"""
_RIGHTS = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|copyright (?:©|\d)|all (?:rights|trademarks)\b", re.IGNORECASE
)
_ACCOUNT = re.compile(
    r"(?:please )?(?:sign|log) ?in to\b"
    r"|you(?:\W?re| are| must| need to)\b.{0,20}\b(?:signed|logged|log|sign|register)",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"[†‡§◊∆±]+ ?\w")
_BUTTON = re.compile(r"[ -](?:btn|button|cta)(?!-link)(?=[ -])")
_CALL = re.compile(
    r"(?:get (?:started|a|the|in|your|my)|start (?:free|now|your|a)|book (?:a|now|your)|try"
    r" (?:it|for|free|now)"
    r"|request (?:a|your)|contact (?:us|sales)|talk to|schedule (?:a|your)|sign me|create (?:an?"
    r"|your) account"
    r"|see (?:pricing|plans|how|our|case)|view (?:pricing|plans|our|case)|explore|discover|find out"
    r"|download|watch (?:the|a|now|video|demo)|read (?:the|our|full)|shop|buy|donate|apply)\b",
    re.IGNORECASE,
)
_LISTS = frozenset({"ul", "ol", "div", "section", "dl", "article", "nav", "p", "aside"})
_SHOPS = frozenset({PageType.PRODUCT, PageType.COLLECTION})
_PROSE_TYPES = frozenset({PageType.ARTICLE, PageType.DOCUMENTATION})


def prune(zone: Node, kind: PageType) -> None:
    """Take out of *zone* what does not belong to the content; of a short one, nothing."""
    if zone.size < SHORT:
        return
    remove_titled_boxes(zone, _TITLES)
    if kind is PageType.PRODUCT:
        remove_titled_boxes(zone, _SHOP_TITLES, with_text=True)
        remove_link_lists(zone)
    if kind is PageType.ARTICLE:
        remove_asides(zone)
    if kind is PageType.FORUM:
        keep_messages(zone)
    if kind not in _PROSE_TYPES:
        remove_controls(zone)
        remove_repeats(zone)
        remove_small_print(zone, kind)


def remove_titled_boxes(zone: Node, pattern: re.Pattern[str], *, with_text: bool = False) -> None:
    """Remove what follows a title such as *Related products*, up to the next title of its rank.

    Paragraphs that only follow the title, in no box with it, go *with_text*.
    """
    titles = [
        node
        for node in zone.walk()
        if 0 < node.size <= 80
        and (node.tag in HEADINGS or _reads_as_title(node))
        and pattern.match(_plain(node))
    ]
    times = Counter(map(_plain, titles))
    for title in titles[:MAX_TITLES]:
        is_of_each_member = times[_plain(title)] > 2
        if title.is_within(zone) and not is_of_each_member:
            _remove_box(title, zone, with_text=with_text)


def _reads_as_title(node: Node) -> bool:
    return node.tag in {"div", "p", "strong", "span", "b"} and any(
        word in node.label for word in ("title", "heading", "header", "headline")
    )


def _remove_box(title: Node, zone: Node, *, with_text: bool) -> None:
    box = title
    while (
        box.parent is not None
        and box.parent is not zone
        and _may_go(box.parent, zone)
        and _is_led_by(box.parent, title)
    ):
        box = box.parent
    if box.size <= title.size * 1.2:
        _remove_following(box, title, zone, with_text=with_text)
    box.remove()


def _is_led_by(box: Node, title: Node) -> bool:
    """Whether *title* is the first heading in *box*, and none of its rank comes after it."""
    rank = title.tag if title.tag in HEADINGS else "h4"
    headings = [node for node in box.walk() if node.tag in HEADINGS]
    if headings and title.tag in HEADINGS and headings[0] is not title:
        return False
    return not any(each.tag <= rank for each in headings if each is not title)


def _may_go(box: Node, zone: Node) -> bool:
    return box.prose < 0.3 * zone.prose + 1 and box.size < 0.5 * zone.size


def _remove_following(box: Node, title: Node, zone: Node, *, with_text: bool) -> None:
    if box.parent is None:
        return
    rank = title.tag if title.tag in HEADINGS else "h6"
    siblings = list(box.parent.children)
    for sibling in siblings[siblings.index(box) + 1 :]:
        if any(each.tag in HEADINGS and each.tag <= rank for each in sibling.walk()):
            return
        is_text = sibling.tag == "p" and sibling.link_share < 0.5
        if (is_text and not with_text) or not _may_go(sibling, zone):
            return
        sibling.remove()


def remove_asides(zone: Node) -> None:
    """Remove the title, lists of links, and lines that lead elsewhere from running text."""
    for node in list(zone.walk()):
        if node is not zone and node.size and _leads_elsewhere(node):
            node.remove()


def remove_link_lists(zone: Node) -> None:
    """Remove the lists of other things: blocks of several lines that are links nearly all."""
    for node in zone.walk():
        if node is not zone and node.is_within(zone) and _lists_links(node):
            node.remove()


def _lists_links(node: Node) -> bool:
    if node.tag not in _LISTS or node.size < LINK_LIST or node.link_share < 0.75:
        return False
    return not any(each.tag == "h1" for each in node.walk())


def _leads_elsewhere(node: Node) -> bool:
    if node.tag == "h1":
        return True
    if (node.tag not in _LISTS and node.tag not in HEADINGS) or node.prose > 300:
        return False
    if node.link_share > 0.7 and node.tag not in HEADINGS and node.tag != "p":
        return True
    if (node.size < 200 and node.link_share > 0.5) or node.size < 30:
        text = _plain(node)
        return bool(_PAGE_ASIDE.match(text) or _CONTROL.match(text))
    return False


def keep_messages(zone: Node) -> None:
    """Keep what is said, and drop the short lines around it: names, badges, counters, buttons."""
    sizes = long_text(zone)
    stack = [zone]
    while stack:
        node = stack.pop()
        for child in list(node.children):
            if child.tag in INLINE or child.tag in {"h1", "h2"}:
                continue
            if sizes[child] == 0:
                if child.size and child.tag not in _SAID:
                    child.remove()
            elif sizes[child] < 0.75 * child.size:
                stack.append(child)


_SAID = frozenset({"p", "pre", "blockquote", "ul", "ol", "table"})


def remove_controls(zone: Node) -> None:
    """Remove blocks that say nothing but what can be clicked, and links that are buttons."""
    for node in zone.walk():
        if node.tag in {"a", "button"} and 0 < node.size <= BUTTON and _BUTTON.search(node.label):
            node.remove()
    for node in _blocks(zone):
        if node.size <= 60 and node.is_within(zone) and _is_control(node):
            node.remove()


def _is_control(node: Node) -> bool:
    text = _plain(node)
    if node.link_share == 1.0 and node.size <= 40 and _CALL.match(text):
        return True
    return _CONTROL.match(text) is not None


def remove_repeats(zone: Node) -> None:
    """Remove blocks of words that were said before: sticky copies, carousels, labels of buttons."""
    seen: Counter[str] = Counter()
    for node in _blocks(zone):
        text = _plain(node).lower()
        seen[text] += 1
        if seen[text] > 1 and len(text) > 30 and node.is_within(zone):
            node.remove()


def remove_small_print(zone: Node, kind: PageType) -> None:
    """Remove lines on rights and on signing in; where things are sold, footnotes too."""
    for node in _blocks(zone):
        if node.is_within(zone) and _is_small_print(_plain(node), kind):
            node.remove()


def _is_small_print(text: str, kind: PageType) -> bool:
    if kind in _SHOPS and _FOOTNOTE.match(text):
        return True
    return bool(_RIGHTS.match(text)) or (len(text) < ACCOUNT and _ACCOUNT.match(text) is not None)


def _blocks(zone: Node) -> Iterable[Node]:
    """Return the innermost blocks, those that hold text and inline elements only."""
    return [
        node
        for node in zone.walk()
        if node is not zone
        and node.size
        and node.tag not in INLINE
        and node.tag not in {"td", "th", "tr", "pre"}
        and all(child.tag in INLINE or child.tag == "br" for child in node.children)
    ]


def _plain(node: Node) -> str:
    return " ".join(node.text().split())
