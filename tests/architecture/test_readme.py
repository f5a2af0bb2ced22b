"""The README is complete: whatever a user can type, set, read or meet stands in it."""

import argparse
import ast
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

from crawler.contracts.bound import Bound
from crawler.contracts.collection import Gap
from crawler.contracts.export import PROVENANCE, STANDING
from crawler.contracts.outcome import Kind, Reason, RejectReason
from crawler.contracts.record import FieldKind
from crawler.engine.ending import EXIT_CODES
from crawler.sites.builtin import BUILT_IN
from crawler.sites.config import parse_site
from crawler.sites.record_types import TypeDeclaration, load_types
from crawler.sites.schema import json_schema
from crawler.sites.selectors import RULE_SOURCES

CHECKOUT = Path(__file__).parents[2]
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
MODULES = sorted((CHECKOUT / "crawler").rglob("*.py"))
COMMAND_CLASSES = {
    module.stem: found[1]
    for module in (CHECKOUT / "crawler" / "commands").glob("*.py")
    if (found := re.search(r"\nclass Command\((.*)\)", module.read_text(encoding="utf-8")))
}
NOT_HERE = sorted(name for name, bases in COMMAND_CLASSES.items() if "NotHere" in bases)
COMMANDS = sorted(COMMAND_CLASSES.keys() - NOT_HERE)
DEFINITIONS = "#/$defs/"


def section(heading: str) -> str:
    """Return what stands under a heading, up to the next one of the same level or above."""
    level = len(heading) - len(heading.lstrip("#"))
    prose = re.sub(
        r"^```.*?^```",
        lambda block: block[0].replace("#", ""),
        README,
        flags=re.MULTILINE | re.DOTALL,
    )
    found = re.search(
        rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{level}}} |\Z)",
        prose,
        flags=re.MULTILINE | re.DOTALL,
    )
    assert found, f"README.md has no heading {heading!r}"
    return found[1]


def missing(names: set[str], text: str) -> list[str]:
    """Return those of *names* that do not stand in *text* as code."""
    return sorted(name for name in names if f"`{name}`" not in text)


def first_cells(text: str) -> set[str]:
    """Return the code in the first column of the tables of *text*."""
    cells = re.findall(r"^\| ([^|]+) \|", text, flags=re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def options_of(name: str) -> set[str]:
    """Return the options that a command adds to those of every command."""
    command: ScrapyCommand = import_module(f"crawler.commands.{name}").Command()
    command.settings = Settings()
    return _options(command.add_options) - _options(partial(ScrapyCommand.add_options, command))


def _options(add_options: Callable[[argparse.ArgumentParser], None]) -> set[str]:
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    add_options(parser)
    return {option for action in parser._actions for option in action.option_strings}


def calls_of(*methods: str) -> Iterator[ast.expr]:
    """Yield the first argument of every call of a method whose name begins so."""
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr.startswith(methods)
                and node.args
            ):
                yield node.args[0]


def settings_read() -> set[str]:
    """Return the names of settings that the code asks for or that a docstring announces."""
    sources = [module.read_text(encoding="utf-8") for module in MODULES]
    asked = {
        name
        for source in sources
        for name in re.findall(r"settings(?:\.get\w*\(|\[)\"([A-Z][A-Z_]+)\"", source)
    }
    announced = {
        name
        for source in sources
        for text in re.findall(r"Settings: (.*?)(?:\"\"\"|Stats: )", source, flags=re.DOTALL)
        for name in re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text)
    }
    return asked | announced


