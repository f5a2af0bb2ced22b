"""Whether an event takes place: a word of schema.org, or what a page writes in its stead."""

import re

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.extraction.fields.reading import MAX_LABEL, Context, Unreadable
from crawler.extraction.fields.text import read_text
from crawler.extraction.fields.tokens import fold, look_up, read_word

STATUSES = {
    "eventscheduled": "scheduled",
    "eventrescheduled": "rescheduled",
    "eventpostponed": "postponed",
    "eventcancelled": "cancelled",
    "eventcanceled": "cancelled",
    "eventmovedonline": "moved_online",
    "scheduled": "scheduled",
    "rescheduled": "rescheduled",
    "postponed": "postponed",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "movedonline": "moved_online",
    "confirmed": "scheduled",  # RFC 5545, 3.8.1.11
    "tentative": "tentative",
}
_SAID = {
    "cancelled": "cancell?ed|abgesagt|entfällt|fällt aus|annulée?|cancelad[oa]|anulad[oa]|annullat[oa]"
    "|geannuleerd|afgelast|inställt|inställd|aflyst|avlyst|odwołan[aey]|zrušen[oa]|отменен[оаы]?|отменён",
    "postponed": "postponed|verschoben|reportée?|aplazad[oa]|pospuest[oa]|adiad[oa]|rinviat[oa]|uitgesteld"
    "|uppskjut(?:en|et)|udsat|utsatt|przełożon[aey]|odložen[oa]|перенесен[оаы]?",
    "rescheduled": "rescheduled",
    "moved_online": "moved online",
}
"""The words of a page, by what they say."""
_EVENT = (
    r"(?:(?:the|this|our|die|das|der|le|la|cet|cette|el|il|de|het)\s+)?(?:(?:event|meeting|hearing|session|show"
    r"|concert|class|workshop|lecture|talk|performance|veranstaltung|konzert|vorstellung|termin|sitzung|événement"
    r"|spectacle|évènement|réunion|evento|concierto|reunión|concerto|riunione|voorstelling|bijeenkomst)\s+)?"
)
_IS = (
    r"(?:(?:is|was|has been|have been|wurde|ist|wird|a été|est|ha sido|está|foi|è stat[oa]|è|is"
    r"|werd|er|är|har blivit)\s+)?"
)
_MORE = (
    r"(?:\s+(?:due to|because of|owing to|until|till|to|from|by|for|on|wegen|aufgrund|bis|auf|vom|en raison|jusqu|au|du"
    r"|por|debido|hasta|al|causa|a causa|fino|tot|wegens|op|på grund|till|til|z powodu|na)\b.*)?"
)
_SENTENCES = {
    status: re.compile(rf"{_EVENT}{_IS}(?:{words}){_MORE}", re.IGNORECASE)
    for status, words in _SAID.items()
}
_SHOUTED = {
    status: re.compile(rf"(?:{word})\s+(?=[A-Z][a-z])")
    for status, word in {
        "cancelled": "CANCELL?ED",
        "postponed": "POSTPONED",
        "rescheduled": "RESCHEDULED",
    }.items()
}
"""A word in capitals before a title that is not."""
_APART = re.compile(r"\s[\-\u2013\u2014]\s|[:|()\[\]*;,!]|\.(?=\s|$)")
_UNKNOWN_PLACE = re.compile(
    r"(?:(?:venue|location|place|ort|lieu|lugar|luogo)\s*:?\s*)?"
    r"(?:t\.?\s?b\.?\s?[acd]\.?|to be (?:announced|confirmed|decided|determined)"
    r"|wird noch bekannt ?gegeben|à confirmer|à préciser|por confirmar|da definire|n/a|[-\u2013\u2014?]+)",
    re.IGNORECASE,
)


def read_status(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """Read one word, or a text in which signs set what it says of the event apart."""
    found = look_up(raw, context, STATUSES, "status")
    text = read_word(raw, context) if isinstance(found, Unreadable) else None
    if not isinstance(text, str) or "://" in text or len(text) > MAX_LABEL:
        return found
    named = {status for part in _APART.split(text) if (status := _said(part.strip()))}
    return named.pop() if len(named) == 1 else found


def read_place(raw: JsonValue, context: Context) -> str | Missing | Unreadable:
    """Read the name of a place; that an event is cancelled, or its place unknown, is none."""
    text = read_text(raw, context)
    if not isinstance(text, str) or len(text) > MAX_LABEL:
        return text
    opening = _APART.split(text.lstrip(" *("), maxsplit=1)[0].strip()
    if _UNKNOWN_PLACE.fullmatch(text) or _sentence(opening):
        return Missing.ABSENT
    return text


def _said(part: str) -> str | None:
    shouted = (status for status, form in _SHOUTED.items() if form.match(part))
    return STATUSES.get(fold(part)) or _sentence(part) or next(shouted, None)


def _sentence(part: str) -> str | None:
    return next((status for status, form in _SENTENCES.items() if form.fullmatch(part)), None)
