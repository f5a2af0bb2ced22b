"""A cookie jar with bounds: what a site sets takes no more memory, and drives out no more, than
browsers let it. RFC 6265 section 6.1 has the least that a user agent should hold.
"""

from collections import OrderedDict
from http import cookiejar
from http.cookiejar import Cookie, DefaultCookiePolicy
from typing import Any

from scrapy.http.cookies import CookieJar

MAX_BYTES = 4096
"""Of a name and its value; a larger cookie is ignored."""
MAX_PATH = 1024
MAX_OF_DOMAIN = 180
MAX_COOKIES = 3000

_Key = tuple[str, str, str]
"""Domain, path and name."""


class BoundedCookieJar(CookieJar):
    def __init__(self) -> None:
        # By default http.cookiejar returns a cookie without a domain to hosts below its own, too.
        strict = DefaultCookiePolicy.DomainStrictNonDomain
        super().__init__(DefaultCookiePolicy(strict_ns_domain=strict))
        self.jar = _Jar(self.policy)


class _Jar(cookiejar.CookieJar):
    """Full, it drops what was used longest ago; of what one request used together, the newest, so
    that a flood of cookies does not drive out those that a session began with.
    """

    _cookies: dict[str, dict[str, dict[str, Cookie]]]

    def __init__(self, policy: cookiejar.CookiePolicy) -> None:
        super().__init__(policy)
        self._used = OrderedDict[_Key, None]()

    def set_cookie(self, cookie: Cookie) -> None:
        if _is_too_large(cookie):
            return
        super().set_cookie(cookie)
        self._touch(cookie)
        while sum(map(len, self._cookies[cookie.domain].values())) > MAX_OF_DOMAIN:
            self.clear(*next(key for key in self._used if key[0] == cookie.domain))
        while len(self._used) > MAX_COOKIES:
            self.clear(*next(iter(self._used)))

    def clear(
        self, domain: str | None = None, path: str | None = None, name: str | None = None
    ) -> None:
        super().clear(domain, path, name)
        if domain is not None and path is not None and name is not None:
            del self._used[domain, path, name]
            self._drop_empty(domain, path)
            return
        left = {(each.domain, each.path, each.name) for each in self}
        self._used = OrderedDict((key, None) for key in self._used if key in left)

    def _drop_empty(self, domain: str, path: str) -> None:
        """Let go of a path without cookies: http.cookiejar keeps each that ever had one."""
        paths = self._cookies[domain]
        if not paths[path]:
            del paths[path]
        if not paths:
            del self._cookies[domain]

    def _cookies_for_domain(self, domain: str, request: Any) -> list[Cookie]:
        found: list[Cookie] = super()._cookies_for_domain(domain, request)  # type: ignore[misc]
        for cookie in reversed(found):
            self._touch(cookie)
        return found

    def _touch(self, cookie: Cookie) -> None:
        key = (cookie.domain, cookie.path, cookie.name)
        self._used[key] = None
        self._used.move_to_end(key)


def _is_too_large(cookie: Cookie) -> bool:
    size = len(cookie.name.encode()) + len((cookie.value or "").encode())
    return size > MAX_BYTES or len(cookie.path) > MAX_PATH
