"""URL patterns of a site file: globs, read once and compared in bounded time.

``*`` is anything within a path segment, ``**`` any number of segments, ``{a,b}`` one of several,
``<int>`` a whole run of digits, ``<year>`` four of them, ``<date>`` a date written with dashes,
``<slug>`` letters, digits, dashes and underscores. A pattern begins with ``/``, for any host of
the site, or with a scheme and host. Where it has a query, each parameter of it must be in the URL;
where it has none, queries do not matter. A slash at the end never matters.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

MAX_SEGMENTS = 50
"""A URL with more fits nothing: no page anybody links by hand lies so deep."""
MAX_VARIANTS = 64
MAX_PARAMETERS = 100

# Possessive, and whole runs only: where one ends does not depend on what follows, so that
# the leftmost place is the only one to try (as fnmatch does it, and as bounded).
_HOLES = {
    "int": r"(?<![0-9])[0-9]{1,20}+(?![0-9])",
    "year": r"(?<![0-9])[12][0-9]{3}(?![0-9])",
    "date": r"(?<![0-9])[12][0-9]{3}-[01][0-9]-[0-3][0-9](?![0-9])",
    "slug": r"[\w-]{1,500}+",
}
HOLE_WORDS = ", ".join(f"<{name}>" for name in _HOLES)
_TOKEN = re.compile(r"\*+|<[^<>]*>|[^*<>]+|[<>]")
_OPEN = re.compile(r"[*<>]")
_CHOICE = re.compile(r"\{([^{}]*)\}")


class BadPatternError(ValueError):
    """A pattern that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """One variant of a pattern, its choices made."""

    origin: tuple[str, str] | None
    """Scheme and host with port, where the pattern names them."""
    segments: tuple[re.Pattern[str] | None, ...]
    """None for any number of segments."""
    parameters: tuple[tuple[str, re.Pattern[str]], ...] = ()
    globs: tuple[str, ...] = ()
    """The segments as they are written, escapes resolved."""


@dataclass(frozen=True, slots=True)
class UrlParts:
    """A URL as patterns see it: escapes resolved, no empty segment at either end."""

    origin: tuple[str, str]
    segments: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]


def split_url(url: str) -> UrlParts | None:
    """Return the parts of an absolute URL; None for one that no pattern may fit."""
    try:
        parts = urlsplit(url)
        parameters = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
    except ValueError:
        return None
    segments = _split_path(parts)
    if len(segments) > MAX_SEGMENTS:
        return None
    return UrlParts(_origin_of(parts), tuple(map(unquote, segments)), tuple(parameters))


@lru_cache(maxsize=1024)
def read_pattern(text: str) -> tuple[UrlPattern, ...]:
    """Return the variants of a pattern. Raises BadPatternError."""
    return tuple(map(_read_variant, _expand(text)))


def fits(patterns: Sequence[str], url: UrlParts) -> bool:
    """Tell whether any of the patterns fits. Raises BadPatternError."""
    return any(_fits(variant, url) for text in patterns for variant in read_pattern(text))


def _fits(pattern: UrlPattern, url: UrlParts) -> bool:
    if pattern.origin is not None and pattern.origin != url.origin:
        return False
    return _fits_path(pattern.segments, url.segments) and all(
        any(name == key and value.fullmatch(given) for key, given in url.parameters)
        for name, value in pattern.parameters
    )


def _fits_path(pattern: Sequence[re.Pattern[str] | None], path: Sequence[str]) -> bool:
    """Go back to the last ``**`` only: what an earlier one left over, the last one could take."""
    at = here = 0
    resume: tuple[int, int] | None = None
    while here < len(path):
        wanted = pattern[at] if at < len(pattern) else None
        if at < len(pattern) and wanted is None:
            at, resume = at + 1, (at + 1, here)
        elif wanted is not None and wanted.fullmatch(path[here]):
            at, here = at + 1, here + 1
        elif resume is not None:
            resume = (resume[0], resume[1] + 1)
            at, here = resume
        else:
            return False
    return all(segment is None for segment in pattern[at:])


def _expand(text: str) -> Iterator[str]:
    parts = _CHOICE.split(text)
    if "{" in "".join(parts[::2]) or "}" in "".join(parts[::2]):
        raise BadPatternError("braces that do not pair, or stand in each other")
    choices = [part.split(",") if index % 2 else [part] for index, part in enumerate(parts)]
    size = 1
    for choice in choices:
        size *= len(choice)
    if size > MAX_VARIANTS:
        raise BadPatternError(f"more than {MAX_VARIANTS} variants")
    return map("".join, product(*choices))


def _read_variant(text: str) -> UrlPattern:
    head, _, query = text.partition("?")
    try:
        parts = urlsplit(head)
    except ValueError as error:
        raise BadPatternError(str(error)) from error
    if head.startswith("//") or parts.fragment:
        raise BadPatternError("a host without a scheme" if not parts.fragment else "a fragment")
    if _OPEN.search(parts.netloc):
        raise BadPatternError("a host that is not written out")
    globs = tuple(map(unquote, _split_path(parts)))
    if len(globs) > MAX_SEGMENTS:
        raise BadPatternError(f"more than {MAX_SEGMENTS} segments")
    return UrlPattern(
        _origin_of(parts) if parts.scheme else None,
        tuple(None if each == "**" else _compile(each) for each in globs),
        tuple(map(_read_parameter, query.split("&"))) if query else (),
        globs,
    )


def _read_parameter(text: str) -> tuple[str, re.Pattern[str]]:
    name, _, value = text.partition("=")
    if not name or "*" in name:
        raise BadPatternError("a parameter without a plain name")
    return unquote(name), _compile(unquote(value))


def _compile(glob: str) -> re.Pattern[str]:
    """Each ``*`` ends at the first place where what follows it fits, for good."""
    chunks = _read_chunks(glob)
    if len(chunks) == 1:
        return re.compile(chunks[0])
    first, *middle, last = chunks
    found = "".join(f"(?>.*?{chunk})" for chunk in middle if chunk)
    lone = "." if not any(chunks) else ""
    return re.compile(f"{first}{found}{lone}.*{last}", re.DOTALL)


def _read_chunks(glob: str) -> list[str]:
    """Return what stands between the stars, as regular expressions."""
    chunks = [""]
    for token in _TOKEN.findall(glob):
        if token.startswith("*"):
            if len(token) > 1:
                raise BadPatternError("** beside something else in its segment")
            chunks.append("")
        else:
            chunks[-1] += _read_fixed(token)
    return chunks


def _read_fixed(token: str) -> str:
    if not token.startswith(("<", ">")):
        return re.escape(token)
    hole = _HOLES.get(token[1:-1])
    if hole is None or not token.endswith(">"):
        raise BadPatternError(f"{token} is none of {HOLE_WORDS}")
    return hole


def _split_path(parts: SplitResult) -> list[str]:
    path = parts.path.strip("/")
    return path.split("/") if path else []


def _origin_of(parts: SplitResult) -> tuple[str, str]:
    return parts.scheme.lower(), parts.netloc.lower()
