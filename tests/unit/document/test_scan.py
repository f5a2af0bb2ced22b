import time

import pytest

from crawler.document.scan import iter_tags, read_attributes

SCRIPTS = {
    "plain": (b"<script>1</script>", 1),
    "upper case with attributes": (b'<SCRIPT type="x">1</SCRIPT >', 1),
    "behind </html>": (b"</body></html><script>1</script>", 1),
    "in a comment": (b"<!-- <script>1</script> --><p>", 0),
    "behind an empty comment": (b"<!--><script>1</script>", 1),
    "in an unclosed comment": (b"<!-- <script>1</script>", 0),
    "in a textarea": (b"<textarea><script>1</script></textarea>", 0),
    "in another script": (b"<script>'<script>'</script>", 1),
    "in a double-quoted attribute": (b'<a title="<b>x</b><script>1</script>">', 0),
    "in a single-quoted attribute": (b"<a title = '<script>1</script>'>", 0),
    "behind a stray quote": (b'<p class="a""><script>1</script><p title="x">', 1),
    "behind an unquoted value with a quote": (b'<a href=/a?b="c><script>1</script>', 1),
    "behind an apostrophe": (b"<p>It's = 'here</p><script>1</script>", 1),
    "another element": (b"<scripts>1</scripts>", 0),
    "unfinished": (b"<p><script", 0),
}


@pytest.mark.parametrize(("markup", "count"), SCRIPTS.values(), ids=SCRIPTS)
def test_scripts_are_found_where_a_browser_has_them(markup: bytes, count: int) -> None:
    assert len(list(iter_tags(markup, b"script"))) == count


def test_content_of_a_script_is_given_by_its_offsets() -> None:
    markup = b"<p>\xc3\xa9</p><script a=1>{}</script>x"

    (tag,) = iter_tags(markup, b"script")

    assert markup[tag.end : tag.content_end] == b"{}"
    assert tag.is_closed


def test_start_and_end_tags_of_other_elements_are_told_apart() -> None:
    markup = b"<article class='a>b'><h2>x</h2></article ><articles>"

    tags = list(iter_tags(markup, b"article"))

    assert [tag.is_end for tag in tags] == [False, True]


def test_attributes_are_read_by_lower_case_name_and_the_first_counts() -> None:
    assert read_attributes(b" A='1' b = \"2\" a=3 c=4 d") == {"a": "1", "b": "2", "c": "4"}


def test_a_name_of_a_megabyte_is_read_in_time() -> None:
    started = time.process_time()

    assert read_attributes(b"a" * 1_000_000 + b" b=1") == {"b": "1"}

    assert time.process_time() - started < 1.0


HOSTILE = {
    "unfinished tags": b"<a " * 300_000,
    "unfinished scripts": b"<script " * 100_000,
    "open quotes": b'<a b="' * 150_000,
    "mixed quotes": b"<a b='\"" * 150_000,
    "open comments": b"<!--" * 200_000,
    "brackets": b"<" * 1_000_000,
    "stray ends": b"</article>" * 50_000,
}


@pytest.mark.parametrize("markup", HOSTILE.values(), ids=HOSTILE)
def test_cost_grows_with_the_size_alone(markup: bytes) -> None:
    started = time.process_time()

    list(iter_tags(markup, b"article", b"script"))

    assert time.process_time() - started < 2.0
