"""How many tokens a text is to a model: exact for OpenAI's encodings, and without a download."""

import warnings
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, cast

from crawler.contracts.errors import CrawlerError

DEFAULT_ENCODING = "o200k_base"
ENCODINGS = (DEFAULT_ENCODING, "cl100k_base")

Counter = Callable[[str], int]


class TokenizerMissing(CrawlerError):
    """The package that counts tokens is not installed."""


@lru_cache(maxsize=4)
def load_counter(encoding: str = DEFAULT_ENCODING) -> Counter:
    """Return what counts the tokens of a text; names of special tokens count as plain text.

    Raises TokenizerMissing, and ValueError for an encoding that is none of ``ENCODINGS``.
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"unknown encoding {encoding!r}; known are {', '.join(ENCODINGS)}")
    try:
        tokenizer_for_encoding = _load_bindings()
    except ImportError as error:
        raise TokenizerMissing(
            "tokens are counted by bpe-openai, which the extra `agent` installs; or use --encoding none"
        ) from error
    tokenizer = tokenizer_for_encoding(encoding)

    def count(text: str) -> int:
        return int(tokenizer.count(text.encode("utf-8", "replace").decode()))

    return count


def _load_bindings() -> Callable[[str], Any]:
    """The package's own wrapper refuses long texts, and lists the tokens in order to count them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of how it opens its vocabulary
        bindings = import_module("bpe_openai._bindings")  # takes a second
    return cast("Callable[[str], Any]", bindings.tokenizer_for_encoding)
