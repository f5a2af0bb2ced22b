import pytest

from crawler.engine.page_guard import shown_headers


@pytest.mark.parametrize(
    ("headers", "shown"),
    [
        ([("Content-Type", "text/html; charset=x")], {"content-type": "text/html; charset=x"}),
        ([("Set-Cookie", "a=1"), ("set-cookie", "b=2")], {"set-cookie": "a=1\nb=2"}),
        (
            [("Content-Security-Policy", "img-src a"), ("Content-Security-Policy", "font-src b")],
            {"content-security-policy": "img-src a, font-src b"},
        ),
        ([("Content-Length", "7"), ("Transfer-Encoding", "chunked"), ("Server", "x")], {}),
        ([("Link", "</a>; rel=preload\r\nSet-Cookie: c=3")], {}),
        ([("Refresh", "0;url=\x00")], {}),
    ],
)
def test_a_browser_is_shown_what_changes_a_document(
    headers: list[tuple[str, str]], shown: dict[str, str]
) -> None:
    assert shown_headers(headers) == {"content-type": "text/html", **shown}
