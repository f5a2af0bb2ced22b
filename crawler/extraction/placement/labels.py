"""What the words right before and behind a value say it is."""

import re

from crawler.extraction.placement.signs import Sign

_SHIPPING = (
    r"(?:shipping(?: (?:fee|cost|costs|charge|charges|price))?|delivery(?: (?:fee|cost|charge))?"
    r"|postage(?: and packing)?|p ?& ?p|handling|versand(?:kosten)?|lieferkosten|porto|livraison"
    r"|postage (?:&|and) packing|koszty? (?:dostawy|wysyłki)|cena dostawy|poštovné|доставка|frais de port|gastos de envío|envío|spedizione|frete|verzendkosten|frakt)"
)
_OLD = (
    r"(?:old price|list price|rrp|msrp|uvp|srp|original price|originally|retail price|compare at"
    r"|ancien prix|prix barré|prezzo (?:originale|precedente)|precio anterior|alter preis|oude prijs|stara cena"
    r"|preço (?:antigo|anterior))"
)
_MONTHLY = (
    r"(?:/\s*(?:mo|mth|month|monat|mois|mes)\b|(?:per|a|pro|par|al|por|each|every) (?:month|monat|mois|mes)"
    r"\b|monthly\b|mtl\b|monatlich\b|mensuel\w*)"
)
_PARTS_WORD = (
    r"(?:(?:easy|equal|interest[- ]free|monthly|fortnightly|weekly|bi-?weekly)\s+){0,2}"
    r"(?:payments?|instal+ments?|raten|mensualités|cuotas)\b"
)
_PARTS = rf"(?:\d+|two|three|four|six|ten|twelve)\s*(?:x\b|\u00d7|{_PARTS_WORD})"
_REVIEWS = r"(?:reviews?|ratings?|votes?|stars?|bewertungen|rezensionen|avis|opiniones|recensioni)"
_LEAST = r"(?:from|as low as|starting at|only|ab|dès|à partir de|desde)"

_NEAR = r"\W{0,5}(?:(?:from|is|of|only|up to|to [\w ]{2,15})\W{0,4})?$"
"""What may stand between a label and its amount."""
_APART = r"(?:^|[(\[|·,;:\u2013-]\s*)"
"""Words that are verbs elsewhere are a label where nothing stands before them."""

_SIGN = r"^\s*(?:[$€£¥₹₽]|(?:[A-Z]{3}|kr|zł)\b)?\s*"
"""The currency that may stand right behind an amount."""

