"""A cache of what is read of texts of pages that is bounded in bytes, not in entries alone."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")
MAX_KEPT = 300
"""Characters: what pages write again and again, as class names, has no more; a picture that stands in
a ``style`` has as many as it likes.
"""


def keep_if_short(maxsize: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Return a decorator like ``lru_cache``, which keeps nothing of longer texts."""

    def decorate(read: Callable[[str], T]) -> Callable[[str], T]:
        read_or_recall = lru_cache(maxsize=maxsize)(read)

        @wraps(read)
        def read_text(text: str) -> T:
            return read_or_recall(text) if len(text) <= MAX_KEPT else read(text)

        return read_text

    return decorate
