import sys

import pytest

from crawler.extraction.content.tokens import ENCODINGS, TokenizerMissing, load_counter


@pytest.mark.parametrize(
    ("encoding", "text", "tokens"),
    [
        ("o200k_base", "", 0),
        ("o200k_base", "hello world", 2),
        ("cl100k_base", "hello world", 2),
        ("cl100k_base", "tiktoken is great!", 6),
        ("o200k_base", "tiktoken is great!", 6),
        ("cl100k_base", "antidisestablishmentarianism", 6),
    ],
)
def test_counts_are_those_of_the_encoding(encoding: str, text: str, tokens: int) -> None:
    assert load_counter(encoding)(text) == tokens


def test_names_of_special_tokens_are_text() -> None:
    assert load_counter()("<|endoftext|>") > 1


def test_long_text_and_lone_surrogates_are_counted() -> None:
    count = load_counter()
    assert count("word " * 300_000) >= 300_000
    assert count("\ud800") == count("?")


def test_unknown_encoding_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="o200k_base, cl100k_base"):
        load_counter("gpt2")
    assert set(ENCODINGS) == {"o200k_base", "cl100k_base"}


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    load_counter.cache_clear()
    monkeypatch.setitem(sys.modules, "bpe_openai._bindings", None)
    with pytest.raises(TokenizerMissing, match="extra `agent`"):
        load_counter()
    load_counter.cache_clear()
