"""One amount of money out of a label: never a quantity, a range, or what was asked before."""

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.contracts.outcome import RejectReason
from crawler.extraction.fields.number import (
    CODE,
    MAX_DIGITS,
    THREE,
    plain_decimal,
    read_number,
    write_plainly,
)
from crawler.extraction.fields.reading import MAX_LABEL, Context, Unreadable, shorten
from crawler.extraction.fields.text import clean_text

_NAMES = (
    "Lek|Nu|Nfk|MK|B/|S/|USh|U[Gg]X|KShs?|TSh|FRw|FBu|FG|FCFA|F?CFA|Fdj|SFr|NT|NIS|nis|Rbl|VNĐ|VND|stg|mkd|"
    "ден|kn|Kn|Kz|Ks|Lt|Ls|Lm|Db|DH|DA|DT|VT|Vt|Bs|Bs\\.F|Rf|Re|leu|[Ff]rancs?|[Ff]ranken|[Pp]esos?|[Rr]iels?|[Rr]and|"
    "[Rr]upees?|[Pp]ounds?|[Yy]en|[Yy]uan|[Mm]anat|ман|сом|сум|so['\u02bb\u2018\u2019]m|тенге|драм|դր|դրամ|лари|ლარი|ლ|den|дин|"
    '元|圓|圆|円|원|人民币|人民幣|đ|រៀល|រ|ש״ח|ש"ח|د\\.[إكبعلتمج]|ل\\.[دسل]|ر\\.[قيسع]|ج\\.م|دج|دينار|نافكا|ரூ|රු|রু|৳'
)
"""What money is called where it has no sign; single letters mean too many other things."""
_SIGN = (
    r"(?:[A-Z]{1,3}\s?[$€£¥₹₩₽₺₴฿₫₪₱₦]|[$€£¥₹₩₽₺₴฿₫₪₱₦₡₲₵₸₼₾₭₮֏]|(?<![A-Za-z])"
    + CODE
    + r"(?![A-Za-z])"
    r"|(?<![^\W\d])(?:[Kk]r|zł|zl|[Kk]č|Ft|[Ll]ei|Rs|Rp|RM|Fr|TL|R|Br|Dh|KM|[Dd]in(?:ara)?"
    r"|[Ee]uros?|[Dd]ollars?|руб|грн|лв|тг|Р|р|元|円|บาท|درهم|ريال|ریال|جنيه|تومان|"  # noqa: RUF001 - Cyrillic on purpose
     + _NAMES + r")(?![^\W\d])\.?)"
)
_DIGITS = r"(?:\d[\d.,'\u2019]*(?: \d{3}(?!\d)[\d.,'\u2019]*)*|[.,]\d{1,2}(?![\d.,]*\d))"
_IN_NAME = r"A-Za-z\u00c0-\u024f\u0370-\u052f"
"""Letters of scripts that put a space between words: ``S23`` is a name."""
_AMOUNT = re.compile(
    rf"(?:(?<![^\s(])(?P<below>[-\u2212])(?={_SIGN}?\d))?(?P<sign>(?:{_SIGN}\s*:?\s*))?"
    rf"(?(sign)|(?<![{_IN_NAME}\d]))(?P<minus>-(?=\d))?(?P<digits>{_DIGITS})"
    rf"(?:[-\u2013\u2014]{{1,2}}(?!\s*{_SIGN}?[\s\d]*\d))?"
    rf"(?P<behind>(?:{_SIGN}|\s+{_SIGN}(?!\d))(?(sign)(?!\s*\d)))?"
)
"""A sign between two amounts is that of the second one where the first has its own before it, and where
it touches the second one alone."""
_OLD = re.compile(
    r"\b(?:was|before|reg(?:ular(?:ly)?)?\.?(?: price)?|rrp|msrp|list(?: price)?|old price|orig(?:inal)?"
    r"(?:ly|inally)?\.?(?: price)?|statt|uvp|früher|vorher|antes|avant|au lieu de|prezzo originale|you save|save"
    r"|previous(?:ly)?)\b[\s:]*",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"(?:(?:admission|entry|entrance|tickets?|cost|price|fee|eintritt|entrée|entrada|ingresso|toegang|vstup|wstęp)"
    r"\s*(?:is|ist)?\s*[:\-\u2013]?\s*)?"
    r"(?:free|gratis|gratuite?|gratuit[oa]|kostenlos|kostenfrei|frei|libre|liber[oa]|zdarma|bezpłatny|no (?:charge|cost|fee))"
    r"(?:\s+(?:admission|entry|entrance|event|ticket|of charge|to attend|(?:and|&) open to the public|with (?:rsvp|registration)"
    r"|eintritt|toegang|entré|inträde))?[!.]?",
    re.IGNORECASE,
)
_FREE_FOR_SOME = re.compile(
    r"\bfree (?:for|to|with|under|if|entry|admission)\b|\b(?:members|children|kids|under \d+)\W+free\b",
    re.IGNORECASE,
)
_SPLIT_DECIMALS = re.compile(r"(?<=\d)(?:([.,])\s|\s([.,])\s?)(\d{2})(?!\d)")
_SPLIT_BY_SIGN = re.compile(r"([^€$£]*\d)(?:([€$£])\s?|\s([€$£])\s)(\d{2})([^€$£\w]*)")
"""``8. 94`` and ``35€ 99``: one amount in two pieces. ``$30 $20`` are two."""
_TAKEN_OFF = re.compile(
    r"\s*(?:%|off|discount|cashback|rabatt|de (?:réduction|remise)|de descuento)(?!\w)",
    re.IGNORECASE,
)
"""Words behind an amount that is no price, but what is taken off one."""
_OTHER_UNIT = re.compile(
    r"\s?(?:[kKmM](?![\w/])|[mb]n\b|mio\b|mrd\b|millions?\b|billions?\b|¢|cents?\b|ct\b|p(?![\w/]))",
    re.IGNORECASE,
)
"""Behind an amount of thousands, millions or hundredths."""
_NO_AMOUNT = re.compile(
    r"(?:[#№]|\b(?:sku|isbn|ref|art|nr|item|model)[.:]?)\s*$"
    r"|\b(?:payments?|instal?lments?|raten|mensualités|cuotas|rate)\s*(?:of|à|de|da|von|zu|for)?\s*$",
    re.IGNORECASE,
)
"""Words before a number that is none, or before an amount that is a part of one."""
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approx(?:imately)?|ca|circa|roughly|etwa|environ|unos|cerca de)\b\.?|[~\u2248])\s*$",
    re.IGNORECASE,
)
_WESTERN = {
    "\u066b": ".",
    "\u066c": ",",
    "\uffe5": "¥",
    "\uff04": "$",
    "\uff0e": ".",
    "\uff0c": ",",
}
_LEAST = re.compile(
    r"\b(?:over|more than|above|über|mehr als|plus de|más de|oltre|more|від|от|alkaen|da)\s*$"
    r"|\b(?:from|starting at|as low as|at least|ab|mindestens|desde|à partir de|a partir de|vanaf|från|fra|od)\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:under|less than|below|unter|weniger als|moins de|menos de|meno di|до)\s*$"
    r"|\b(?:up to|at most|bis(?: zu)?|jusqu'à|hasta|fino a|até|tot|upp till|opp til|op til|do)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*(?:[-\u2013\u2014]|to|and|bis|und|à|et|a|y|e|até|tot|en|till|til|do)\s*", re.IGNORECASE
)
_OPENING = re.compile(
    r"\b(?:from|between|von|zwischen|ab|de|entre|da|tra|fra|van|od)\b", re.IGNORECASE
)
_LABEL_WORD = (
    r"(?:each|inc(?:l(?:uding)?)?|excl?|gst|vat|mwst|tax|price|our price|your price|sale price"
    r"|special price|unit price|total|now|only|preis|prix|precio|prezzo|cena|prijs|pris|nur|jetzt"
    r"|цена|ціна|стоимость|cijena|preț|fiyat|hinta)"
)
_LABEL = re.compile(rf"[\W\d_]*(?:{_LABEL_WORD}[\W\d_]*)*", re.IGNORECASE)
_NAMED = re.compile(r"(?P<word>[^\W_]+)[ -]\Z")
"""A word right before an amount: its number may be the first one of what looks like an amount."""
_SAYS_PRICE = re.compile(
    rf"{_LABEL_WORD}|{_SIGN}|from|at|as|least|ab|von|de|desde|da|van|vanaf|fra|från|od|bis|to|up|do|tot|for"
    r"|für|pour|por|för|za|per",
    re.IGNORECASE,
)
_THREE_DECIMALS = re.compile(r"\b(?:KWD|BHD|OMR|JOD|TND|LYD|IQD)\b")
_PER_UNIT = re.compile(
    r"^\s*(?:each\b|(?:\*?\s*/(?!-)|per\b|pro\b)(?!\s*(?:mo(?:nth|nat|is)?|mes|year|yr|jahr|an|week|wk|woche|semaine|day|tag|jour"
    r"|hour|hr|stunde|heure|night|nacht|nuit|pers(?:on|onne|ona)?|ticket|seat|adult|child)s?\b))",
    re.IGNORECASE,
)
"""What is paid for a litre or a piece has three decimals at times; for a month it has not."""


