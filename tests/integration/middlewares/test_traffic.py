from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.engine.stats import PlainStatsCollector
from crawler.middlewares.traffic import TrafficMiddleware

REQUEST = (
    b"POST /list?page=2 HTTP/1.1\r\n"
    b"Host: site.example:8080\r\n"
    b"Accept: text/html\r\n"
    b"Accept: */*\r\n"
    b"\r\n"
    b"a=1"
)
RESPONSE = b"HTTP/1.1 200 \r\nContent-Type: text/html\r\n\r\n<p>One</p>"


def test_messages_count_with_the_bytes_that_they_have() -> None:
    crawler = get_crawler(settings_dict={"STATS_CLASS": PlainStatsCollector})
    middleware = TrafficMiddleware(crawler.stats)
    request = Request(
        "http://site.example:8080/list?page=2#part",
        method="POST",
        headers={"Accept": ["text/html", "*/*"]},
        body=b"a=1",
    )
    response = Response(request.url, headers={"Content-Type": "text/html"}, body=b"<p>One</p>")

    middleware.process_request(request)
    middleware.process_response(request, response)

    assert crawler.stats.get_stats() == {
        "downloader/request_count": 1,
        "downloader/request_method_count/POST": 1,
        "downloader/request_bytes": len(REQUEST),
        "downloader/response_count": 1,
        "downloader/response_status_count/200": 1,
        "downloader/response_bytes": len(RESPONSE),
    }
