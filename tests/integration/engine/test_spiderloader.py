import subprocess
import sys
from pathlib import Path

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.misc import load_object

from crawler.engine.spiderloader import SITE_SPIDER, SiteSpiderLoader
from tests.unit.sites.builders import site_text

LOADER = "crawler.engine.spiderloader.SiteSpiderLoader"
WRITTEN = """
from scrapy import Spider

class Garden(Spider):
    name = "{name}"
    allowed_domains = ["garden.example"]
"""


class PlainSpider(Spider):
    """Stands where the project's own spider does: the loader only names it."""

    name = ""


def settings_for(sites_dir: Path, **settings: object) -> Settings:
    here = f"{__name__}.{PlainSpider.__qualname__}"
    given = {"SITES_DIR": str(sites_dir), "SITE_SPIDER_CLASS": here, **settings}
    return Settings({"SPIDER_LOADER_CLASS": LOADER, **given})


def write_site(folder: Path, name: str, **parts: str) -> None:
    (folder / f"{name}.yaml").write_text(site_text(site=f"site: {name}", **parts))


@pytest.fixture
def written_spiders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module with a hand-written spider called ``by-hand``."""
    module = f"written_{tmp_path.name.replace('-', '_')}"
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / f"{module}.py").write_text(WRITTEN.format(name="by-hand"))
    monkeypatch.syspath_prepend(tmp_path / "modules")
    return module


def test_every_site_file_is_a_spider_and_a_type_is_none(tmp_path: Path) -> None:
    write_site(tmp_path, "b")
    write_site(tmp_path, "a")
    (tmp_path / "broken.yaml").write_bytes(b"\xff[")
    (tmp_path / "types").mkdir()
    write_site(tmp_path / "types", "dataset")

    loader = get_spider_loader(settings_for(tmp_path))

    assert loader.list() == ["a", "b", "broken"]


def test_a_spider_bears_the_name_of_its_file(tmp_path: Path) -> None:
    write_site(tmp_path, "a")
    write_site(tmp_path, "b")
    loader = SiteSpiderLoader.from_settings(settings_for(tmp_path))

    first, second = loader.load("a"), loader.load("b")

    assert (first.name, second.name) == ("a", "b")
    assert issubclass(first, PlainSpider)
    assert PlainSpider.name == ""


def test_without_a_setting_the_spider_is_that_of_the_project(tmp_path: Path) -> None:
    write_site(tmp_path, "a")

    spider = SiteSpiderLoader.from_settings(settings_for(tmp_path, SITE_SPIDER_CLASS=None)).load(
        "a"
    )

    assert issubclass(spider, load_object(SITE_SPIDER))


@pytest.mark.parametrize("name", ["b", "../a", "a.yaml", ""])
def test_an_unknown_name_is_a_key_error(tmp_path: Path, name: str) -> None:
    write_site(tmp_path, "a")

    with pytest.raises(KeyError, match=f"Spider not found: {name}"):
        SiteSpiderLoader.from_settings(settings_for(tmp_path)).load(name)


def test_hand_written_spiders_stand_beside_the_sites(tmp_path: Path, written_spiders: str) -> None:
    write_site(tmp_path, "a")
    loader = SiteSpiderLoader.from_settings(
        settings_for(tmp_path, SPIDER_MODULES=[written_spiders])
    )

    assert loader.list() == ["a", "by-hand"]
    assert loader.load("by-hand").__name__ == "Garden"
    with pytest.raises(KeyError, match="Spider not found: c"):
        loader.load("c")


def test_a_site_file_outranks_a_spider_of_the_same_name(
    tmp_path: Path, written_spiders: str
) -> None:
    write_site(tmp_path, "by-hand")

    with pytest.warns(UserWarning, match="both named 'by-hand'; the site file is used"):
        loader = SiteSpiderLoader.from_settings(
            settings_for(tmp_path, SPIDER_MODULES=[written_spiders])
        )

    assert loader.list() == ["by-hand"]
    assert issubclass(loader.load("by-hand"), PlainSpider)


def test_a_request_finds_hand_written_spiders_and_starts_no_site(
    tmp_path: Path, written_spiders: str
) -> None:
    write_site(tmp_path, "a")
    loader = SiteSpiderLoader.from_settings(
        settings_for(tmp_path, SPIDER_MODULES=[written_spiders])
    )

    assert loader.find_by_request(Request("https://garden.example/x")) == ["by-hand"]
    assert loader.find_by_request(Request("https://third.example/x")) == []


def test_a_missing_folder_is_one_message_of_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a folder of site files"):
        SiteSpiderLoader.from_settings(settings_for(tmp_path / "missing"))


LIST = """
import sys
from scrapy.settings import Settings
before = set(sys.modules)
from crawler.engine.spiderloader import SiteSpiderLoader
SiteSpiderLoader.from_settings(Settings({"SITES_DIR": sys.argv[1]})).list()
heavy = {"pydantic", "yaml", "lxml.etree", "jsonpath", "rich", "crawler.spiders.site"}
print(sorted(heavy.intersection(set(sys.modules) - before)))
"""


def test_listing_spiders_imports_nothing_that_parses(tmp_path: Path) -> None:
    write_site(tmp_path, "a")

    done = subprocess.run(
        [sys.executable, "-c", LIST, str(tmp_path)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"
