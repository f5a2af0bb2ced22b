"""Whether the entries of a feed, calendar or response are all there, and what it means if none is."""

from crawler.contracts.outcome import RejectReason
from crawler.contracts.record import Rejection
from crawler.contracts.site.collect import ApiSource, Collect
from crawler.document.data import Data


def find_missing_rows(data: Data, collect: Collect, expected: int | None) -> Rejection | None:
    """Return the rejection of a response that is alone and holds fewer rows than it says.

    A page among others is judged with them, when its cycle is whole.
    """
    api = collect.api
    if api is None or expected is None or len(data.entries) >= expected or _is_one_of_many(api):
        return None
    detail = f"{len(data.entries)} of {expected} rows"
    return Rejection(RejectReason.INCOMPLETE_COLLECTION, detail)


def find_undeclared_empty(collect: Collect) -> Rejection | None:
    """Return the rejection of a source without entries, unless that is a statement.

    An empty list in the place of the rows is one. A feed or calendar without entries is what a
    broken one looks like too, unless the site file says otherwise.
    """
    source = collect.data_source
    if source is None or isinstance(source, ApiSource) or source.may_be_empty:
        return None
    detail = "no entry, and the site file does not say that it may be empty (may_be_empty)"
    return Rejection(RejectReason.UNVERIFIED_EMPTY, detail)


def _is_one_of_many(api: ApiSource) -> bool:
    return api.next is not None or api.param is not None
