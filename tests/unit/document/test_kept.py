from crawler.document.kept import MAX_KEPT, keep_if_short


def test_what_was_read_of_a_short_text_is_kept_and_of_a_long_one_is_not() -> None:
    read: list[int] = []

    @keep_if_short(8)
    def measure(text: str) -> int:
        read.append(len(text))
        return len(text)

    for length in (MAX_KEPT, MAX_KEPT + 1) * 2:
        assert measure("x" * length) == length

    assert read == [MAX_KEPT, MAX_KEPT + 1, MAX_KEPT + 1]
