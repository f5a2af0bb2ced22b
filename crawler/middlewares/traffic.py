"""Scrapy's counts of requests, responses and bytes, without writing messages out to measure them."""

from scrapy import Request
from scrapy.downloadermiddlewares.stats import DownloaderStats
from scrapy.http import Headers, Response

REQUEST_LINE, STATUS_LINE, HOST = len("  HTTP/1.1\r\n"), len("HTTP/1.1 200 \r\n"), len("Host: \r\n")
FIELD, END = len(": \r\n"), len("\r\n")


class TrafficMiddleware(DownloaderStats):
    """Setting: DOWNLOADER_STATS. Stats: those of Scrapy's middleware; bytes as HTTP/1.1 has them."""

    def process_request(self, request: Request, spider: object = None) -> None:
        self.stats.inc_value("downloader/request_count")
        self.stats.inc_value(f"downloader/request_method_count/{request.method}")
        address = request.url.partition("://")[2].partition("#")[0]
        line = REQUEST_LINE + len(request.method) + HOST + len(address)
        size = line + measure_fields(request.headers) + END + len(request.body)
        self.stats.inc_value("downloader/request_bytes", size)

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Response:
        self.stats.inc_value("downloader/response_count")
        self.stats.inc_value(f"downloader/response_status_count/{response.status}")
        size = STATUS_LINE + measure_fields(response.headers) + END + len(response.body)
        self.stats.inc_value("downloader/response_bytes", size)
        return response


def measure_fields(headers: Headers) -> int:
    return sum(
        len(name) + len(value) + FIELD for name, values in dict.items(headers) for value in values
    )
