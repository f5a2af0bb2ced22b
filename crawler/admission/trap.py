"""URLs that only a site that answers everything could go on producing."""

from urllib.parse import urlsplit

from crawler.contracts.outcome import Outcome, Reason

TIMES = 3
"""A part of a path that follows on itself so often comes from relative links that never end."""
MOST_SEGMENTS = 100


def find_trap(url: str) -> Outcome | None:
    """Return the outcome of a link that leads in circles: ``/a/b/a/b/a/b``."""
    segments = [segment for segment in urlsplit(url).path.split("/") if segment]
    if len(segments) > MOST_SEGMENTS:
        return Outcome(Reason.REFUSED_TRAP, detail=f"more than {MOST_SEGMENTS} parts of a path")
    repeated = _find_repeated(segments)
    if repeated is None:
        return None
    return Outcome(Reason.REFUSED_TRAP, detail=f"{repeated[:200]} {TIMES} times in a row")


def _find_repeated(segments: list[str]) -> str | None:
    """Dates and numbers (``/11/11/11``) repeat by chance."""
    for size in range(1, len(segments) // TIMES + 1):
        alike = 0
        for start in range(len(segments) - size):
            alike = alike + 1 if segments[start] == segments[start + size] else 0
            part = segments[start + 1 : start + 1 + size]
            if alike >= (TIMES - 1) * size and not all(map(str.isdecimal, part)):
                return "/" + "/".join(part)
    return None
