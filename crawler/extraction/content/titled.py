"""Boxes that a page sets beside its content, known by their title."""

import re
from collections import Counter

from crawler.document.text import HEADINGS
from crawler.extraction.content.node import Node

MAX_TITLES = 200
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


def remove_titled_boxes(zone: Node) -> None:
    """Remove what follows a title such as *Related products*, up to the next title of its rank."""
    titles = [
        node
        for node in zone.walk()
        if 0 < node.size <= 80 and node.tag in HEADINGS and _TITLES.match(node.plain_text())
    ]
    times = Counter(title.plain_text() for title in titles)
    for title in titles[:MAX_TITLES]:
        is_of_each_member = times[title.plain_text()] > 2
        if title.is_within(zone) and not is_of_each_member:
            _remove_box(title, zone)


def _remove_box(title: Node, zone: Node) -> None:
    box = title
    while (
        box.parent is not None
        and box.parent is not zone
        and _may_go(box.parent, zone)
        and _is_led_by(box.parent, title)
    ):
        box = box.parent
    if box.size <= title.size * 1.2:
        _remove_following(box, title, zone)
    box.remove()


def _is_led_by(box: Node, title: Node) -> bool:
    """Whether *title* is the first heading in *box*, and none of its rank comes after it."""
    headings = [node for node in box.walk() if node.tag in HEADINGS]
    return headings[0] is title and not any(each.tag <= title.tag for each in headings[1:])


def _may_go(box: Node, zone: Node) -> bool:
    return box.prose < 0.3 * zone.prose + 1 and box.size < 0.5 * zone.size


def _remove_following(box: Node, title: Node, zone: Node) -> None:
    if box.parent is None:
        return
    siblings = list(box.parent.children)
    for sibling in siblings[siblings.index(box) + 1 :]:
        if any(each.tag in HEADINGS and each.tag <= title.tag for each in sibling.walk()):
            return
        is_text = sibling.tag == "p" and sibling.link_share < 0.5
        if is_text or not _may_go(sibling, zone):
            return
        sibling.remove()
