import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

ARGUMENTS = {
    "bench": (),
    "check": ("-l",),
    "edit": ("garden",),
    "fetch": ("--nolog", "http://127.0.0.1:9/"),
    "genspider": ("garden", "garden.example"),
    "parse": ("--spider", "garden", "http://127.0.0.1:9/"),
    "runspider": ("garden.py",),
    "view": ("http://127.0.0.1:9/",),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_what_would_crawl_without_a_site_file_says_what_to_do_instead(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")
    settings = Settings({"COMMANDS_MODULE": "crawler.commands"}, priority="project")

    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", name, *ARGUMENTS[name]], settings=settings)

    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"scrapy {name} ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("http://127.0.0.1:9/", "without the authorisation, robots.txt and pace of a site file"),
        ("garden.example", "without the authorisation, robots.txt and pace of a site file"),
        ("./none.html", "./none.html: no such file"),
    ],
)
def test_the_shell_opens_files_only(
    argument: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")
    settings = Settings({"COMMANDS_MODULE": "crawler.commands"}, priority="project")

    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "shell", argument], settings=settings)

    assert ended.value.code == 2
    assert told in capsys.readouterr().err
