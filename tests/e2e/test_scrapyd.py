"""The egg that scrapyd-deploy builds, run by a real Scrapyd that knows nothing but the egg."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.site import open_demo_site, write_site_files
from tests.e2e.project import Project
from tests.e2e.scrapyd import PROJECT, Scrapyd, copy_project, make_interpreter, wait_until
from tests.e2e.server import Server, Step, page

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

GALLERY_PAGES = 60
LISTING = "".join(f'<a class="work" href="/gallery/{n}">{n}</a>' for n in range(GALLERY_PAGES))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scrapyd")


@pytest.fixture(scope="module")
def python(folder: Path) -> Path:
    return make_interpreter(folder / "python")


@pytest.fixture(scope="module")
def demo() -> Iterator[Server]:
    with open_demo_site() as running:
        yield running


@pytest.fixture(scope="module")
def gallery() -> Iterator[Server]:
    """A site that takes its time: long enough to be cancelled in the middle."""
    with Server({"/gallery/": (page(f"<main>{LISTING}</main>"),)}) as running:
        running.compute(
            "/gallery/*",
            lambda hit: Step(
                f'<article data-id="{hit.path}" data-published="2026-09-10">'
                f"<h2>Work {hit.path}</h2></article>".encode(),
                delay=0.1,
            ),
        )
        yield running


@pytest.fixture(scope="module")
def checkout(folder: Path, demo: Server, gallery: Server) -> Path:
    """A copy of the project with the site files of the servers in its spiders_config."""
    copy = copy_project(folder / "checkout")
    project = Project(sites=copy / "spiders_config", data=folder / "unused")
    write_site_files(project.sites, demo.authority)
    project.write_site(
        "gallery",
        gallery,
        start=["/gallery/"],
        collect={"links": "a.work"},
        record={
            "type": "notice",
            "fields": {
                "id": ["xpath://article/@data-id"],
                "title": ["css:article h2::text"],
                "published": ["xpath://article/@data-published"],
            },
        },
    )
    return copy


@pytest.fixture(scope="module")
def scrapyd(folder: Path, python: Path, checkout: Path) -> Iterator[Scrapyd]:
    """A Scrapyd to which the copy has been deployed."""
    with Scrapyd(folder / "daemon", python) as daemon:
        deployed = daemon.deploy(checkout)
        assert deployed.returncode == 0, deployed.stderr + deployed.stdout
        assert '"status": "ok"' in deployed.stdout
        yield daemon


def test_the_interpreter_has_no_other_crawler_than_that_of_the_egg(python: Path) -> None:
    attempt = subprocess.run(
        [python, "-c", "import scrapy, crawler"],
        cwd=python.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert "No module named 'crawler'" in attempt.stderr


def test_nothing_is_told_without_the_password(scrapyd: Scrapyd) -> None:
    assert scrapyd.get("listspiders.json", project=PROJECT, password=None).status == 401
    assert scrapyd.get("listspiders.json", project=PROJECT, password="guess").status == 401


def test_site_files_of_the_egg_are_listed_as_spiders(scrapyd: Scrapyd, checkout: Path) -> None:
    listed = scrapyd.get("listspiders.json", project=PROJECT).body

    stems = sorted(file.stem for file in (checkout / "spiders_config").glob("*.yaml"))
    assert listed["spiders"] == stems
    assert {"gallery", "notices", "programme"} <= set(stems)


def test_demo_site_is_crawled_from_the_egg_with_its_own_site_files(
    scrapyd: Scrapyd, project: Project, checkout: Path
) -> None:
    log = scrapyd.wait_for(scrapyd.schedule("programme", DATA_DIR=project.data))

    funnel = Project(checkout / "spiders_config", project.data).outcomes("programme")
    assert sum(funnel["open"].values()) == 0, log
    assert funnel["outcomes"] == {"eligible": 9, "challenge_review": 1}, log
    assert funnel["records"]["accepted"] == 6, log
    assert funnel["records"]["rejected"] == {"required_field": 1}, log


def test_site_files_of_another_folder_are_used_when_the_job_says_so(
    scrapyd: Scrapyd, project: Project, demo: Server
) -> None:
    project.write_site(
        "notices",
        demo,
        start=["/notices/book-sale"],
        record={"type": "notice", "fields": {"id": ["jsonld:$.identifier"]}},
    )

    log = scrapyd.wait_for(
        scrapyd.schedule("notices", SITES_DIR=project.sites, DATA_DIR=project.data)
    )

    assert project.outcomes("notices")["admitted"] == 1, log
    assert [record["id"] for record in project.records("notices")] == ["n-113"], log


def test_cancelled_job_is_resumed_by_the_next(
    scrapyd: Scrapyd, project: Project, checkout: Path, gallery: Server
) -> None:
    ledger = Project(checkout / "spiders_config", project.data)
    first = scrapyd.schedule("gallery", DATA_DIR=project.data)
    wait_until(lambda: len(gallery.log) >= 8, "the crawl is under way", seconds=30)

    assert scrapyd.cancel(first).body["prevstate"] == "running"
    scrapyd.wait_for(first)
    halfway = ledger.outcomes("gallery")
    log = scrapyd.wait_for(scrapyd.schedule("gallery", DATA_DIR=project.data))

    funnel = ledger.outcomes("gallery")
    assert sum(halfway["open"].values()) > 0
    assert funnel["cycle"] == halfway["cycle"], log
    assert funnel["outcomes"] == {"eligible": GALLERY_PAGES + 1}, log
    assert funnel["records"]["accepted"] == GALLERY_PAGES, log
    assert {gallery.hits(f"/gallery/{n}") for n in range(GALLERY_PAGES)} == {1}
