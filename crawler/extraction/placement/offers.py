"""What an amount of schema.org is, by the object that it is a property of."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from crawler.extraction.placement.signs import Sign

_WORD = re.compile(r"[^/#:]*$")
NAMED: dict[str, dict[str, Sign]] = {
    "priceType": {
        "listprice": Sign.OLD_PRICE,
        "strikethroughprice": Sign.OLD_PRICE,
        "msrp": Sign.OLD_PRICE,
        "srp": Sign.OLD_PRICE,
        "regularprice": Sign.OLD_PRICE,
        "minimumadvertisedprice": Sign.OLD_PRICE,
    },
    "priceComponentType": {
        "downpayment": Sign.DEPOSIT,
        "installment": Sign.INSTALMENT,
    },
    "@type": {"deliverychargespecification": Sign.SHIPPING},
}
"""Words of schema.org that say an amount is not what one pays."""
PRESENT: dict[str, Sign] = {
    "referenceQuantity": Sign.UNIT_PRICE,
    "validForMemberTier": Sign.MEMBER_PRICE,
}
"""Properties that say so by being there."""


def read_offer(beside: JsonValue) -> frozenset[Sign]:
    """Return what the object around an amount says it is."""
    if not isinstance(beside, dict) or not beside.keys() & KEYS:
        return frozenset()
    found = {sign for key, sign in PRESENT.items() if beside.get(key)}
    for key, words in NAMED.items():
        found |= {words[word] for word in _words(beside.get(key)) if word in words}
    return frozenset(found)


def _words(value: JsonValue) -> Iterator[str]:
    for entry in value if isinstance(value, list) else [value]:
        name = entry.get("@id") if isinstance(entry, dict) else entry
        if isinstance(name, str):
            yield _WORD.search(name)[0].lower()  # type: ignore[index]


KEYS = NAMED.keys() | PRESENT.keys()
