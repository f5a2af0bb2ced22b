"""Whether a page that should hold records holds them all, as far as one page can tell."""

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Rejection
from crawler.contracts.site.collect import Collect
from crawler.document.document import Document

EMPTY_NOTE = "empty, as the page says"


def find_unverified_empty(
    document: Document, collect: Collect, sought: str | None
) -> Rejection | None:
    """Return the rejection of a page without records that does not say it has none.

    *sought* are the words of the site file for what the page lacks: `record.each "div.event"`.
    Raises BadSelectorError.
    """
    missing = f"{sought} finds nothing" if sought else "no record"
    selector = collect.complete.empty
    if selector is None:
        detail = f"{missing}, and the site file names no sign of an empty page"
    elif document.css(selector):
        return None
    else:
        detail = f"{missing}, and {selector} matches nothing"
    return Rejection(RejectReason.UNVERIFIED_EMPTY, detail)


def find_shortfall(collect: Collect, rows: int, expected: int | None) -> Rejection | None:
    """Return the rejection of a one-page collection with fewer rows than it says.

    With ``next`` or ``pages`` a page is a part, and the collection is judged when its cycle is whole.
    """
    if collect.is_paged or expected is None or rows >= expected:
        return None
    detail = f"{rows} of {expected} records"
    return Rejection(RejectReason.INCOMPLETE_COLLECTION, detail)
