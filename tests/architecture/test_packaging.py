"""What is packed for Scrapyd is everything the project consists of."""

import subprocess
import tomllib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
SITE_FILES = "crawler.spiders_config"


def test_every_package_is_listed_for_packing() -> None:
    folders = [module.parent for module in (CHECKOUT / "crawler").rglob("__init__.py")]
    names = [".".join(folder.relative_to(CHECKOUT).parts) for folder in folders]

    assert PYPROJECT["tool"]["setuptools"]["packages"] == sorted([*names, SITE_FILES])


def test_every_folder_with_code_is_a_package() -> None:
    folders = {module.parent for module in (CHECKOUT / "crawler").rglob("*.py")}

    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_every_site_file_is_matched_for_packing() -> None:
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"][SITE_FILES]
    folder = CHECKOUT / "spiders_config"
    matched = {path for pattern in patterns for path in folder.glob(pattern)}

    assert set(folder.rglob("*.y*ml")) == matched


in_git_checkout = pytest.mark.skipif(not (CHECKOUT / ".git").exists(), reason="not a git checkout")


def ask_git(*arguments: str) -> list[str]:
    answer = subprocess.run(
        ["git", "-c", "safe.directory=*", *arguments],
        cwd=CHECKOUT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return answer.stdout.splitlines()


@in_git_checkout
def test_the_top_folder_holds_what_the_project_consists_of_and_no_stray_file() -> None:
    names = {Path(file).parts[0] for file in ask_git("ls-files")}

    assert {name for name in names if not name.startswith(".")} == {
        "Makefile",
        "README.md",
        "constraints.txt",
        "crawler",
        "pyproject.toml",
        "scrapy.cfg",
        "spiders_config",
        "tests",
    }


@in_git_checkout
def test_what_packing_leaves_behind_is_ignored() -> None:
    leftovers = ["setup.py", "build/lib/crawler", "crawler.egg-info/PKG-INFO", "dist/crawler.egg"]

    assert ask_git("check-ignore", *leftovers) == leftovers
