"""Tell whether a page's scripts loaded what the site file reads its records from."""

from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.document.loaded import LEFT_OUT, LoadedPlace


def find_unloaded(document: Document, snapshot: Snapshot, place: LoadedPlace) -> Verdict | None:
    """Return the verdict on a page without the rows at *place*, or with only some of them.

    A response with the place of the rows and none in it is an answer. Raises BadPathError.
    """
    problem = _find_problem(document, snapshot, place)
    if problem is None:
        return None
    evidence = f"loaded:{place.pattern or '*'}: {problem}"
    return Verdict(Kind.EMPTY, Reason.INCOMPLETE_SNAPSHOT, (evidence[:500],))


def _find_problem(document: Document, snapshot: Snapshot, place: LoadedPlace) -> str | None:
    if LEFT_OUT in snapshot.flags:
        return "not all that was loaded is kept"
    chosen = document.loaded.choose(place.pattern)
    if not chosen:
        return "nothing that fits was loaded"
    opened = (each.with_rows(place.path, document.base_url) for each in chosen)
    return next(
        (f"{each.snapshot.final_url}: {each.data.problem}" for each in opened if each.data.flaw),
        None,
    )
