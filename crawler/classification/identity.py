"""Tell whether the document is the one that was asked for."""

import re
from urllib.parse import SplitResult, parse_qsl, urlsplit

from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.site import Identity
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document

_TRACKING = re.compile(r"utm_\w+|gclid|fbclid|msclkid|mc_[ce]id")


def find_wrong_document(
    document: Document, snapshot: Snapshot, identity: Identity
) -> Verdict | None:
    """Return the verdict on another document than the one asked for, or None."""
    if identity.canonical and not _is_canonical(document.canonical_url, snapshot):
        return _wrong(f"canonical link {document.canonical_url}")
    if identity.selector is not None and not document.css(identity.selector):
        return _wrong(f"{identity.selector} matches nothing")
    return None


def _is_canonical(canonical: str | None, snapshot: Snapshot) -> bool:
    if canonical is None:
        return True
    names = {_name(urlsplit(url)) for url in (snapshot.requested_url, snapshot.final_url)}
    return _name(urlsplit(canonical)) in names


def _name(url: SplitResult) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """What two addresses of one document share: not the scheme, slash or tracking parameters."""
    parameters = parse_qsl(url.query, keep_blank_values=True)
    kept = tuple(sorted(pair for pair in parameters if not _TRACKING.fullmatch(pair[0])))
    return (url.hostname or "").removeprefix("www."), url.path.rstrip("/"), kept


def _wrong(seen: str) -> Verdict:
    return Verdict(Kind.WRONG_DOCUMENT, Reason.WRONG_DOCUMENT, (seen[:500],))
