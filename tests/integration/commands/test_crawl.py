"""What stops a crawl before it begins is told alone: no start-up log, no traceback, no ledger."""

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from scrapy.cmdline import execute
from scrapy.settings import Settings

from crawler.ledger.database import ledger_url, open_ledger
from crawler.ledger.tables import meta
from tests.unit.sites.builders import site_text

Refused = Callable[..., tuple[int, str]]


@pytest.fixture
def refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refused:
    """Return a function that runs ``scrapy crawl`` and returns exit code and standard error."""
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")
    (tmp_path / "good.yaml").write_text(site_text(site="site: good"))
    (tmp_path / "bad.yaml").write_text(site_text(site="site: bad\ncolour: red\nsize: 1"))

    def run(*args: str, **given: object) -> tuple[int, str]:
        settings = Settings(
            {
                "COMMANDS_MODULE": "crawler.commands",
                "SPIDER_LOADER_CLASS": "crawler.engine.spiderloader.SiteSpiderLoader",
                "SITES_DIR": str(tmp_path),
                "DATA_DIR": str(tmp_path / "var"),
                **given,
            },
            priority="project",
        )
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "crawl", *args], settings=settings)
        output = capsys.readouterr()
        assert output.out == ""
        return int(ended.value.code or 0), output.err

    return run


def test_all_problems_of_a_site_file_are_told_and_nothing_else(
    refused: Refused, tmp_path: Path
) -> None:
    code, told = refused("bad")

    assert code == 2
    where = [line.split(" ")[:2] for line in told.splitlines()]
    assert where == [
        [f"{tmp_path}/bad.yaml:2:", "colour:"],
        [f"{tmp_path}/bad.yaml:3:", "size:"],
    ]
    assert not (tmp_path / "var").exists()


def test_an_unknown_site_is_answered_with_the_closest_name(refused: Refused) -> None:
    assert refused("god") == (2, "god: no such site; did you mean good?\n")


def test_a_folder_of_site_files_that_is_not_there_is_named(refused: Refused) -> None:
    told = refused("good", SITES_DIR="/nowhere")

    assert told == (2, "/nowhere:1: SITES_DIR: expected a folder of site files\n")


def test_a_spider_without_a_site_file_is_told_what_it_lacks(
    refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import scrapy\nclass Plain(scrapy.Spider):\n    name = 'plain'\n"
    (tmp_path / "plain_spider.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)

    code, told = refused("plain", SPIDER_MODULES=["plain_spider"])

    assert code == 2
    assert told.startswith("plain: its class is no subclass of crawler.spiders.site.SiteSpider")
    assert told.count("\n") == 1


def test_an_argument_that_is_a_part_of_the_spider_is_wrong_usage(refused: Refused) -> None:
    code, told = refused("good", "-a", "run=1")

    assert code == 2
    assert "-a run=... would replace a part of the spider" in told


@pytest.mark.parametrize(
    ("url", "code", "told"),
    [
        ("mysql://u:secret@db/x", 1, "LEDGER_URL must be sqlite:///FILE or postgresql:"),
        ("nonsense", 1, "LEDGER_URL cannot be read as a URL"),
        ("postgresql://u:secret@/x?host=/nowhere", 3, "postgresql+psycopg://u:***@/x"),
    ],
)
def test_a_ledger_that_cannot_be_reached_is_one_line(
    refused: Refused, url: str, code: int, told: str
) -> None:
    ended, line = refused("good", LEDGER_URL=url)

    assert ended == code
    assert line.startswith(told)
    assert line.count("\n") == 1
    assert "secret" not in line


def test_a_driver_that_is_not_installed_is_one_line(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_found(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("psycopg")

    monkeypatch.setattr(sa, "create_engine", not_found)

    told = refused("good", LEDGER_URL="postgresql://db/x")

    assert told == (1, "PostgreSQL needs the extra: pip install crawler[postgres]\n")


def test_a_ledger_of_another_schema_is_one_line(refused: Refused, tmp_path: Path) -> None:
    engine = open_ledger(ledger_url(tmp_path / "var"))
    with engine.begin() as conn:
        conn.execute(sa.update(meta).where(meta.c.name == "schema_version").values(value="999"))
    engine.dispose()

    code, told = refused("good")

    assert code == 1
    assert told.startswith(f"{tmp_path}/var/ledger.db: schema version 999")
    assert told.count("\n") == 1


def test_what_is_told_stands_in_the_log_file_of_a_job_too(refused: Refused, tmp_path: Path) -> None:
    """Scrapyd shows nothing else of a job."""
    log = tmp_path / "job.log"

    _, told = refused("bad", LOG_FILE=str(log))

    assert log.read_text() == told
