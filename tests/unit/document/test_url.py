import pytest

from crawler.document.url import resolve_url

BASE = "https://example.com/a/b"
REFERENCES = {
    "spaces around": (" https://x.example/ ", "https://x.example/"),
    "line breaks around": ("\nhttps://y.example/p\n", "https://y.example/p"),
    "tab inside": ("/a\tb", "https://example.com/ab"),
    "space inside": ("/a b", "https://example.com/a%20b"),
    "relative": ("files/d.pdf", "https://example.com/a/files/d.pdf"),
    "without scheme": ("//cdn.example/x", "https://cdn.example/x"),
    "empty": ("", None),
    "white space": (" \n", None),
    "script": ("javascript:alert(1)", None),
    "mail": ("mailto:a@example.com", None),
    "data": ("data:text/html,x", None),
    "file": ("file:///etc/hostname", None),
    "control character inside": ("/a\x00b", None),
    "damaged character": ("/a\ufffdb", None),
    "no host": ("http:///x", None),
    "no host and no scheme": ("///x", None),
    "nothing behind the scheme": ("https://", None),
    "only slashes": ("//", None),
    "backslashes": ("..\\files\\d.pdf", "https://example.com/files/d.pdf"),
    "backslashes before a host": ("\\\\cdn.example\\x", "https://cdn.example/x"),
    "backslash in a query": ("?a=b\\c", "https://example.com/a/b?a=b\\c"),
    "host behind a backslash": ("http://x.example\\@y.example/", "http://x.example/@y.example/"),
    "broken host": ("http://[::1/x", None),
}


@pytest.mark.parametrize(("reference", "url"), REFERENCES.values(), ids=REFERENCES)
def test_reference_is_resolved_as_browsers_do_or_refused(reference: str, url: str | None) -> None:
    assert resolve_url(BASE, reference) == url
