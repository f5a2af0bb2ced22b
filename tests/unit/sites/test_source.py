import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import crawler.sites.source
from crawler.contracts.errors import SiteConfigError
from crawler.sites.source import (
    MAX_FILE_BYTES,
    SourceFile,
    find_name_problems,
    find_sites_dir,
    list_files,
    list_names,
)

CHECKOUT = Path(crawler.sites.source.__file__).parents[2]


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x: y\n")


def test_only_yaml_files_at_the_top_level_are_sites(tmp_path: Path) -> None:
    write(tmp_path, "b.yaml", "a.yml", "types/event.yaml", "README.md", ".a.yaml", "c.yaml.bak")
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")

    assert list_names(tmp_path) == ["a", "b"]


def test_listing_opens_no_file(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_bytes(b"\xff\x00[[[[")

    assert list_names(tmp_path) == ["broken"]


def test_a_name_taken_twice_is_listed_once_and_reported_for_both_files(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", "a.yml", "b.yaml")

    problems = find_name_problems(list_files(tmp_path))

    assert list_names(tmp_path) == ["a", "b"]
    assert [Path(problem.path).name for problem in problems] == ["a.yaml", "a.yml"]
    assert problems[0].message == "expected one file for 'a'; found it as .yaml and as .yml"


@pytest.mark.parametrize("stem", ["Garden", "my site", "-x", "é", "a" * 101, "a.b"])
def test_a_name_that_is_no_site_name_is_reported(tmp_path: Path, stem: str) -> None:
    write(tmp_path, f"{stem}.yaml")

    (problem,) = find_name_problems(list_files(tmp_path))

    assert "expected a name of lower-case letters" in problem.message
    assert repr(stem) in problem.message
    assert list_names(tmp_path) == [stem]


@pytest.mark.parametrize("stem", ["a", "0", "garden-jazz_2", "a" * 100])
def test_a_good_name_is_not_reported(tmp_path: Path, stem: str) -> None:
    write(tmp_path, f"{stem}.yaml")

    assert find_name_problems(list_files(tmp_path)) == []


def test_a_name_that_would_break_the_list_into_lines_is_only_reported(tmp_path: Path) -> None:
    write(tmp_path, "a\nb.yaml")

    assert list_names(tmp_path) == []
    assert len(find_name_problems(list_files(tmp_path))) == 1


def test_the_setting_outranks_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITES_DIR", str(tmp_path / "environment"))

    assert find_sites_dir(str(tmp_path / "setting")) == tmp_path / "setting"
    assert find_sites_dir("") == tmp_path / "environment"
    assert find_sites_dir() == tmp_path / "environment"


def test_without_any_of_them_the_checkout_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SITES_DIR", raising=False)

    assert Path(str(find_sites_dir())) == CHECKOUT / "spiders_config"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SiteConfigError) as caught:
        list_files(tmp_path / "nowhere")

    assert str(caught.value) == f"{tmp_path}/nowhere:1: SITES_DIR: expected a folder of site files"


def test_a_file_is_read_up_to_a_mebibyte_and_refused_beyond(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"x" * MAX_FILE_BYTES)
    file = SourceFile("a", path)
    assert len(file.read()) == MAX_FILE_BYTES

    path.write_bytes(b"x" * (10 * MAX_FILE_BYTES))
    with pytest.raises(SiteConfigError, match=f"expected at most {MAX_FILE_BYTES} bytes"):
        file.read()


def test_a_file_that_vanished_is_a_problem_of_that_file(tmp_path: Path) -> None:
    with pytest.raises(SiteConfigError, match=r"a\.yaml:1: file: cannot be read: No such file"):
        SourceFile("a", tmp_path / "a.yaml").read()


EGG_PARTS = ("__init__.py", "contracts/__init__.py", "contracts/errors.py", "sites/__init__.py")
LIST_AND_READ = """
import crawler.sites.source as source
assert ".egg" in source.__file__, source.__file__
folder = source.find_sites_dir()
print(source.list_names(folder), source.list_files(folder)[0].read())
"""


def test_site_files_are_found_inside_a_zipped_egg(tmp_path: Path) -> None:
    egg = tmp_path / "crawler-1.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for part in (*EGG_PARTS, "sites/source.py"):
            archive.write(CHECKOUT / "crawler" / part, f"crawler/{part}")
        archive.writestr("crawler/spiders_config/garden-jazz.yaml", "x: y\n")
        archive.writestr("crawler/spiders_config/types/event.yaml", "x: y\n")

    done = subprocess.run(
        [sys.executable, "-c", LIST_AND_READ],
        env={"PYTHONPATH": str(egg)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stderr == ""
    assert done.stdout == "['garden-jazz'] b'x: y\\n'\n"


HEAVY = ("pydantic", "yaml", "lxml", "jsonpath", "rich", "cssselect", "parsel")
LIST_ONLY = f"""
import sys
from crawler.sites.source import find_sites_dir, list_names
list_names(find_sites_dir())
print(sorted(set(sys.modules).intersection({HEAVY!r})))
"""


def test_listing_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIST_ONLY], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"
