"""Tell whether the document is the one that was asked for."""

import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from crawler.contracts.outcome import Kind, Reason, Verdict
from crawler.contracts.site.access import Identity, UrlPart
from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document

_TRACKING = re.compile(r"utm_\w+|gclid|fbclid|msclkid|mc_[ce]id")
_HOME = re.compile(
    r"(/[a-z]{2}([-_][a-z]{2})?)?(/(index|default|home)(\.\w{2,5})?)?", re.IGNORECASE
)
_EXTENSION = re.compile(r"(?<=\w)\.[a-z]{2,5}\d?$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
TEMPORARY = frozenset({302, 303, 307})
BY_THE_PAGE = 200
"""Status of a hop that no status asked for: a meta element or a script did."""


def find_wrong_document(
    document: Document, snapshot: Snapshot, identity: Identity
) -> Verdict | None:
    """Return the verdict on another document than the one asked for, or None."""
    seen = (
        (_find_other_name(document, snapshot) if identity.canonical else None)
        or _find_other_title(document, identity.title)
        or _find_no_match(document, identity.selector)
        or _find_missing_part(document, snapshot.requested_url, identity.url_part)
    )
    return Verdict(Kind.WRONG_DOCUMENT, Reason.WRONG_DOCUMENT, (seen[:500],)) if seen else None


def find_contradiction(
    document: Document, snapshot: Snapshot, identity: Identity
) -> Verdict | None:
    """Return the verdict on a page that names another document, whatever it will show yet."""
    named = identity.model_copy(update={"title": None, "selector": None, "url_part": None})
    return find_wrong_document(document, snapshot, named)


def _find_other_name(document: Document, snapshot: Snapshot) -> str | None:
    wanted, final = _name(snapshot.requested_url), _name(snapshot.final_url)
    leads_elsewhere = final != wanted and _is_evasion(snapshot)
    if document.canonical_url is None:
        return f"led to {snapshot.final_url}" if leads_elsewhere else None
    names = {wanted} if leads_elsewhere else {wanted, final}
    return None if _name(document.canonical_url) in names else f"canonical {document.canonical_url}"


def _is_evasion(snapshot: Snapshot) -> bool:
    """Tell whether the way to the final URL says that there is no such document, rather than where
    it is now: to the home page, for the moment to a page above, or late, when a page had come.
    """
    wanted, final = (
        urlsplit(url).path.rstrip("/") for url in (snapshot.requested_url, snapshot.final_url)
    )
    statuses = {hop.status for hop in snapshot.redirects}
    is_home = _HOME.fullmatch(final) is not None and _HOME.fullmatch(wanted) is None
    is_above = wanted.startswith(f"{final}/") and not TEMPORARY.isdisjoint(statuses)
    return is_home or is_above or BY_THE_PAGE in statuses


def _name(url: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """What two addresses of one document share: not the scheme, slash or tracking parameters."""
    parts: SplitResult = urlsplit(url)
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    kept = tuple(sorted(pair for pair in parameters if not _TRACKING.fullmatch(pair[0])))
    return (parts.hostname or "").removeprefix("www."), parts.path.rstrip("/"), kept


def _find_other_title(document: Document, pattern: str | None) -> str | None:
    if pattern is None or fits(document.title, pattern):
        return None
    return f"title {document.title[:200]!r} is not {pattern[:200]!r}"


def fits(text: str, pattern: str) -> bool:
    """Tell whether *text* is *pattern*, in which a ``*`` stands for any text; capitals aside.

    Takes time in proportion to their lengths, whatever they are.
    """
    first, *others = (" ".join(part.split()) for part in pattern.casefold().split("*"))
    rest = " ".join(text.split()).casefold()
    if not others:
        return rest == first
    *middle, last = others
    if not rest.startswith(first) or not rest.endswith(last):
        return False
    position, end = len(first), len(rest) - len(last)
    for part in middle:
        found = rest.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return position <= end


def _find_no_match(document: Document, selector: str | None) -> str | None:
    if selector is None or document.css(selector):
        return None
    return f"{selector} matches nothing"


def _find_missing_part(document: Document, url: str, rule: UrlPart | None) -> str | None:
    """A URL without such a part, as that of a page before the first item, asks for nothing."""
    wanted = "" if rule is None else read_part(url, rule.part)
    if rule is None or not wanted:
        return None
    held = [
        document.text_of(node) if rule.attribute is None else node.get(rule.attribute) or ""
        for node in document.css(rule.selector)
    ]
    if any(_says(text, wanted) for text in held):
        return None
    shown = repr(held[0][:100]) if held else "nothing"
    return f"{rule.selector} holds {shown}, not {rule.part} {wanted[:100]!r}"


def read_part(url: str, part: str) -> str:
    """Return the named part of *url*, decoded and without the extension of a file; or nothing."""
    parts = urlsplit(url)
    name, _, which = part.partition(":")
    if name == "query":
        return dict(parse_qsl(parts.query)).get(which, "")
    segments = [unquote(segment) for segment in parts.path.split("/") if segment]
    if not segments:
        return ""
    segments[-1] = _EXTENSION.sub("", segments[-1])
    if name == "path":
        return "/".join(segments)
    number = int(which) if name == "segment" else len(segments)
    return segments[number - 1] if number <= len(segments) else ""


def _says(text: str, wanted: str) -> bool:
    """Whether the words of *wanted* stand in *text* in a row; 5 is not said by 15. Scripts without
    spaces have no words to go by.
    """
    said, words = (f" {' '.join(_WORD.findall(each.casefold()))} " for each in (text, wanted))
    is_worded = wanted.isascii() and words.strip()
    return words in said if is_worded else wanted.casefold() in text.casefold()
