"""Items that say what they are by the class of their element."""

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from crawler.document.document import Node

WITH_CLASS = etree.XPath("//*[@class]")


def classes_of(element: Node) -> list[str]:
    return element.get("class", "").split()


@dataclass(frozen=True, slots=True)
class ItemClasses:
    """The schema.org types of items, by the classes of their elements."""

    types: Mapping[str, str]

    def is_item(self, element: Node) -> bool:
        return not self.types.keys().isdisjoint(classes_of(element))

    def types_of(self, element: Node) -> tuple[str, ...]:
        known = (self.types[name] for name in classes_of(element) if name in self.types)
        return tuple(dict.fromkeys(known))

    def classes_for(self, types: tuple[str, ...]) -> list[str]:
        return [name for name, described in self.types.items() if described in types]