BEFORE: dict[Sign, re.Pattern[str]] = {
    Sign.SHIPPING: re.compile(
        rf"(?<![^\W_])(?<!free )(?<!gratis )(?<!plus )(?<!excl )(?<!excl\. )(?<!incl )(?<!incl\. )"
        rf"{_SHIPPING}\b{_NEAR}|\borders? (?:over|above)\W*$",
        re.IGNORECASE,
    ),
    Sign.OLD_PRICE: re.compile(
        rf"(?:{_APART}(?:was|were|before|previously|avant|antes|statt|früher)|\b{_OLD})\W*$",
        re.IGNORECASE,
    ),
    Sign.REGULAR_PRICE: re.compile(r"\b(?:regular|normal|full) price\W*$", re.IGNORECASE),
    Sign.SAVING: re.compile(
        rf"{_APART}(?:you )?(?:save|saving|savings|discount|sparen sie|économisez|ahorra)\b{_NEAR}",
        re.IGNORECASE,
    ),
    Sign.DEPOSIT: re.compile(
        rf"\b(?:deposit|down[- ]payment|anzahlung|kaution|pfand|acompte|anticipo|caution)\b{_NEAR}",
        re.IGNORECASE,
    ),
    Sign.INSTALMENT: re.compile(
        rf"\b{_PARTS}\s*(?:of|de|à|von)?\W*$|^\W*{_PARTS_WORD}\s*(?:of|de|à|von)?\W*$"
        rf"|\b(?:instal+ments?|financing|finance) (?:of|from)\W*$",
        re.IGNORECASE,
    ),
    Sign.RATING: re.compile(r"\b(?:rated|rating|score)\W*$", re.IGNORECASE),
    Sign.UNIT_PRICE: re.compile(
        rf"\b(?:unit price|grundpreis|prix (?:au|à l[ae']?) ?(?:kilo|kg|litre)|prijs per (?:kilo|liter))\b{_NEAR}",
        re.IGNORECASE,
    ),
    Sign.MEMBER_PRICE: re.compile(
        rf"{_APART}(?:members?(?: only)?|members?'? price|club price|clubpreis|with (?:card|membership))\b\W*$",
        re.IGNORECASE,
    ),
    Sign.OTHER_AMOUNT: re.compile(
        rf"{_APART}(?:coupon|voucher|gutschein|sub-?total|zwischensumme|(?:sales )?tax|vat|mwst|insurance|gift wrap(?:ping)?"
        rf"|min(?:imum|\.)? order(?: value)?|mindestbestellwert|booking fee|service fee)\b{_NEAR}"
        rf"|\b(?:year|month)s? (?:extended )?warranty\b{_NEAR}"
        r"|^\s*days?\b[^\d]{0,10}$",
        re.IGNORECASE,
    ),
    Sign.COPYRIGHT: re.compile(
        r"(?:©|\(c\)|\bcopyright\b|\ball rights reserved\b)[^\d]{0,40}(?:\d{4}\s*[-\u2013]\s*)?$",
        re.IGNORECASE,
    ),
}
BEHIND: dict[Sign, re.Pattern[str]] = {
    Sign.SHIPPING: re.compile(
        rf"{_SIGN}(?:(?:for|de|für)\s+)?{_SHIPPING}\b\s*(?:$|[)\].,;|])", re.IGNORECASE
    ),
    Sign.SAVING: re.compile(rf"{_SIGN}(?:off|saved)\b", re.IGNORECASE),
    Sign.DEPOSIT: re.compile(
        rf"{_SIGN}(?:\w+ )?(?:deposit|down[- ]payment|anzahlung|kaution|pfand|d'acompte)\b(?! box)",
        re.IGNORECASE,
    ),
    Sign.INSTALMENT: re.compile(
        rf"{_SIGN}{_MONTHLY}[^\d]{{0,20}}\b(?:for|über|pendant|with|over)\b"
        r"|^[^\d]{0,30}\b(?:klarna|afterpay|affirm|clearpay|sezzle)\b"
        rf"|^\s*{_PARTS_WORD}",
        re.IGNORECASE,
    ),
    Sign.RATING: re.compile(rf"^\s*\)?\s*{_REVIEWS}\b", re.IGNORECASE),
    Sign.COPYRIGHT: re.compile(r"^[^\d]{0,10}(?:©|all rights reserved)", re.IGNORECASE),
}
_FROM = re.compile(rf"(?:^|\W){_LEAST}[\s\W]*$", re.IGNORECASE)
_PER_MONTH = re.compile(rf"{_SIGN}{_MONTHLY}", re.IGNORECASE)


def read_label(before: str, behind: str) -> frozenset[Sign]:
    """Return what the words around a value, up to the numbers beside it, say it is."""
    found = {sign for sign, pattern in BEFORE.items() if pattern.search(before)}
    found |= {sign for sign, pattern in BEHIND.items() if pattern.search(behind)}
    if _FROM.search(before) and _PER_MONTH.search(behind):
        found.add(Sign.INSTALMENT)
    return frozenset(found)


_DAY_WORDS = (
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.,]?\s*)"
    r"{0,2}"
)
_DATE_ROLES: dict[str, re.Pattern[str]] = {
    role: re.compile(
        rf"(?:^|[\s|·,;(]){words}\s*(?:on|am|le|date|at)?\s*[:\u2013-]?\s*{_DAY_WORDS}$",
        re.IGNORECASE,
    )
    for role, words in {
        "published": r"(?:first )?(?:published|posted|veröffentlicht|publié|publicado)",
        "modified": r"(?:last )?(?:updated|modified|edited|aktualisiert|mis à jour|actualizado)",
        "starts": r"(?:starts?|begins?|beginn|start date|début)",
        "ends": r"(?:ends?|end date|ende|closes)",
        "expires": r"(?:expires?|valid (?:until|through)|deadline|apply by|closing date)",
    }.items()
}
_FIELD_ROLES: dict[str, re.Pattern[str]] = {
    "published": re.compile(r"^(?:date_)?(?:published|posted)"),
    "modified": re.compile(r"^(?:date_)?(?:modified|updated)|^last_(?:modified|updated)"),
    "starts": re.compile(r"^(?:starts?|begins?)(?:_|$)"),
    "ends": re.compile(r"^ends?(?:_|$)"),
    "expires": re.compile(r"^(?:expires?|valid_(?:until|through)|deadline)(?:_|$)"),
}


def names_other_date(field: str, before: str) -> bool:
    """Whether the label is that of another date than the one the field is named after."""
    own = next((role for role, names in _FIELD_ROLES.items() if names.search(field)), None)
    said = {role for role, label in _DATE_ROLES.items() if label.search(before)}
    return own is not None and bool(said) and own not in said
