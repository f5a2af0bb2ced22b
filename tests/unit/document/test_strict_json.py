import pytest

from crawler.document.strict_json import MAX_DEPTH, RefusedError, parse

UNWRITABLE = {
    "NaN": '{"a": NaN}',
    "infinity": "[Infinity]",
    "beyond a double": "[-1e400]",
    "5,000 digits": "9" * 5_000,
    "too deep": "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    "too deep in objects": '{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1),
}


@pytest.mark.parametrize("text", UNWRITABLE.values(), ids=UNWRITABLE)
def test_what_could_not_be_written_again_is_refused(text: str) -> None:
    with pytest.raises(RefusedError):
        parse(text, strict=True)


def test_a_wide_value_is_not_deep() -> None:
    text = "[" + ",".join(["[]"] * 1_000) + "]"

    assert parse(text, strict=True) == ([[]] * 1_000, ())


def test_depth_counts_containers_not_their_contents() -> None:
    text = "[" * MAX_DEPTH + '"x"' + "]" * MAX_DEPTH

    _, notes = parse(text, strict=True)

    assert notes == ()


def test_a_key_given_two_values_keeps_neither_and_says_so() -> None:
    assert parse('{"a": 1, "b": 2, "a": 3, "a": 1}', strict=True) == (
        {"b": 2},
        ("contradicting key 'a' dropped",),
    )
