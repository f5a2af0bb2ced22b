import time

import pytest

from crawler.contracts.errors import Problem, SiteConfigError
from crawler.sites.yaml import MAX_DEPTH, MAX_NODES, Mapping, Node, Scalar, Sequence, read_yaml


def plain(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key: plain(entry.value) for entry in node.entries}


def problem_of(data: bytes) -> Problem:
    with pytest.raises(SiteConfigError) as caught:
        read_yaml(data, "a.yaml")
    (problem,) = caught.value.problems
    return problem


def alias_bomb(levels: int) -> bytes:
    first = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"
    more = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join([first, *more]).encode()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("country: NO", {"country": "NO"}),
        ("t: 12:30", {"t": "12:30"}),
        ("v: 1.10", {"v": "1.10"}),
        ("d: 2027-06-30", {"d": "2027-06-30"}),
        ("n: 0x1F", {"n": "0x1F"}),
        ("<<: {a: b}", {"<<": {"a": "b"}}),
        ("t: !!str 1", {"t": "1"}),
        ("a: &x [1]\nb: *x", {"a": ["1"], "b": ["1"]}),
        ("\ufeffa: é", {"a": "é"}),
        ("a: '\U0001f3b7'", {"a": "\U0001f3b7"}),
    ],
)
def test_scalars_stay_text(text: str, value: object) -> None:
    assert plain(read_yaml(text.encode(), "a.yaml")) == value


def test_nodes_know_their_lines() -> None:
    root = read_yaml(b"# comment\na: 1\nb:\n  - x\n  - y\n", "a.yaml")

    assert isinstance(root, Mapping)
    assert [(entry.key, entry.line) for entry in root.entries] == [("a", 2), ("b", 3)]
    items = root.entries[1].value
    assert isinstance(items, Sequence)
    assert [item.line for item in items.items] == [4, 5]


def test_a_key_given_twice_is_kept_for_whoever_reports_it() -> None:
    root = read_yaml(b"a: 1\na: 2\n", "a.yaml")

    assert isinstance(root, Mapping)
    assert [entry.key for entry in root.entries] == ["a", "a"]


@pytest.mark.parametrize(
    ("text", "is_nothing"),
    [("", True), ("~", True), ("null", True), ("''", False), ("'null'", False), ("NULLs", False)],
)
def test_nothing_is_told_from_empty_text(text: str, is_nothing: bool) -> None:
    root = read_yaml(f"a: {text}".encode(), "a.yaml")

    assert isinstance(root, Mapping)
    value = root.entries[0].value
    assert isinstance(value, Scalar)
    assert value.is_nothing is is_nothing


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"a: 1\nb: \xe9\n", 2, "expected UTF-8"),
        (b"a: 1\n\nb: x\x00y\n", 3, "expected printable text, found U+0000"),
        (b"a: 1\nb: \x1b[31m\n", 2, "expected printable text, found U+001B"),
        (b"a:\n\tb: 1\n", 2, "expected indentation by spaces, found a tab"),
        (b"a: [1\n", 1, "expected valid YAML: did not find expected ',' or ']'"),
        (b"a: 'x\n", 1, "expected valid YAML: found unexpected end of stream"),
        (b"a: 1\n b: 2\n", 2, "expected valid YAML: mapping values are not allowed"),
        (b"", 1, "expected a document, found nothing"),
        (b"# only a comment\n", 1, "expected a document, found nothing"),
        (b"a: 1\n---\nb: 2\n", 2, "expected one document, found the start of another"),
        (b"a: 1\nb: !!python/object/apply:os.system [id]\n", 2, "expected a plain value, found"),
        (b"a: !!python/name:os.system\n", 1, "expected a plain value, found the tag"),
        (b"a: !include /etc/passwd\n", 1, "expected a plain value, found the tag !include"),
        (b"a: 1\n? [x]\n: y\n", 2, "expected a key that is plain text"),
        (b"a: *missing\n", 1, "expected an anchor &missing before this alias"),
        (b"a: &a\n  - *a\n", 2, "expected an anchor &a before this alias"),
    ],
)
def test_a_fault_is_one_problem_with_its_line(data: bytes, line: int, message: str) -> None:
    problem = problem_of(data)

    assert (problem.path, problem.line, problem.field) == ("a.yaml", line, "file")
    assert problem.message.startswith(message)


def test_an_alias_bomb_is_refused_before_it_expands() -> None:
    started = time.process_time()

    problem = problem_of(alias_bomb(levels=9))

    assert problem.message.startswith(f"expected at most {MAX_NODES} values")
    assert problem.line == 5
    assert time.process_time() - started < 1


def test_aliases_that_stay_small_are_taken() -> None:
    root = read_yaml(alias_bomb(levels=3), "a.yaml")

    assert isinstance(root, Mapping)
    assert len(root.entries) == 3


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_depth_is_bounded(opening: str) -> None:
    assert "level" in problem_of(opening.encode() * (MAX_DEPTH + 2)).message


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "&a ", "!a "])
def test_a_mebibyte_of_openings_ends_at_once(opening: str) -> None:
    started = time.process_time()

    problem_of(opening.encode() * (2**20 // len(opening)))

    assert time.process_time() - started < 1
