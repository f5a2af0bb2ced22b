"""The sources beside JSON-LD that a page as a whole has; each is read when a rule first asks."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from urllib.parse import urlsplit

from crawler.contracts.evidence import Source
from crawler.contracts.site.record import ContentRules
from crawler.document.document import Document
from crawler.document.text import normalize_space
from crawler.extraction.content.page import DEFAULTS, Content, read_content
from crawler.extraction.entities import Entity
from crawler.extraction.headings import Heading, choose_heading, read_headings, without_site
from crawler.extraction.items import Item, find_items
from crawler.extraction.lines import Lines
from crawler.extraction.main_entity import PageIdentity, choose_main, is_called_main
from crawler.extraction.meta_tags import MetaTag, read_meta_tags
from crawler.extraction.microdata import MICRODATA
from crawler.extraction.microformats import MICROFORMATS
from crawler.extraction.plugins import PLUGINS
from crawler.extraction.rdfa import RDFA
from crawler.extraction.scripts import find_named_objects
from crawler.extraction.state import State, read_state
from crawler.extraction.surroundings import read_names

SYNTAXES = {syntax.source: syntax for syntax in (MICRODATA, RDFA, MICROFORMATS, PLUGINS)}
MAX_STATES = 20


class Metadata:
    """What one page says of the wanted types outside of JSON-LD."""

    def __init__(
        self,
        document: Document,
        schema_types: Sequence[str] = (),
        identity: PageIdentity | None = None,
        content_rules: ContentRules = DEFAULTS,
    ) -> None:
        self._document = document
        self._types = tuple(schema_types)
        self._identity = identity
        self._content_rules = content_rules
        self._items: dict[Source, tuple[Item, ...]] = {}
        self._main_items: dict[Source, Item | None] = {}
        self._states: dict[str, State | None] = {}
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Keep what is worth knowing, once."""
        if text not in self.notes:
            self.notes.append(text)

    def items(self, source: Source) -> tuple[Item, ...]:
        if source not in self._items:
            self._items[source] = find_items(self._document, SYNTAXES[source], self._types)
        return self._items[source]

    def main_item(self, source: Source) -> Item | None:
        """Return the item that the page is about."""
        if source not in self._main_items:
            self._main_items[source] = self._choose_item(source)
        return self._main_items[source]

    def _choose_item(self, source: Source) -> Item | None:
        items = self.items(source)
        chosen = choose_main(items, self._identity) if self._identity else None
        if chosen is None or not self._vouches_for(chosen[0], len(items)):
            return None
        if len(items) > 1:
            others = f"{len(items) - 1} other {source} items of the type"
            self.note(f"{others} were left alone: {chosen[1]}")
        return chosen[0]

    def _vouches_for(self, item: Item, count: int) -> bool:
        """Microformats mark every post of a page alike, the one it is about and what else there is;
        a plugin marks what it was asked to show, which is one thing on a page about that."""
        is_marked_alike = item.source is Source.MICROFORMATS or (
            item.source is Source.PLUGIN and count > 1
        )
        if not is_marked_alike or self._identity is None:
            return True
        return is_called_main(item, self._identity)

    @cached_property
    def meta_tags(self) -> tuple[MetaTag, ...]:
        return read_meta_tags(self._document)

    @cached_property
    def _tags_by_name(self) -> dict[str, list[MetaTag]]:
        tags: dict[str, list[MetaTag]] = {}
        for tag in self.meta_tags:
            for name in tag.names:
                tags.setdefault(name, []).append(tag)
        return tags

    def tags_named(self, name: str) -> Sequence[MetaTag]:
        """Return the ``<meta>`` tags of a lower-case name in document order."""
        return self._tags_by_name.get(name, ())

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return read_headings(self._document)

    @cached_property
    def heading(self) -> Heading | None:
        """The heading that stands for the page."""
        titles = (*self._contents("og:title"), self._document.title)
        sites = tuple(self._contents("og:site_name"))
        return choose_heading(self.headings, map(normalize_space, titles), sites)

    @cached_property
    def named_objects(self) -> Sequence[Entity]:
        """What the scripts of the page keep under its name."""
        titles = [self.without_site(title) for title in self._contents("og:title")]
        names = {self.heading.text if self.heading else "", *map(normalize_space, titles)} - {""}
        return find_named_objects(self._document, {name.casefold() for name in names})

    @cached_property
    def content(self) -> Content:
        return read_content(self._document, self._content_rules)

    @cached_property
    def lines(self) -> Lines:
        return Lines(self._document)

    @cached_property
    def names(self) -> frozenset[str]:
        return read_names(self._document)

    def without_site(self, title: str) -> str:
        """Return a title of the page without the name of the site behind it."""
        host = urlsplit(self._document.url).hostname or ""
        return without_site(title, self._contents("og:site_name"), host)

    def _contents(self, name: str) -> Iterator[str]:
        return (tag.content for tag in self.tags_named(name))

    def state(self, name: str) -> State | None:
        if name not in self._states and len(self._states) < MAX_STATES:
            self._states[name] = read_state(self._document, name)
        return self._states.get(name)
