"""A server and a project for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.processes import Crawls
from tests.e2e.project import Project
from tests.e2e.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture
def project(tmp_path: Path) -> Project:
    sites = tmp_path / "sites"
    sites.mkdir()
    return Project(sites=sites, data=tmp_path / "data")


@pytest.fixture
def crawls(project: Project) -> Iterator[Crawls]:
    with Crawls(project, are_forked=True) as started:
        yield started
