"""The version of the code that reads pages, of which nobody has to think when changing it."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from crawler import __version__

READING = (
    "contracts",
    "document",
    "admission",
    "classification",
    "discovery",
    "extraction",
    "validation",
    "interpretation",
)
"""The packages that decide what a snapshot says under given rules."""


@lru_cache(maxsize=1)
def extractor_version() -> str:
    """Return a name that changes whenever the same snapshot and rules could give another report."""
    digest = hashlib.sha256()
    for package in READING:
        for name, source in _iterate_sources(files("crawler") / package, package):
            digest.update(f"{name} {len(source)}\n".encode() + source)
    return f"{__version__}+{digest.hexdigest()[:12]}"


def _iterate_sources(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = f"{name}/{entry.name}"
        if entry.name.endswith(".py"):
            yield path, entry.read_bytes()
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _iterate_sources(entry, path)
