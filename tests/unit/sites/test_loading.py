from pathlib import Path

import pytest

from crawler.contracts.errors import SiteConfigError
from crawler.sites.loading import lint_all, load_site
from tests.unit.sites.builders import site_text

TYPE = "name: dataset\nschema_version: v1\nkey: [doi]\nfields: {doi: {doc: Its name.}}\n"


def write_site(folder: Path, name: str, suffix: str = ".yaml", **parts: str) -> Path:
    path = folder / f"{name}{suffix}"
    path.write_text(site_text(site=f"site: {name}", **parts))
    return path


def write_type(folder: Path, text: str) -> None:
    (folder / "types").mkdir()
    (folder / "types" / "dataset.yaml").write_text(text)


def test_a_site_is_loaded_by_its_name(tmp_path: Path) -> None:
    path = write_site(tmp_path, "garden-jazz")
    (tmp_path / "other.yaml").write_bytes(b"\xff")

    loaded = load_site("garden-jazz", tmp_path)

    assert loaded.config.site == "garden-jazz"
    assert loaded.path == str(path)


def test_a_loaded_site_does_not_follow_its_file(tmp_path: Path) -> None:
    path = write_site(tmp_path, "garden-jazz")
    before = load_site("garden-jazz", tmp_path)
    write_site(tmp_path, "garden-jazz", start="start: [https://other.example/]")

    after = load_site("garden-jazz", tmp_path)

    assert before.config.start == ("https://garden.example/events",)
    assert before.site_hash != after.site_hash
    assert before.path == after.path == str(path)


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_site(tmp_path, "garden-jazz")
    monkeypatch.setenv("SITES_DIR", str(tmp_path))

    assert load_site("garden-jazz").config.site == "garden-jazz"


@pytest.mark.parametrize("name", ["garden-jaz", "../garden-jazz", "/etc/passwd", ""])
def test_an_unknown_name_opens_no_file(tmp_path: Path, name: str) -> None:
    write_site(tmp_path, "garden-jazz")

    with pytest.raises(SiteConfigError, match=r"\.yaml:1: file: there is no such site file"):
        load_site(name, tmp_path)


def test_an_unknown_name_is_answered_with_the_one_perhaps_meant(tmp_path: Path) -> None:
    write_site(tmp_path, "garden-jazz")

    with pytest.raises(SiteConfigError, match="did you mean garden-jazz"):
        load_site("garden-jaz", tmp_path)


def test_a_name_with_two_files_cannot_be_loaded(tmp_path: Path) -> None:
    write_site(tmp_path, "garden-jazz")
    write_site(tmp_path, "garden-jazz", ".yml")

    with pytest.raises(SiteConfigError) as caught:
        load_site("garden-jazz", tmp_path)

    assert len(caught.value.problems) == 2


def test_a_site_uses_a_type_declared_beside_it(tmp_path: Path) -> None:
    write_type(tmp_path, TYPE)
    write_site(tmp_path, "garden-jazz", record="record: {type: dataset, fields: {doi: css:b}}")

    assert load_site("garden-jazz", tmp_path).rules.record_type.key == ("doi",)


def test_a_broken_type_stops_only_the_sites_that_use_it(tmp_path: Path) -> None:
    write_type(tmp_path, TYPE.replace("key: [doi]", "key: [id]"))
    write_site(tmp_path, "a", record="record: {type: dataset}")
    write_site(tmp_path, "b")

    with pytest.raises(
        SiteConfigError, match=r"types/dataset.yaml:3: key\[0\]: unknown field 'id'"
    ):
        load_site("a", tmp_path)
    assert load_site("b", tmp_path).config.site == "b"


def test_lint_returns_the_usable_sites_and_every_problem_once(tmp_path: Path) -> None:
    write_type(tmp_path, TYPE.replace("key: [doi]", "key: [id]"))
    write_site(tmp_path, "a", record="record: {type: dataset}")
    write_site(tmp_path, "b", record="record: {type: dataset}")
    write_site(tmp_path, "c")
    write_site(tmp_path, "d")
    write_site(tmp_path, "d", ".yml")
    (tmp_path / "Bad.yaml").write_text("site: [\n")
    (tmp_path / "huge.yaml").write_bytes(b"#" * 2**21)

    report = lint_all(tmp_path)

    assert [site.config.site for site in report.sites] == ["c"]
    assert [(Path(problem.path).name, problem.field) for problem in report.problems] == [
        ("Bad.yaml", "file"),
        ("d.yaml", "file"),
        ("d.yml", "file"),
        ("dataset.yaml", "key[0]"),
        ("Bad.yaml", "file"),
        ("huge.yaml", "file"),
    ]


def test_an_empty_folder_has_no_problems(tmp_path: Path) -> None:
    report = lint_all(tmp_path)

    assert (report.sites, report.problems) == ((), ())


def test_the_files_of_this_repository_have_no_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SITES_DIR", raising=False)

    assert lint_all().problems == ()


@pytest.mark.parametrize("word", ["event", "Auto", "true", "price"])
def test_a_word_that_is_no_element_is_warned_of_with_its_line(tmp_path: Path, word: str) -> None:
    write_site(tmp_path, "garden", collect=f'collect:\n  links: "li a"\n  next: "{word}"')

    report = lint_all(tmp_path)

    assert report.problems == ()
    [warning] = report.warnings
    assert (warning.line, warning.field) == (7, "collect.next")
    assert f"no element '{word}'; a class would be written .{word}" in warning.message


@pytest.mark.parametrize("selector", ["auto", "A", "x-next", ".next", "a.next", "nav a", "dialog"])
def test_what_may_be_an_element_is_not_warned_of(tmp_path: Path, selector: str) -> None:
    write_site(tmp_path, "garden", collect=f'collect: {{links: "li a", next: "{selector}"}}')

    assert lint_all(tmp_path).warnings == ()


def test_a_selector_on_a_generated_class_is_warned_of_with_its_line(tmp_path: Path) -> None:
    path = write_site(
        tmp_path, "garden", record='record: {type: event, fields: {name: "css:.css-1x2y3z::text"}}'
    )
    lines = path.read_text().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if "css-1x2y3z" in line)

    report = lint_all(tmp_path)

    assert report.problems == ()
    assert [(each.path, each.line, each.field) for each in report.warnings] == [
        (str(path), number, "record.fields.name")
    ]