def read_price(raw: JsonValue, context: Context) -> int | float | Missing | Unreadable:
    if isinstance(raw, dict) and isinstance(raw.get("@value"), str | int | float):
        raw = raw["@value"]
    if isinstance(raw, dict):
        return Missing.NOT_FOUND
    if not isinstance(raw, str):
        return read_number(raw, context)
    text = write_western(clean_text(raw, context))
    if not text:
        return Missing.ABSENT
    plain = read_number(raw, context)
    if isinstance(plain, int | float):
        return plain
    if _FREE.fullmatch(text):
        return 0
    return _read_label(_join_pieces(text), raw, context.locale.decimal)


def write_western(text: str) -> str:
    """Return the text with the figures and signs of ASCII for those of other scripts."""
    if text.isascii():
        return text
    return "".join(_western(character) for character in text)


def _western(character: str) -> str:
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return _WESTERN.get(character, character)


def _join_pieces(text: str) -> str:
    found = _SPLIT_BY_SIGN.fullmatch(text) if len(text) <= MAX_LABEL else None
    if found:
        return f"{found[1]}.{found[4]}{found[2] or found[3]}{found[5]}"
    return _SPLIT_DECIMALS.sub(r"\1\2\3", text)


def _read_label(text: str, raw: str, decimal: str | None) -> int | float | Unreadable:
    if len(text) > MAX_LABEL:
        return Unreadable(RejectReason.INVALID_VALUE, f"no price: {shorten(raw)}")
    current = _find_amounts(text)
    signed = [found for found in current if found["sign"] or found["behind"]]
    amounts = current if _is_range(current, text) else signed or current
    if not amounts or (not signed and not _LABEL.fullmatch(text)):
        return Unreadable(RejectReason.INVALID_VALUE, f"no price: {shorten(raw)}")
    values = {_value(found, text, decimal) for found in amounts}
    is_one = len(values) == 1 and None not in values and not _FREE_FOR_SOME.search(text)
    if not is_one or _is_bound(text, amounts[0]) or _is_torn(current, text):
        return Unreadable(RejectReason.AMBIGUOUS_FIELD, f"no one price in {shorten(raw)}")
    (value,) = values
    assert value is not None
    return value


