"""How long a selector is likely to hold: what names something outlives what a build tool wrote."""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum

from lxml.html import defs

from crawler.contracts.errors import Problem
from crawler.contracts.rules import LoadedSite
from crawler.contracts.site.section import AUTO
from crawler.document.loaded import find_loaded_place


class Stability(IntEnum):
    """What a selector leans on, most stable first."""

    TEST_ATTRIBUTE = 0
    ID = 1
    ELEMENT = 2
    PROPERTY = 3
    """``itemprop``, ``rel``, ``role`` and other attributes with a meaning."""
    CLASS = 4
    LAYOUT = 5
    """A class of a grid or a utility, or a position among siblings."""
    GENERATED = 6
    """A name that the next build of the site changes."""


_HASH = r"(?=[a-zA-Z]*\d)[a-zA-Z\d]"
_GENERATED = re.compile(
    "|".join(
        (
            rf"css-{_HASH}{{5,10}}(?:-\w+)?",
            r"(?:sc|styled)-(?=[a-z]*[A-Z\d])[a-zA-Z\d]{5,8}(?:-\d+)?",
            r"(?:jss|emotion-|ember|ng-tns-c|_ngcontent-[a-z\d]+-c)\d+(?:-\d+)?",
            r"(?:makeStyles|withStyles|Mui\w+)-\w+-\d+",
            rf"svelte-{_HASH}{{5,8}}",
            r"elementor-element-[\da-f]{6,8}",
            rf"_[A-Za-z][\w-]*_{_HASH}{{5,6}}_\d+",
            r".+__(?=[a-zA-Z_-]*\d[a-zA-Z\d_-]*\d|[a-zA-Z_-]*\d[a-zA-Z]|[a-zA-Z]*[A-Z][a-z]+[A-Z])[\w-]{5}",
            r"[a-zA-Z]+\d+[a-zA-Z]+\d+[a-zA-Z]+\w*",
            r"(?=[a-z]+[A-Z])(?![a-z]*[aeiou])[a-zA-Z]{5,7}",
        )
    )
)
"""Emotion, styled-components, JSS, Angular, Ember, Svelte, Elementor, CSS modules, plain hashes."""
_LAYOUT = re.compile(
    r"(?:col|row|grid|span|offset|container|wrapper|clearfix|pull|push|[mp][trblxy]?|w|h|text|bg|flex"
    r"|float|d)(?:-[\w./:-]+)?|(?:xs|sm|md|lg|xl):.+"
)
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)|\[class[~*^$|]?=[\"']?([\w-]+)")
_OTHER = re.compile(r"\[(?!class[\]~*^$|=])[^\]]*\]")
_ATTRIBUTE = re.compile(r"\[([\w-]+)")
_TEST_ATTRIBUTES = frozenset({"data-testid", "data-test", "data-test-id", "data-qa", "data-cy"})
_POSITION = re.compile(r":nth-|:first-|:last-|\[\d+\]")
_ID = re.compile(r"#[\w-]+|\[id=")
_WORD = re.compile(r"[A-Za-z]\w*")
_ELEMENTS = defs.tags | {"data", "dialog", "main", "picture", "search", "slot", "svg", "template"}
_STRINGS = re.compile(r"::(?:text|attr\([^()]*\))|=\s*(?:\"[^\"]*\"|'[^']*')")


def is_generated(name: str) -> bool:
    """Whether a class looks as if a build tool made it up."""
    return _GENERATED.fullmatch(name) is not None


def class_names(selector: str) -> list[str]:
    """Return the classes that a CSS selector names, attributes' prefixes included."""
    return [found[1] or found[2] for found in _CLASS.finditer(_OTHER.sub("", selector))]


def rank_selector(selector: str) -> Stability:
    """Return what the weakest part of a CSS selector leans on."""
    bare = _STRINGS.sub("", selector)
    ranks = [_rank_class(name) for name in class_names(selector)]
    if _POSITION.search(bare):
        ranks.append(Stability.LAYOUT)
    if _ID.search(selector):
        ranks.append(Stability.ID)
    for name in _ATTRIBUTE.findall(bare):
        if name not in {"class", "id"}:
            is_test = name in _TEST_ATTRIBUTES
            ranks.append(Stability.TEST_ATTRIBUTE if is_test else Stability.PROPERTY)
    return max(ranks, default=Stability.ELEMENT)


def most_stable(selectors: Iterable[str]) -> list[str]:
    """Return the selectors, those that are likely to hold longest first; the shorter of equals."""
    return sorted(selectors, key=lambda each: (rank_selector(each), len(each), each))


def _rank_class(name: str) -> Stability:
    if is_generated(name):
        return Stability.GENERATED
    return Stability.LAYOUT if _LAYOUT.fullmatch(name) else Stability.CLASS


def find_unstable(site: LoadedSite, text: str) -> Iterator[Problem]:
    """Yield the selectors of a site that lean on generated classes; *text* is its file."""
    for field, selector in _selectors(site):
        for name in filter(is_generated, class_names(selector)):
            message = f"class {name!r} looks generated; the site's next build may change it"
            yield _warn(site, text, field, name, message)


def find_unknown_elements(site: LoadedSite, text: str) -> Iterator[Problem]:
    """Yield the selectors that are a single word and no element: a class without its dot."""
    for field, selector in _selectors(site):
        name = selector.partition("::")[0]
        if name != AUTO and _WORD.fullmatch(name) and name.lower() not in _ELEMENTS:
            message = f"HTML has no element {name!r}; a class would be written .{name}"
            yield _warn(site, text, field, name, message)


def _warn(site: LoadedSite, text: str, field: str, name: str, message: str) -> Problem:
    key = field.rpartition(".")[2]
    found = [(i, line) for i, line in enumerate(text.splitlines(), 1) if name in line]
    number = next((i for i, line in found if key in line), found[0][0] if found else 1)
    return Problem(site.path, number, field, f"warning: {message}")


def _selectors(site: LoadedSite) -> Iterator[tuple[str, str]]:
    rules = site.rules
    for name, listed in rules.record.fields.items():
        for rule in listed:
            source, _, selector = rule.partition(":")
            if source == "css":
                yield f"record.fields.{name}", selector
    named = {
        "record.each": (rules.record.row_selector,),
        "access.ready.present": rules.ready.present,
        "access.ready.absent": rules.ready.absent,
        "collect.links": (rules.collect.links,),
        "collect.next": (rules.collect.next,),
        "content.zone": (rules.content.zone,),
        "content.noise": rules.content.noise,
    }
    for field, selectors in named.items():
        yield from ((field, each) for each in selectors if each and not find_loaded_place(each))