def settings_defined() -> set[str]:
    tree = ast.parse((CHECKOUT / "crawler" / "settings.py").read_text(encoding="utf-8"))
    targets = [
        target
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def stats_counted() -> set[str]:
    """Return the names of stats as the README spells them: a part that varies is ``<…>``."""
    return {
        name
        for argument in calls_of("inc_value", "max_value", "set_value")
        if (name := _stat(argument))
    }


def _stat(argument: ast.expr) -> str | None:
    if isinstance(argument, ast.Constant):
        return str(argument.value)
    if not isinstance(argument, ast.JoinedStr):
        return None
    first = argument.values[0]
    return str(first.value) + "<" if isinstance(first, ast.Constant) else None


def stats_announced() -> set[str]:
    sources = [module.read_text(encoding="utf-8") for module in MODULES]
    return {
        name
        for source in sources
        for text in re.findall(r"Stats?: (.*?)(?:\"\"\"|Settings: )", source, flags=re.DOTALL)
        for name in re.findall(r"``([a-z_]+/[^`]+)``", text)
    }


def keys_of(schema: dict[str, Any], node: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield the dotted keys of a JSON Schema, those of named entries as ``fields.NAME.kind``."""
    for name, value in node.get("properties", {}).items():
        yield prefix + name
        for reference in _references(value):
            yield from keys_of(schema, schema["$defs"][reference], f"{prefix}{name}.")
        for entry in value.get("patternProperties", {}).values():
            for reference in _references(entry):
                yield from keys_of(schema, schema["$defs"][reference], f"{prefix}{name}.NAME.")


def _references(node: dict[str, Any]) -> Iterator[str]:
    for choice in (node, *node.get("anyOf", ()), node.get("items", {})):
        if "$ref" in choice:
            yield choice["$ref"].removeprefix(DEFINITIONS)


def test_every_command_has_a_section() -> None:
    headings = set(re.findall(r"^### `scrapy (\w+)`$", README, flags=re.MULTILINE))

    assert [name for name in COMMANDS if name not in headings] == []
    assert sorted(headings - {*COMMANDS, "list"}) == [], "described, but no longer there"


def test_commands_of_scrapy_that_are_not_for_use_here_are_named() -> None:
    assert len(NOT_HERE) > 5
    assert missing(set(NOT_HERE), section("### Scrapy's own commands")) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_stands_in_the_section_of_its_command(name: str) -> None:
    assert missing(options_of(name), section(f"### `scrapy {name}`")) == []


def test_options_are_found_whatever_group_they_are_in() -> None:
    assert options_of("sites") == {"--json", "--schema"}


def test_every_setting_stands_in_a_table() -> None:
    described = section("## Settings")

    assert missing(settings_defined() | settings_read(), described) == []


def test_no_setting_is_described_that_nobody_reads() -> None:
    ours = first_cells(section("### Settings of this project"))

    assert sorted(ours - settings_defined() - settings_read()) == []


def test_settings_are_found_where_they_are_read() -> None:
    assert {"SITE_SPIDER_CLASS", "DEFERRAL_MAX_WAIT", "METAREFRESH_ENABLED"} <= settings_read()


def test_keys_of_site_files_are_all_there_and_no_others() -> None:
    schema = json_schema()

    assert first_cells(section("### Keys of a site file")) == set(keys_of(schema, schema))


def test_site_files_shown_as_examples_can_be_used() -> None:
    examples = re.findall(
        r"^```yaml\n(site: (\S+)\n.*?)^```", README, flags=re.MULTILINE | re.DOTALL
    )
    catalog = load_types(CHECKOUT / "spiders_config")

    assert [
        parse_site(text.encode(), f"{name}.yaml", catalog).config.site for text, name in examples
    ] == ["bulletins", "garden-jazz", "valley-news", "town-hall", "tool-prices"]


def test_keys_of_record_types_are_all_there_and_no_others() -> None:
    schema = TypeDeclaration.model_json_schema()

    assert first_cells(section("### A type of your own")) == set(keys_of(schema, schema))


def test_keys_are_found_at_every_depth() -> None:
    schema = json_schema()

    assert {"site", "access.budget.bytes", "collect.complete.empty"} <= set(keys_of(schema, schema))


@pytest.mark.parametrize("name", BUILT_IN)
def test_fields_of_built_in_types_are_all_there_and_no_others(name: str) -> None:
    text = section(f"### `{name}`")
    record_type = BUILT_IN[name]

    assert first_cells(text) == {field.name for field in record_type.fields}
    assert f"`{record_type.schema_version}`" in text
    assert missing(set(record_type.key), text) == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_fields_are_of_the_kind_that_is_said(name: str) -> None:
    lines = section(f"### `{name}`").splitlines()
    expected = [
        f"| `{field.name}` | {field.kind}{', required' if field.is_required else ''} | "
        for field in BUILT_IN[name].fields
    ]

    assert [row for row in expected if not any(line.startswith(row) for line in lines)] == []


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("### How a URL ends", Reason),
        ("### What a response is", Kind),
        ("### Why a record is rejected", RejectReason),
        ("### Bounds and traps", Bound),
    ],
)
def test_reasons_and_kinds_are_all_there_and_no_others(heading: str, names: type[StrEnum]) -> None:
    assert first_cells(section(heading)) == {member.value for member in names}


def test_kinds_of_fields_are_all_there_and_no_others() -> None:
    assert first_cells(section("### Kinds of fields")) == {kind.value for kind in FieldKind}


def test_sources_of_rules_are_all_there_and_no_others() -> None:
    assert first_cells(section("### Rules")) == {f"{source}:" for source in RULE_SOURCES}


def test_every_exit_code_stands_beside_the_end_it_means() -> None:
    text = section("### `scrapy crawl`")
    rows = {f"| {code} | `{end}` |" for end, code in EXIT_CODES.items()}

    assert sorted(row for row in rows if row not in text) == []


def test_every_stat_stands_in_the_table() -> None:
    text = section("## Stats")
    names = stats_counted() | stats_announced()

    assert sorted(name for name in names if f"`{name}" not in text) == []


def test_stats_are_found_where_they_are_counted() -> None:
    assert {"scheduler/leased", "robots/refused", "outcome/<"} <= stats_counted()
    assert {"deferral/<action>", "archival/fenced"} <= stats_announced()


def test_every_gap_of_a_collection_is_explained() -> None:
    assert missing({gap.value for gap in Gap}, section("### Complete collections")) == []


def test_every_part_of_the_provenance_is_explained() -> None:
    assert missing({*PROVENANCE, *STANDING}, section("## Records and evidence")) == []


def test_every_benchmark_is_listed_and_no_others() -> None:
    folder = CHECKOUT / "tests" / "bench"
    modules = {file.stem for kind in ("bench", "score") for file in folder.glob(f"{kind}_*.py")}

    assert set(re.findall(r"`python -m tests\.bench\.(\w+)", section("## Benchmarks"))) == modules


def test_tests_are_run_by_one_command() -> None:
    assert "```console\nmake test\n```" in README


def test_links_within_the_page_lead_to_headings() -> None:
    headings = re.findall(r"^#+ (.+)$", README, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

    assert sorted(set(re.findall(r"\]\(#([^)]+)\)", README)) - anchors) == []
