"""Tell a body that arrived whole from one that did not."""

from crawler.classification.page import FetchedPage
from crawler.contracts.outcome import Kind, Reason, Verdict

CUT = ("truncated", "dataloss")


def find_truncation(page: FetchedPage) -> Verdict | None:
    if "too_large" in page.flags:
        return Verdict(Kind.TOO_LARGE, Reason.TOO_LARGE, ("too_large",))
    cut = tuple(flag for flag in CUT if flag in page.flags)
    return Verdict(Kind.TRUNCATED, Reason.TRUNCATED, cut) if cut else None


def find_emptiness(page: FetchedPage) -> Verdict | None:
    if page.body.strip(b" \t\r\n\f\x00"):
        return None
    return Verdict(Kind.EMPTY, Reason.INCOMPLETE_SNAPSHOT, ("empty body",))
