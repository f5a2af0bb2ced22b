"""Scrapy's cookies, without a download in the middle of a crawl."""

from scrapy.downloadermiddlewares import cookies
from tldextract import TLDExtract

# Scrapy asks the list's servers when the first cookie comes, and blocks the crawl meanwhile.
cookies._split_domain = TLDExtract(
    suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True
)


class CookiesMiddleware(cookies.CookiesMiddleware):
    """Settings: COOKIES_ENABLED, COOKIES_DEBUG. Judges domains by the bundled suffix list."""
