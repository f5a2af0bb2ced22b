"""A site that shows its pages to members only, and what their browser would have kept."""

import json
import threading
from dataclasses import dataclass, field, replace
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from tests.e2e.bulletins import article, board
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step, page, redirect

SIGN_IN = "<title>Sign in</title><form action=/login><input type=password name=p></form>"
NAME = "members"


@dataclass(slots=True)
class MembersOnly:
    """Serves a listing of *pages*; a token opens so many of them as it has left."""

    server: Server
    pages: int
    wall: Step = field(default_factory=lambda: page(SIGN_IN))
    is_open: threading.Event = field(default_factory=threading.Event)
    """Pages wait for it to be set, as it is at first."""
    is_turning: bool = False
    """Each page sets another token in the place of the one it was asked for with."""
    uses: dict[str, int] = field(default_factory=dict)
    """By token."""

    def __post_init__(self) -> None:
        self.is_open.set()
        self.server.serve("/robots.txt", page("", 404))
        self.server.serve("/login", page(SIGN_IN))
        self.server.compute("/list", self._list)
        self.server.compute("/p/*", self._page)

    def serve_data(self, target: str) -> None:
        """Serve what the pages' scripts ask for in their place; 401 in the place of the wall."""
        self.wall = page("no", 401)
        self.server.compute(target, self._page)

    def _list(self, hit: Hit) -> Step:
        links = "".join(f'<a href="/p/{number}">x</a>' for number in range(self.pages))
        return page(links) if token_of(hit) in self.uses else self.wall

    def _page(self, hit: Hit) -> Step:
        self.is_open.wait(30)
        token = token_of(hit)
        if not self.uses.get(token):
            return self.wall
        self.uses[token] -= 1
        answer = board(article(hit.path))
        return self._turn(token, answer) if self.is_turning else answer

    def _turn(self, token: str, answer: Step) -> Step:
        fresh = f"{token}+"
        self.uses[fresh] = self.uses.pop(token)
        headers = (
            ("Content-Type", "text/html"),
            ("Set-Cookie", f"token={fresh}; Path=/; HttpOnly"),
        )
        return replace(answer, headers=headers)

    @property
    def hits(self) -> list[Hit]:
        return [hit for hit in self.server.log if hit.path.startswith("/p/")]


def token_of(hit: Hit) -> str:
    sent = SimpleCookie(hit.headers.get("cookie", ""))
    return sent["token"].value if "token" in sent else ""


def cookie(value: str, domain: str = "127.0.0.1", **others: Any) -> dict[str, Any]:
    """Return a cookie in Playwright's spelling."""
    return {
        "name": "token",
        "value": value,
        "domain": domain,
        "path": "/",
        "expires": -1,
        "httpOnly": True,
        "secure": False,
        "sameSite": "Lax",
        **others,
    }


def save_session(project: Project, site: str, *cookies: dict[str, Any], **others: Any) -> Path:
    """Write the storage state of *site*; the folder is that of ``sessions_dir``."""
    folder = sessions_dir(project)
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{site}.{NAME}.json"
    path.write_text(json.dumps({"cookies": cookies, "origins": [], **others}), encoding="utf-8")
    path.chmod(0o600)
    return path


def sessions_dir(project: Project) -> Path:
    return project.data.parent / "sessions"


def to_login() -> Step:
    return redirect("/login")
