import time

import pytest

from crawler.document.url_pattern import BadPatternError, fits, read_pattern, split_url

HOST = "https://example.com"
CASES = [
    ("/events/*", "/events/jazz", True),
    ("/events/*", "/events/jazz/", True),
    ("/events/*", "/events/", False),
    ("/events/*", "/events/jazz/share", False),
    ("/events/*", "/en/events/jazz", False),
    ("/**/events/*", "/en/de/events/jazz", True),
    ("/**/a*/b", "/x/a/c/a1/b", True),
    ("/events/**", "/events", True),
    ("/events/**", "/eventsx/1", False),
    ("/events/<int>", "/events/12", True),
    ("/events/<int>", "/events/12a", False),
    ("/events/*-<int>.html", "/events/a-1-22.html", True),
    ("/events/*-<int>.html", "/events/a-1-22.htm", False),
    ("/a<int>*5x", "/a55x", False),
    ("/<year>/<slug>", "/2027/a-b_c", True),
    ("/<year>/<slug>", "/20270/a", False),
    ("/on/<date>", "/on/2027-01-31", True),
    ("/on/<date>", "/on/2027-1-31", False),
    ("/{en,de}/{news,jobs}/*", "/de/jobs/1", True),
    ("/{en,de}/{news,jobs}/*", "/fr/jobs/1", False),
    ("/p?id=<int>", "/p?x=1&id=7", True),
    ("/p?id=<int>", "/p?id=a", False),
    ("/p", "/p?id=a", True),
    ("/caf%C3%A9/*", "/caf\u00e9/1", True),
    ("https://example.com/**", "/a", True),
    ("http://example.com/**", "/a", False),
    ("https://example.com.evil.example/**", "/a", False),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), CASES)
def test_pattern_fits_whole_urls_segment_by_segment(
    pattern: str, path: str, expected: bool
) -> None:
    url = split_url(HOST + path)

    assert url is not None
    assert fits([pattern], url) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "/a**b",
        "/{a",
        "/{a,{b,c}}",
        "/<word>",
        "//host/x",
        "https://*.example/x",
        "/a?*=1",
        "/" + "{a,b}" * 7,
        "/<int",
    ],
)
def test_a_pattern_that_cannot_be_read_is_refused(pattern: str) -> None:
    with pytest.raises(BadPatternError):
        read_pattern(pattern)


def test_no_pattern_and_url_together_take_long() -> None:
    began = time.process_time()
    for pattern, path in (
        ("/" + "*a" * 200 + "b", "/" + "a" * 2_000),
        ("/" + "*<int>" * 80 + "x", "/" + "1a" * 1_000),
        ("/**" * 40 + "/b", "/a" * 50),
        ("/" + "<slug>*" * 60 + "!", "/" + "a-" * 1_000),
    ):
        url = split_url(HOST + path)
        assert url is not None
        assert not fits([pattern], url)

    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("path", ["/a" * 51, "/p?" + "a=1&" * 101])
def test_a_url_of_too_many_parts_fits_nothing(path: str) -> None:
    assert split_url(HOST + path) is None
