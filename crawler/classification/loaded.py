"""Tell whether a page's scripts loaded, in one piece, what the site file reads the page for."""

from crawler.classification.readiness import as_incomplete
from crawler.contracts.outcome import Verdict
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.document.loaded import LEFT_OUT, LoadedPlace


def find_unloaded(
    document: Document, snapshot: Snapshot, place: LoadedPlace, *, holds_rows: bool
) -> Verdict | None:
    """Return the verdict on a page of which something that fits is no answer, or was not kept.

    A response with the place of the rows and none in it is an answer. Raises BadPathError.
    """
    if LEFT_OUT in snapshot.flags:
        return as_incomplete(
            document, f"{place.pattern or 'JSON'}: not all that was loaded is kept"
        )
    for response in document.loaded.choose(place.pattern):
        opened = response.with_rows(place.path, document.base_url) if holds_rows else response
        if opened.data.flaw is not None:
            seen = f"{opened.snapshot.final_url}: {opened.data.problem}"
            return as_incomplete(document, seen[:500])
    return None