def _is_torn(amounts: Sequence[re.Match[str]], text: str) -> bool:
    """Whether two numbers at the end have one sign and nothing else between them: it may be that of
    either, and the second may be the cents of the first."""
    if len(amounts) < 2 or text[amounts[-1].end() :].strip(" *"):
        return False
    first, last = amounts[-2:]
    is_apart = text[first.end() : last.start()].strip()
    has_sign, last_has = (bool(each["sign"] or each["behind"]) for each in (first, last))
    is_named = last_has and not _LABEL.fullmatch(text[: first.start()])
    return not is_apart and not is_named and has_sign != last_has


def read_lowest(raw: JsonValue, context: Context) -> int | float | Missing | Unreadable:
    """Read a price; of ``$100 - $240`` or ``from $100`` the lowest."""
    return _read_bound(raw, context, 0)


def read_highest(raw: JsonValue, context: Context) -> int | float | Missing | Unreadable:
    """Read a price; of ``$100 - $240`` or ``up to $240`` the highest."""
    return _read_bound(raw, context, 1)


def _read_bound(raw: JsonValue, context: Context, side: int) -> int | float | Missing | Unreadable:
    price = read_price(raw, context)
    if isinstance(raw, dict):
        raw = raw.get("@value")
    if not isinstance(price, Unreadable) or not isinstance(raw, str):
        return price
    text = write_western(clean_text(raw, context))
    bound = _bounds(text, context.locale.decimal)[side] if len(text) <= MAX_LABEL else None
    return price if bound is None else bound


