"""The demo site: what each URL answers, and the site files that describe it."""

from pathlib import Path

from tests.e2e.server import Script, Server, Step, page, redirect

HERE = Path(__file__).parent
AUTHORITY = "127.0.0.1:8000"
"""Stands in the site files for the port that the server gets."""

ROBOTS = Step(
    b"User-agent: *\nDisallow: /notices/drafts/\n", headers=(("Content-Type", "text/plain"),)
)


def open_demo_site() -> Server:
    """Return the running site; closing it switches it off."""
    return Server(ordinary_pages() | unusual_pages())


def write_site_files(folder: Path, authority: str) -> None:
    """Write the demo's site files for a server at *authority*."""
    folder.mkdir(parents=True, exist_ok=True)
    for template in sorted((HERE / "sites").glob("*.yaml")):
        text = template.read_text(encoding="utf-8")
        (folder / template.name).write_text(text.replace(AUTHORITY, authority), encoding="utf-8")


def ordinary_pages() -> dict[str, Script]:
    """Return every file in pages/ at its path: ``index-2.html`` answers ``?page=2``."""
    files = sorted((HERE / "pages").glob("*/*.html"))
    return {_target(file): (page(_read(file)),) for file in files}


def unusual_pages() -> dict[str, Script]:
    """Return what a crawler has to get right: one target for each kind of trouble."""
    return {
        "/robots.txt": (ROBOTS,),
        "/notices/reading-room-repairs": (
            page("<h1>Back in a moment</h1>", 503),
            page(_read("notices/reading-room-repairs.html")),
        ),
        "/notices/members-minutes": (redirect("/login?next=/notices/members-minutes"),),
        "/login": (page(_read("notices/login.html")),),
        "/notices/hours": (redirect("/notices/opening-hours", 301),),
        "/notices/drafts/budget": (page(_read("notices/draft.html")),),
        "/programme/choir-fair": (
            page("<h1>Too many requests</h1>", 429, retry_after="2"),
            page(_read("programme/choir-fair.html")),
        ),
        "/programme/patrons-gala": (
            page(_read("programme/challenge.html"), 503, server="cloudflare", cf_ray="demo-FEN"),
        ),
    }


def _read(file: str | Path) -> str:
    return (HERE / "pages" / file).read_text(encoding="utf-8")


def _target(file: Path) -> str:
    name, _, number = (
        file.stem.partition("-") if file.stem.startswith("index") else (file.stem, "", "")
    )
    folder = f"/{file.parent.name}/"
    if name != "index":
        return folder + name
    return f"{folder}?page={number}" if number else folder
