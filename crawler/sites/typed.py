"""YAML nodes are read as a pydantic model declares them, and every fault keeps its line.

The declared type decides what a scalar means, not its looks: a text field takes ``NO`` and
``1.10`` as they stand. A value that cannot be read leaves a None in its place, so that the rest
of the file is still checked.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import ErrorDetails, to_json

from crawler.contracts.errors import Problem, SiteConfigError
from crawler.sites.forms import (
    MESSAGES,
    PATTERN_WORDS,
    bare_of,
    describe,
    form_of,
    leaf_of,
    words_of,
)
from crawler.sites.quoting import shorten
from crawler.sites.source import WHOLE_FILE
from crawler.sites.yaml import Mapping, Node, Scalar, Sequence

Place = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)


@dataclass(slots=True)
class Draft(Generic[M]):
    """What a file says, as far as it can be read, and what is wrong with it."""

    path: str
    data: JsonValue = None
    model: M | None = None
    """None when a problem keeps the file from being used at all."""
    problems: list[Problem] = field(default_factory=list)
    _lines: dict[Place, int] = field(default_factory=dict)
    _reported: set[Place] = field(default_factory=set)

    def mark(self, place: Place, line: int) -> None:
        """Remember where *place* stands: its key where it has one, which comes first."""
        self._lines.setdefault(place, line)

    def report(self, place: Place, message: str) -> None:
        """Add a problem, unless one at the same place is known: the first says why."""
        if place not in self._reported:
            self._reported.add(place)
            self.report_at(self._line_of(place), place, message)

    def says_why(self, place: Place) -> bool:
        """Whether what is wrong at *place* follows from a problem that is known: one within it, or
        of the text that stands alone in place of a list or section.
        """
        whole = place[:-1] if place and isinstance(place[-1], int) else place
        return whole in self._reported or any(
            known[: len(place)] == place for known in self._reported
        )

    def report_at(self, line: int, place: Place, message: str) -> None:
        self.problems.append(Problem(self.path, line, dotted(place), message))

    def error(self, *others: Problem) -> SiteConfigError:
        """Return all problems in the order of the file, those of *other* files last."""
        return SiteConfigError((*sorted(self.problems, key=lambda each: each.line), *others))

    def _line_of(self, place: Place) -> int:
        return next(
            (
                self._lines[place[:end]]
                for end in range(len(place), -1, -1)
                if place[:end] in self._lines
            ),
            1,
        )


def dotted(place: Place) -> str:
    """Return ``record.fields.title[1]`` and the like."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    # A key may hold anything, and the message is one line of a terminal.
    shown = text if text.isprintable() and len(text) <= 200 else shorten(text)
    return shown.removeprefix(".") or WHOLE_FILE


def read_model(node: Node, model: type[M], path: str) -> Draft[M]:
    """Return what *node* says as a *model*, with every problem that the declaration can find."""
    draft: Draft[M] = Draft(path)
    draft.data = _Reader(draft).read(node, model, ())
    try:
        draft.model = model.model_validate_json(to_json(draft.data))
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            # A key that does not fit is reported one step below its value.
            place = detail["loc"]
            place = place[:-1] if place[-1:] == ("[key]",) else place
            if not draft.says_why(place):
                draft.report(place, _message(detail))
    return draft


def _message(detail: ErrorDetails) -> str:
    context = detail.get("ctx", {})
    found = detail["input"]
    is_shown = isinstance(found, str | int | float) and found != ""
    suffix = f", found {shorten(str(found))}" if is_shown else ""
    if words := PATTERN_WORDS.get(context.get("pattern", "")):
        return f"expected {words}{suffix}"
    template = MESSAGES.get(detail["type"])
    return template.format(**context) + suffix if template else detail["msg"]


