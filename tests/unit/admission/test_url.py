import re
from urllib.parse import urlsplit

import pytest
import yarl
from hypothesis import given
from hypothesis import strategies as st

from crawler.admission.url import MAX_LENGTH, canonical_url, fingerprint, parse_url

MALFORMED = [
    "http://example.com\\@127.0.0.1/",
    "http://127.0.0.1#@example.com/",
    "http://127.0.0.1?@example.com/",
    "http://user:pw@example.com/",
    "http://@example.com/",
    "http://exa\tmple.com/",
    "http://exa\nmple.com/",
    "http://example.com/a\r\nHost: b",
    "http://example.com/\x00",
    "http://example.com:80:90/",
    "http://example.com:99999/",
    "http://example.com:0/",
    "http://example.com:+80/",
    "http://example.com:８０/",  # noqa: RUF001  # full-width digits are the point
    "http:///x",
    "http:/example.com/",
    "http:example.com",
    "//example.com/",
    "example.com",
    "",
    " http://example.com/",
    "http://exa mple.com/",
    "http://%31%32%37.0.0.1/",
    "http://[::1/",
    "http://[fe80::1%25eth0]/",
    "http://[127.0.0.1]/",
    "http://a..b/",
    "http://.example.com/",
    "http://-a.example/",
    f"http://{'a' * 64}.example/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://xn--\ud800.example/",
    "http://example.com/" + "a" * MAX_LENGTH,
    "ftp://example.com/",
    "javascript:alert(1)",
]


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: ascii(text)[:60])
def test_a_url_on_which_parsers_could_disagree_is_malformed(text: str) -> None:
    assert parse_url(text) is None


HOSTS = {
    "https://EXAMPLE.com./": "example.com",
    "https://bücher.example/": "xn--bcher-kva.example",
    "https://XN--BCHER-KVA.example/": "xn--bcher-kva.example",
    "https://faß.example/": "xn--fa-hia.example",
    "http://[2001:DB8::0:1]/": "2001:db8::1",
    "http://１２７.０.０.１/": "127.0.0.1",  # noqa: RUF001  # full-width digits are the point
    "http://foo_bar.example/": "foo_bar.example",
    "http://3com.example/": "3com.example",
    "http://localhost:8000": "localhost",
}


@pytest.mark.parametrize(("url", "host"), HOSTS.items())
def test_hosts_have_one_spelling(url: str, host: str) -> None:
    parsed = parse_url(url)
    assert parsed is not None
    assert parsed.host == host


@pytest.mark.parametrize("url", HOSTS)
def test_the_url_to_request_names_the_admitted_host_to_the_transport(url: str) -> None:
    parsed = parse_url(url)
    assert parsed is not None
    sent = yarl.URL(parsed.text, encoded=True)
    assert (sent.raw_host, sent.port) == (parsed.host, parsed.port)
    assert urlsplit(parsed.text).hostname == parsed.host


def test_origin_spells_out_the_port() -> None:
    parsed = parse_url("https://[2001:db8::1]/a?b#c")
    assert parsed is not None
    assert parsed.origin == "https://[2001:db8::1]:443"
    assert parsed.text == "https://[2001:db8::1]/a?b"


UNTOUCHED = [
    "https://example.com/foo%2376?a",
    "https://example.com/Dia%25",
    "https://example.com/index.php?/a/=/o/",
    "https://example.com/?a",
    "https://example.com/?a=",
    "https://example.com/?b=2&b=1",
    "https://example.com/?z=1&a",
    "https://example.com/?z=1&&a=2",
    "https://example.com/a//b/",
    "https://example.com/a;v=1,2",
    "https://example.com/?q=a+b%20c",
]


@pytest.mark.parametrize("url", UNTOUCHED)
def test_canonical_url_keeps_what_has_a_meaning(url: str) -> None:
    assert canonical_url(url) == url


EQUAL = [
    ("https://e.com:443/", "https://e.com/"),
    ("http://e.com:80", "http://e.com/"),
    ("https://E.com./a", "https://e.com/a"),
    ("https://e.com/#top", "https://e.com/"),
    ("https://e.com/%7ea%c3%a9", "https://e.com/~a%C3%A9"),
    ("https://e.com/é", "https://e.com/%C3%A9"),
    ("https://e.com/a b", "https://e.com/a%20b"),
    ("https://e.com/a/../b/./c/..", "https://e.com/b/"),
    ("https://e.com/%2e%2e/b", "https://e.com/b"),
    ("https://e.com/?b=2&a=1&b=1", "https://e.com/?a=1&b=2&b=1"),
]
DIFFERENT = [
    ("https://e.com/", "http://e.com/"),
    ("https://e.com/", "https://e.com:8443/"),
    ("https://e.com/a", "https://e.com/a/"),
    ("https://e.com/a", "https://e.com/A"),
    ("https://e.com/?a", "https://e.com/?a="),
    ("https://e.com/?b=1&b=2", "https://e.com/?b=2&b=1"),
    ("https://e.com/?x&y", "https://e.com/?y&x"),
    ("https://e.com/%2F", "https://e.com//"),
    ("https://e.com/%23a", "https://e.com/#a"),
    ("https://e.com/?a=%26", "https://e.com/?a=&"),
    ("https://e.com/%2541", "https://e.com/A"),
    ("https://e.com/?q=a+b", "https://e.com/?q=a%20b"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_spellings_of_one_resource_share_a_fingerprint(one: str, other: str) -> None:
    assert fingerprint("GET", one) == fingerprint("GET", other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_resources_differ_in_fingerprint(one: str, other: str) -> None:
    assert fingerprint("GET", one) != fingerprint("GET", other)


def test_method_and_body_are_part_of_the_identity() -> None:
    url = "https://e.com/"
    identities = {
        fingerprint("GET", url),
        fingerprint("POST", url),
        fingerprint("POST", url, b"a"),
        fingerprint("POST", url, b"b"),
    }
    assert len(identities) == 4
    assert all(re.fullmatch("[0-9a-f]{40}", identity) for identity in identities)
    assert fingerprint("get", url) == fingerprint("GET", url)


PATHS = st.text('aA%2fFeE.~/é &=+?;\\|^"<>[]#:@', max_size=30)


@given(PATHS)
def test_canonical_url_is_idempotent(path: str) -> None:
    once = canonical_url(f"https://e.com/{path}")
    assert canonical_url(once) == once


@given(st.text(max_size=40))
def test_any_text_has_a_fingerprint(text: str) -> None:
    assert len(fingerprint("GET", text)) == 40


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30))
def test_what_is_admitted_is_one_host_to_the_transport_too(rest: str) -> None:
    parsed = parse_url(f"http://{rest}")
    if parsed is not None:
        sent = yarl.URL(parsed.text, encoded=True)
        assert (sent.raw_host, sent.port) == (parsed.host, parsed.port)
