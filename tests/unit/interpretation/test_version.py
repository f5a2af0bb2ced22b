import tomllib
from pathlib import Path

import pytest

from crawler import __version__
from crawler.interpretation import version

ROOT = Path(__file__).parents[3]


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Source code of which one package has a module and another one a package."""
    for package in version.READING:
        (tmp_path / package).mkdir()
    (tmp_path / "extraction" / "fields").mkdir()
    (tmp_path / "extraction" / "fields" / "price.py").write_text("PRICE = 1\n")
    monkeypatch.setattr(version, "files", lambda _: tmp_path)
    return tmp_path


def read_version() -> str:
    version.extractor_version.cache_clear()
    try:
        return version.extractor_version()
    finally:
        version.extractor_version.cache_clear()


def test_it_is_the_programs_with_a_digest_of_its_code(code: Path) -> None:
    name, _, digest = read_version().partition("+")

    assert name == __version__
    assert len(digest) == 12
    assert read_version() == f"{name}+{digest}"


def test_whatever_changes_in_the_code_that_reads_pages_changes_it(code: Path) -> None:
    seen = {read_version()}
    price = code / "extraction" / "fields" / "price.py"
    price.write_text("PRICE = 2\n")
    seen.add(read_version())
    price.rename(price.with_name("cost.py"))
    seen.add(read_version())
    (code / "document" / "text.py").write_text("")
    seen.add(read_version())

    assert len(seen) == 4


def test_what_python_keeps_beside_the_code_does_not(code: Path) -> None:
    before = read_version()
    (code / "extraction" / "__pycache__").mkdir()
    (code / "extraction" / "__pycache__" / "stale.py").write_text("X = 1")
    (code / "extraction" / "price.pyc").write_bytes(b"x")

    assert read_version() == before


def test_no_package_that_reads_pages_is_left_out() -> None:
    """They are the lowest layers, from interpretation down."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [layers] = [c["layers"] for c in project["tool"]["importlinter"]["contracts"] if "layers" in c]
    lowest = layers[layers.index("interpretation") :]
    named = {name.strip() for layer in lowest for name in layer.split("|")}

    assert named == set(version.READING)
