"""Which of several nodes of a type the page is about, and by what evidence.

In this order: its ``url``, ``mainEntityOfPage`` or ``@id`` is the address of the page, or the one
that the page calls canonical; another node says that it is its main entity; its name is the title
or the heading of the page. Several that pass a test go on to the next one; the first is left.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar
from urllib.parse import urldefrag, urljoin

from pydantic import JsonValue

from crawler.contracts.snapshot import Snapshot
from crawler.document.document import Document
from crawler.document.jsonpath import JsonNode
from crawler.document.text import normalize_space
from crawler.extraction.fields.text import decode_entities
from crawler.extraction.headings import read_headings

FIRST = "it is the first of them"


class HasNode(Protocol):
    @property
    def node(self) -> JsonNode: ...
    @property
    def is_main_entity(self) -> bool: ...


T = TypeVar("T", bound=HasNode)


class PageIdentity:
    """What the page calls itself; each part is read when it is first asked for."""

    def __init__(self, snapshot: Snapshot, document: Document) -> None:
        self.base = snapshot.final_url
        self._document = document
        self.addresses = frozenset(map(bare_address, (snapshot.final_url, snapshot.requested_url)))

    @cached_property
    def canonical(self) -> frozenset[str]:
        url = self._document.canonical_url
        return frozenset({bare_address(url)} if url else ())

    @cached_property
    def title(self) -> str:
        return self._document.title.casefold()

    @cached_property
    def headings(self) -> frozenset[str]:
        return frozenset(each.text.casefold() for each in read_headings(self._document))


@dataclass(frozen=True, slots=True)
class Test:
    why: str
    passes: Callable[[HasNode, PageIdentity], bool]


def choose_main(nodes: Sequence[T], page: PageIdentity) -> tuple[T, str] | None:
    """Return the main node and why it is; None without any."""
    if len(nodes) < 2:
        return (nodes[0], "there is no other") if nodes else None
    left, reasons = list(nodes), []
    for test in TESTS:
        passing = [node for node in left if test.passes(node, page)]
        if passing:
            left = passing
            reasons.append(test.why)
        if len(left) == 1:
            break
    return left[0], "; ".join(reasons) or FIRST


def is_called_main(node: HasNode, page: PageIdentity) -> bool:
    """Whether the page says anything at all that makes the node what it is about."""
    return any(test.passes(node, page) for test in TESTS)


def _names_address(node: HasNode, page: PageIdentity) -> bool:
    return any(
        bare_address(urljoin(page.base, name)) in page.addresses for name in addresses_of(node)
    )


def _names_canonical(node: HasNode, page: PageIdentity) -> bool:
    return any(
        bare_address(urljoin(page.base, name)) in page.canonical for name in addresses_of(node)
    )


def _opens_title(node: HasNode, page: PageIdentity) -> bool:
    name = name_of(node.node.value)
    return bool(name) and page.title.startswith(name)


def _is_heading(node: HasNode, page: PageIdentity) -> bool:
    return name_of(node.node.value) in page.headings


TESTS = (
    Test("its address is that of the page", _names_address),
    Test("its address is the canonical one of the page", _names_canonical),
    Test("the page names it as its main entity", lambda node, _: node.is_main_entity),
    Test("its name opens the title of the page", _opens_title),
    Test("its name is the heading of the page", _is_heading),
)


def name_of(value: JsonValue) -> str:
    """Return the name or headline of a node, ready to be compared; empty without one."""
    if not isinstance(value, dict):
        return ""
    name = value.get("name") or value.get("headline")
    if isinstance(name, dict):
        name = name.get("@value")
    return normalize_space(decode_entities(name)).casefold() if isinstance(name, str) else ""


def addresses_of(node: HasNode) -> Iterator[str]:
    """Yield what a node says is its address, as it is written."""
    value = node.node.value
    if not isinstance(value, dict):
        return
    for key in ("url", "mainEntityOfPage", "@id"):
        entry = value.get(key)
        name = entry.get("@id") if isinstance(entry, dict) else entry
        if isinstance(name, str) and name.strip():
            yield name.strip()


def bare_address(url: str) -> str:
    """Return the address without what two spellings of it differ in."""
    address = urldefrag(url).url.partition("://")[2]
    return address.removeprefix("www.").rstrip("/")