class _Reader:
    def __init__(self, draft: Draft[Any]) -> None:
        self._draft = draft

    def read(self, node: Node, annotation: object, place: Place) -> JsonValue:
        self._draft.mark(place, node.line)
        form = form_of(annotation)
        bare = bare_of(annotation)
        if form:
            return self._text(node, place, form.words, lambda text: text, form.find_fault)
        if isinstance(bare, type) and issubclass(bare, BaseModel):
            return self._section(node, bare, place)
        if get_origin(bare) is tuple:
            return self._list(node, get_args(bare)[0], place)
        if get_origin(bare) is dict:
            return self._named(node, get_args(bare)[1], place)
        words, read = leaf_of(bare)
        return self._text(node, place, words, read)

    def _text(
        self,
        node: Node,
        place: Place,
        words: str,
        read: Callable[[str], JsonValue],
        find_fault: Callable[[str], str | None] = lambda _: None,
    ) -> JsonValue:
        if not isinstance(node, Scalar) or node.is_nothing:
            return self._refuse(place, f"expected {words}, found {_found(node)}")
        value = read(node.text)
        if value is None:
            return self._refuse(place, f"expected {words}, found {shorten(node.text)}")
        if fault := find_fault(node.text):
            self._draft.report(place, fault)
        return value

    def _section(self, node: Node, model: type[BaseModel], place: Place) -> JsonValue:
        fields = model.model_fields
        shorthand = getattr(model, "SHORTHAND", None)
        if shorthand and _is_short(node, fields[shorthand].annotation):
            is_list = _is_list(fields[shorthand].annotation)
            inner = (*place, shorthand) if is_list else place
            said = self.read(node, fields[shorthand].annotation, inner)
            return None if said is None else {shorthand: said}
        if not isinstance(node, Mapping):
            words = f"a mapping with the keys {', '.join(fields)}"
            return self._refuse(place, f"expected {words}; found {_found(node)}")
        values: dict[str, JsonValue] = {}
        for key, line, value in self._entries(node, place):
            if key not in fields:
                self._draft.report_at(line, (*place, key), unknown("key", key, fields))
            elif not (isinstance(value, Scalar) and value.is_nothing):
                values[key] = self.read(value, fields[key].annotation, (*place, key))
        for name, info in fields.items():
            if info.is_required() and name not in values:
                self._draft.report((*place, name), f"missing; expected {words_of(info)}")
        return values

    def _named(self, node: Node, annotation: object, place: Place) -> JsonValue:
        if not isinstance(node, Mapping):
            return self._refuse(place, f"expected a mapping by name, found {_found(node)}")
        return {
            key: self.read(value, annotation, (*place, key))
            for key, _, value in self._entries(node, place)
        }

    def _list(self, node: Node, annotation: object, place: Place) -> JsonValue:
        form = form_of(annotation)
        if isinstance(node, Scalar) and not node.is_nothing and form and form.may_stand_alone:
            return [self.read(node, annotation, place)]
        if not isinstance(node, Sequence):
            words = f"a list, each entry {describe(annotation)}"
            return self._refuse(place, f"expected {words}; found {_found(node)}")
        return [
            self.read(item, annotation, (*place, index)) for index, item in enumerate(node.items)
        ]

    def _entries(self, node: Mapping, place: Place) -> Iterator[tuple[str, int, Node]]:
        first_lines: dict[str, int] = {}
        for entry in node.entries:
            here = (*place, entry.key)
            if entry.key in first_lines:
                message = f"expected each key once; given on line {first_lines[entry.key]} too"
                self._draft.report_at(entry.line, here, message)
                continue
            first_lines[entry.key] = entry.line
            self._draft.mark(here, entry.line)
            yield entry.key, entry.line, entry.value

    def _refuse(self, place: Place, message: str) -> JsonValue:
        self._draft.report(place, message)
        return None


def _is_short(node: Node, annotation: object) -> bool:
    """Whether a section says no more than the one value that may stand in its place."""
    if isinstance(node, Sequence):
        return _is_list(annotation)
    return isinstance(node, Scalar) and not node.is_nothing


def _is_list(annotation: object) -> bool:
    return get_origin(bare_of(annotation)) is tuple


def unknown(what: str, name: str, known: Iterable[str], listing: str = "") -> str:
    """Return the message that *name* is none of *known*, with the one that was perhaps meant.

    The names are listed where nothing comes close, and always behind a *listing* such as "has".
    """
    names = sorted(known)
    close = get_close_matches(name, names, 1)
    hints = [f"did you mean {close[0]}?"] if close else []
    if listing or not close:
        hints.append(f"{listing or 'expected one of'} {', '.join(names)}")
    return f"unknown {what} {shorten(name)}; {' '.join(hints)}"


def _found(node: Node) -> str:
    if isinstance(node, Scalar):
        return "nothing" if node.is_nothing else shorten(node.text)
    return "a list" if isinstance(node, Sequence) else "a mapping"
