"""Lines and links that say nothing but what can be clicked."""

import re

from crawler.extraction.content.node import Node

CONTROL = 60
"""Characters that a line of controls holds at most."""
FORM = 0.2
"""Share of the zone below which a form holds questions, and no content."""
ACCOUNT = 160
"""Characters below which a text that begins by signing in is about nothing else."""
BUTTON = 30
"""Characters that a button says at most; a longer link is a title with a button's frame."""
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
_ACCOUNT = re.compile(
    r"(?:please )?(?:sign|log) ?in to\b"
    r"|you(?:\W?re| are| must| need to)\b.{0,20}\b(?:signed|logged|log|sign|register)",
    re.IGNORECASE,
)
_BUTTON = re.compile(r"[ -](?:btn|button|cta)(?!-link)(?=[ -])")


def remove_controls(zone: Node) -> None:
    """Remove buttons, blocks that say nothing but what can be clicked, and lines on signing in."""
    for node in zone.walk():
        if node.tag in {"a", "button"} and 0 < node.size <= BUTTON and _BUTTON.search(node.label):
            node.remove()
    for node in zone.innermost_blocks():
        if node.size < ACCOUNT and node.is_within(zone) and _is_control(node):
            node.remove()


def _is_control(node: Node) -> bool:
    text = node.plain_text()
    return (node.size <= CONTROL and says_control(text)) or _ACCOUNT.match(text) is not None


def says_control(text: str) -> bool:
    return _CONTROL.match(text) is not None


def remove_forms(zone: Node) -> None:
    """Remove what is asked of a reader: forms, but for one that the page stands in."""
    for node in zone.walk():
        if node.tag == "form" and node.size < FORM * zone.size and node.is_within(zone):
            node.remove()