def _find_amounts(text: str) -> list[re.Match[str]]:
    """Return the amounts that are asked for now."""
    return [
        found
        for found in _AMOUNT.finditer(text)
        if not _is_old(text, found) and not _is_no_price(text, found)
    ]


def _is_no_price(text: str, found: re.Match[str]) -> bool:
    return bool(
        _TAKEN_OFF.match(text, found.end())
        or _OTHER_UNIT.match(text, found.end("digits"))
        or _NO_AMOUNT.search(text, 0, found.start())
    )


def _bounds(text: str, decimal: str | None) -> tuple[int | float | None, int | float | None]:
    """Return the least and the most, as far as the text says; nothing where it says more."""
    current = _find_amounts(text)
    if len(current) == 1:
        (amount,) = current
        before, value = text[: amount.start()], _value(amount, text, decimal)
        is_least = bool(_LEAST.search(before)) or text[amount.end() : amount.end() + 1] == "+"
        return (value if is_least else None, value if _MOST.search(before) else None)
    if not _is_range(current, text):
        return None, None
    low, high = (_value(amount, text, decimal) for amount in current)
    if low is None or high is None or low > abs(high):
        return None, None
    return low, abs(high)


def _is_range(amounts: Sequence[re.Match[str]], text: str) -> bool:
    """Whether there are two amounts, in one currency, and a word or dash for the way between."""
    if len(amounts) != 2:
        return False
    first, last = amounts
    if not (first["sign"] or first["behind"]) and (
        last["sign"] or not _LABEL.fullmatch(_OPENING.sub("", text[: first.start()]))
    ):
        return False  # ``iPhone 15 - 799 €``: a number of something else
    between = text[first.end() : last.start()] + (last["minus"] or "")
    signs = {sign for each in amounts if (sign := (each["sign"] or each["behind"] or "").strip())}
    return len(signs) < 2 and _BETWEEN.fullmatch(between) is not None


def _is_bound(text: str, amount: re.Match[str]) -> bool:
    """Whether the amount is the least or the most of several."""
    is_open = text[amount.end() : amount.end() + 1] == "+"
    before = text[: amount.start()]
    bounds = (_LEAST, _MOST, _ABOUT)
    return is_open or any(bound.search(before) for bound in bounds)


def _is_old(text: str, found: re.Match[str]) -> bool:
    """Whether the words right before the amount say that it is not the price any more."""
    return any(old.end() == found.start() for old in _OLD.finditer(text, 0, found.start()))


def _value(found: re.Match[str], text: str, decimal: str | None) -> int | float | None:
    """Return the amount; None where its separator can be read in two ways."""
    if " " in found["digits"] and _may_begin_in_name(found, text):
        return None
    digits = found["digits"].rstrip(".,'\u2019").replace("\u2019", "'")
    if digits[0] in ".,":
        digits = "0" + digits
    if three := THREE.fullmatch(digits):
        if three["whole"].strip("0") == "":
            return float(digits.replace(",", "."))
        if decimal is None and not _groups_thousands(found, text):
            return None
        digits = write_plainly(three, decimal or "")
    plain = plain_decimal(digits)
    if plain is None or sum(map(str.isdigit, plain)) > MAX_DIGITS:
        return None
    value = Decimal(("-" if found["minus"] or found["below"] else "") + plain)
    return int(value) if "." not in plain else float(value)


def _may_begin_in_name(found: re.Match[str], text: str) -> bool:
    """Whether ``15 799`` stands behind a word such as ``iPhone``, and not behind what says a price."""
    named = None if found["sign"] else _NAMED.search(text[: found.start()])
    return named is not None and _SAYS_PRICE.fullmatch(named["word"]) is None


def _groups_thousands(found: re.Match[str], text: str) -> bool:
    """Money has two decimals at most, but in some dinars, and in what a litre costs."""
    sign = (found["sign"] or "") + (found["behind"] or "")
    is_whole = not _PER_UNIT.match(text[found.end() :])
    return bool(sign) and is_whole and not _THREE_DECIMALS.search(sign)
