"""Objects in the shape of schema.org that stand in scripts other than JSON-LD blocks.

Page frameworks keep what they show for their own scripts: as the whole of a script, as the value of
a variable, in the pieces that Next.js streams, and as text inside of any of these. Only JSON is read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from pydantic import JsonValue

from crawler.contracts.evidence import Source
from crawler.document.document import Document
from crawler.document.jsonpath import JsonNode, Parts
from crawler.document.ldjson import is_ld_json_type
from crawler.document.scan import Tag, read_attributes
from crawler.document.strict_json import Notes, make_decoder, vet
from crawler.document.text import normalize_space
from crawler.extraction.entities import Entity, type_names
from crawler.extraction.fields.text import decode_entities
from crawler.extraction.jsonld import JsonLd
from crawler.extraction.state import MAX_TEXT, decode_value

MAX_SCRIPTS = 30
MAX_VALUES = 100_000
"""Values that are looked at in one script."""
MAX_OBJECTS = 50
"""Values of one script, where it holds several."""
MAX_UNPACKED = 5
"""Texts inside of texts."""
SHAPES: dict[str, frozenset[str]] = {
    "Event": frozenset({"name", "startDate"}),
    "Product": frozenset({"name", "offers"}),
    "Recipe": frozenset({"name", "recipeIngredient"}),
    "Article": frozenset({"headline", "datePublished"}),
    "JobPosting": frozenset({"title", "hiringOrganization"}),
}
"""Properties that an object without a type has in common with one of the type and no other."""
_MARKS = {
    "Event": b"startDate",
    "Product": b"offers",
    "Recipe": b"recipeIngredient",
    "Article": b"datePublished",
    "JobPosting": b"hiringOrganization",
}
"""The rarer one of these properties."""
_TYPED = b"@type"
NAME_KEYS = ("name", "title", "item_name", "productName", "product_name")
_OF_PRODUCT = re.compile(
    rb'"(?:sku|barcode|gtin\d{0,2}|ean\d{0,2}|upc|vendor|brand|item_brand|manufacturer|averageRating)\\?"\s*:'
)
"""Properties that a script does not name unless it keeps products."""
_STREAMED = re.compile(r"__next_f\.push\(\s*(?=\[)")
_ASSIGNED = re.compile(r"[\w$\]\"']\s*=\s*(?=\{\s*\"|\[\s*[\[{\"]|JSON\.parse)")
_PASSED = re.compile(r"(?:\(|[\"']\s*,)\s*(?=\{\s*\")")
"""Before an object that a function is called with, first or behind a text."""
_OBJECT = re.compile(r"\{\s*\"@(?:context|type|id)\"|\"(?=\s*[{\[]\s*\\+\"@(?:context|type|id)\\)")
"""The beginning of an object, or of a text that begins with one."""


def find_script_entities(document: Document, schema_types: Sequence[str]) -> list[Entity]:
    """Return the objects of these types, or with their properties, in document order."""
    names = [name.encode() for name in schema_types]
    keys = [_key(mark) for name, mark in _MARKS.items() if name in schema_types]
    wanted, shapes = frozenset(schema_types), [SHAPES[n] for n in SHAPES if n in schema_types]

    def may_hold(script: bytes) -> bool:
        is_typed = _TYPED in script and any(name in script for name in names)
        return is_typed or any(key.search(script) for key in keys)

    return _find(document, may_hold, lambda value: _is_wanted(value, wanted, shapes))


def find_named_objects(document: Document, names: AbstractSet[str]) -> list[Entity]:
    """Return the objects that bear one of these names, in small letters, and a mark of a product."""
    if not names:
        return []
    return _find(document, _OF_PRODUCT.search, lambda value: _is_named(value, names))


def _is_named(value: dict[str, JsonValue], names: AbstractSet[str]) -> bool:
    called = (value[key] for key in NAME_KEYS if key in value)
    return any(isinstance(name, str) and _fold(name) in names for name in called)


def _fold(name: str) -> str:
    return normalize_space(decode_entities(name)).casefold()


def _find(
    document: Document,
    may_hold: Callable[[bytes], object],
    is_wanted: Callable[[dict[str, JsonValue]], bool],
) -> list[Entity]:
    """Return the wanted objects of the scripts that may hold any."""
    found: list[Entity] = []
    for number, tag in _scripts(document, may_hold):
        script = read_script(document, number, tag)
        if script is not None:
            found += [
                Entity(script, JsonNode(script.value, parts, value, None))
                for parts, value in _walk(script.value, is_wanted)
            ]
    return found


def read_script(document: Document, number: int, tag: Tag | None = None) -> JsonLd | None:
    """Return what the script of this number holds; None where it holds no JSON."""
    tag = tag or next((each for each, at in _numbered(document) if at == number), None)
    if tag is None or tag.content_end is None or tag.content_end - tag.end > MAX_TEXT:
        return None
    text = document.decode_markup(tag.end, tag.content_end)
    values = [_unpack(value, MAX_UNPACKED) for value in _values(text)]
    if not values:
        return None
    value = values[0] if len(values) == 1 else values
    return JsonLd(number, (tag.end, tag.content_end), value, source=Source.STATE)


def _numbered(document: Document) -> Iterator[tuple[Tag, int]]:
    tags = (tag for tag in document.outline if tag.name == b"script" and not tag.is_end)
    return ((tag, number) for number, tag in enumerate(tags))


def _scripts(document: Document, may_hold: Callable[[bytes], object]) -> Iterator[tuple[int, Tag]]:
    left = MAX_SCRIPTS
    for tag, number in _numbered(document):
        if tag.content_end is None or is_ld_json_type(_type_of(tag)) or left <= 0:
            continue
        if may_hold(document.markup[tag.end : tag.content_end]):
            left -= 1
            yield number, tag


@lru_cache(maxsize=8)
def _key(name: bytes) -> re.Pattern[bytes]:
    """Return what finds a key of JSON, also in a text that is JSON itself."""
    return re.compile(name + rb"\\*(?:\"|u0022|x22)")


def _type_of(tag: Tag) -> str:
    return read_attributes(tag.attributes).get("type", "") if b"ld" in tag.attributes else ""


def _values(text: str) -> list[JsonValue]:
    """Return the values that a script holds: one that is all of it, those it assigns, or objects."""
    bare = text.strip().removeprefix("<!--").lstrip()
    if bare.startswith(("{", "[")) and (whole := decode_value(bare, 0)):
        return [whole[0]]
    starts = [found.end() for found in _STREAMED.finditer(text)]
    starts += [found.end() for found in _ASSIGNED.finditer(text)]
    if "@type" not in text:
        starts += [found.end() for found in _PASSED.finditer(text)]
    decoded = (decode_value(text, start) for start in starts[:MAX_OBJECTS])
    return [found[0] for found in decoded if found] or _objects(text)


def _objects(text: str) -> list[JsonValue]:
    values: list[JsonValue] = []
    position = 0
    for _ in range(MAX_OBJECTS):
        found = _OBJECT.search(text, position)
        if found is None:
            break
        decoded = _decode_object(text, found.start())
        position = decoded[1] if decoded else found.end()
        if decoded:
            values.append(decoded[0])
    return values


def _decode_object(text: str, start: int) -> tuple[JsonValue, int] | None:
    notes = Notes()
    try:
        value, end = make_decoder(notes, strict=False).raw_decode(text, start)
        return vet(value, text[start:end], notes), end
    except (ValueError, RecursionError):
        return None


def _unpack(value: JsonValue, left: int) -> JsonValue:
    """Put the objects of texts that hold any in the place of the text."""
    if isinstance(value, str):
        if left <= 0 or "@type" not in value:
            return value
        inner = _objects(value)
        unpacked = [_unpack(each, left - 1) for each in inner]
        return (unpacked[0] if len(unpacked) == 1 else unpacked) if unpacked else value
    if isinstance(value, list):
        return [_unpack(entry, left) for entry in value]
    if isinstance(value, dict):
        return {key: _unpack(entry, left) for key, entry in value.items()}
    return value


def _walk(
    top: JsonValue, is_wanted: Callable[[dict[str, JsonValue]], bool]
) -> Iterator[tuple[Parts, JsonValue]]:
    """Visit everything in document order; what stands inside a found object belongs to it."""
    pending: list[tuple[Parts, JsonValue]] = [((), top)]
    for _ in range(MAX_VALUES):
        if not pending:
            return
        parts, value = pending.pop()
        if isinstance(value, dict) and is_wanted(value):
            yield parts, value
        elif isinstance(value, dict):
            pending += reversed([((*parts, key), item) for key, item in value.items()])
        elif isinstance(value, list):
            pending += reversed([((*parts, index), item) for index, item in enumerate(value)])


def _is_wanted(
    value: dict[str, JsonValue], wanted: frozenset[str], shapes: Sequence[frozenset[str]]
) -> bool:
    if "@type" in value:
        return bool(type_names(value) & wanted)
    return any(shape <= value.keys() for shape in shapes)
