"""How many items a listing says it has."""

import re

from crawler.document.document import Document

MAX_TEXT = 500
_NUMBER = r"\d{1,3}(?:[,.'\u00a0\u202f ]\d{3})+(?!\d)|\d{1,9}"
_EVERY_NUMBER = re.compile(_NUMBER)
_TOTAL = re.compile(
    rf"(?:\b(?:of|von|de|sur|di|van|av|af|out of|z|iz)|/)\s*(?P<total>{_NUMBER})", re.IGNORECASE
)


def read_expected_count(document: Document, selector: str) -> int | None:
    """Return the number in the element; None without one, or where several could be meant.

    Of ``Showing 1-24 of 96`` the number behind *of* counts. Raises BadSelectorError.
    """
    nodes = document.css(selector)
    return parse_count(document.text_of(nodes[0])[:MAX_TEXT]) if nodes else None


def parse_count(text: str) -> int | None:
    total = _TOTAL.search(text)
    if total:
        return _whole(total["total"])
    numbers = {_whole(number) for number in _EVERY_NUMBER.findall(text)}
    return numbers.pop() if len(numbers) == 1 else None


def _whole(number: str) -> int:
    return int(re.sub(r"\D", "", number))
