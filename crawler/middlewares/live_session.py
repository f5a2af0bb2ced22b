"""A named session as it is now: what its file held, and what the site has made of it since.

Only values change, of cookies and items that were there; all of it is forgotten when the run ends.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from http.cookiejar import Cookie

from scrapy.http.cookies import CookieJar

from crawler.admission.session import for_browser, serves
from crawler.admission.url import ParsedUrl
from crawler.contracts.session import OriginStorage, SameSite, Session, SessionCookie

SAME_SITE: Mapping[str, SameSite] = {"strict": "Strict", "lax": "Lax", "none": "None"}


class LiveSession:
    """Shares its cookies with *jar*, which follows what responses set."""

    def __init__(self, session: Session, jar: CookieJar, origins: Collection[ParsedUrl]) -> None:
        self._session = session
        self._jar = jar
        self._origins = origins
        self._short_names = {url.host for url in origins if "." not in url.host}
        for cookie in session.cookies:
            jar.set_cookie(as_stored(cookie))

    @property
    def cookies(self) -> list[SessionCookie]:
        """Those that the site has set are among them."""
        alive = (cookie for cookie in self._jar if not cookie.is_expired())
        return [as_session_cookie(cookie, self._short_names) for cookie in alive]

    def for_browser(self) -> Session:
        return replace(self._session, cookies=for_browser(self.cookies, self._origins))

    def follow(self, changed: Session) -> None:
        """Take over what a rendered page was given in the place of what it had."""
        for stored in self._jar:
            known = as_session_cookie(stored, self._short_names)
            for cookie in changed.cookies:
                if (known.name, known.path) == (cookie.name, cookie.path) and serves(
                    known, cookie.host
                ):
                    stored.value = cookie.value
                    stored.expires = None if cookie.expires is None else int(cookie.expires)
        new = {each.origin: dict(each.items) for each in changed.storage}
        self._session = replace(
            self._session,
            storage=tuple(
                _with_values(each, new.get(each.origin, {})) for each in self._session.storage
            ),
        )


def _with_values(storage: OriginStorage, new: Mapping[str, str]) -> OriginStorage:
    items = tuple((name, new.get(name, value)) for name, value in storage.items)
    return replace(storage, items=items)


def as_session_cookie(stored: Cookie, short_names: Collection[str] = ()) -> SessionCookie:
    """Return a cookie that http.cookiejar stores as a browser would know it.

    There, and there alone, a host without a dot such as one of *short_names* ends in ``.local``.
    """
    domain = stored.domain.removeprefix(".")
    short = domain.removesuffix(".local")
    rest = {name.lower(): value for name, value in stored._rest.items()}  # type: ignore[attr-defined]
    same_site = SAME_SITE.get(str(rest.get("samesite")).lower(), "Lax")
    return SessionCookie(
        name=stored.name,
        value=stored.value or "",
        host=short if short in short_names else domain,
        is_host_only=not stored.domain_specified,
        path=stored.path,
        expires=stored.expires,
        is_secure=stored.secure,
        is_http_only="httponly" in rest,
        same_site=same_site if stored.secure or same_site != "None" else "Lax",
    )


def as_stored(cookie: SessionCookie) -> Cookie:
    """Return a cookie as http.cookiejar would have stored it."""
    host = cookie.host if "." in cookie.host else f"{cookie.host}.local"
    return Cookie(
        version=0,
        name=cookie.name,
        value=cookie.value,
        port=None,
        port_specified=False,
        domain=host if cookie.is_host_only else f".{host}",
        domain_specified=not cookie.is_host_only,
        domain_initial_dot=not cookie.is_host_only,
        path=cookie.path,
        path_specified=True,
        secure=cookie.is_secure,
        expires=None if cookie.expires is None else int(cookie.expires),
        discard=cookie.expires is None,
        comment=None,
        comment_url=None,
        rest={"SameSite": cookie.same_site} | ({"HttpOnly": ""} if cookie.is_http_only else {}),
    )
