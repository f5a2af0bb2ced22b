from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.middlewares.cookies import CookiesMiddleware


def test_a_cookie_for_a_public_suffix_is_not_kept_and_nothing_is_downloaded() -> None:
    """tests/conftest.py refuses every look-up of a name."""
    crawler = get_crawler()
    middleware = CookiesMiddleware.from_crawler(crawler)
    request = Request("https://shop.example.co.uk/")
    received = [b"wide=1; Domain=co.uk", b"near=1; Domain=example.co.uk"]

    middleware.process_response(request, Response(request.url, headers={"Set-Cookie": received}))
    later = Request("https://www.example.co.uk/")
    middleware.process_request(later)

    assert later.headers.getlist("Cookie") == [b"near=1"]
