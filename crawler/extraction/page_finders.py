"""What rules find in the page itself: its tags, lines, elements, content and address."""

from collections.abc import Sequence

from crawler.contracts.evidence import Source
from crawler.contracts.snapshot import PageKind
from crawler.extraction.headings import Heading
from crawler.extraction.labels import find_beside, find_in_columns, find_under
from crawler.extraction.meta_tags import WITHOUT_SITE, MetaTag
from crawler.extraction.place import Found, Place
from crawler.extraction.selectors import NodeMatch, select_css, select_xpath
from crawler.extraction.shown import SHOWN, find_shown


def find_in_opengraph(place: Place, rule: str, name: str) -> list[Found]:
    return _find_in_meta_tags(place, Source.OPENGRAPH, rule, name)


def find_in_meta(place: Place, rule: str, name: str) -> list[Found]:
    return _find_in_meta_tags(place, Source.META, rule, name)


def _find_in_meta_tags(place: Place, source: Source, rule: str, name: str) -> list[Found]:
    if not place.is_whole_page:
        return []
    tags = place.metadata.tags_named(name.lower())
    return [_found_tag(place, source, rule, tag) for tag in tags]


def _found_tag(place: Place, source: Source, rule: str, tag: MetaTag) -> Found:
    title = place.metadata.without_site(tag.content) if "og:title" in tag.names else tag.content
    locator = tag.locator if title == tag.content else f"{tag.locator}{WITHOUT_SITE}"
    evidence = place.evidence(source, locator, title, rule, span=tag.span)
    return Found(title, evidence, is_machine_written=True)


def find_beside_label(place: Place, rule: str, name: str) -> list[Found]:
    if place.row is not None and place.rows is not None:
        matches = find_beside(place.document, place.rows.lines_of(place.row), name)
        columns = [] if matches else place.rows.columns_of(place.row)
        matches = matches or find_in_columns(place.document, columns, name)
    elif place.is_whole_page:
        matches = find_beside(place.document, place.metadata.lines, name)
    else:
        return []
    return _found_nodes(place, Source.LABEL, rule, matches)


def find_in_list(place: Place, rule: str, name: str) -> list[Found]:
    if not place.is_whole_page:
        return []
    matches = find_under(place.document, place.metadata.lines, name)
    return _found_nodes(place, Source.LIST, rule, matches)


def find_in_html(place: Place, rule: str, name: str) -> list[Found]:
    if place.row is None and not place.is_whole_page:
        return []
    shown = SHOWN[name]
    is_named = bool(shown.names) and not shown.names.isdisjoint(place.metadata.names)
    if not is_named and not place.document.mentions(shown.markers):
        return []
    if place.row is not None and place.rows is not None:
        return _found_nodes(place, Source.HTML, rule, place.rows.shown_in(place.row, name))
    return _found_nodes(place, Source.HTML, rule, find_shown(place.document, name))


def find_by_css(place: Place, rule: str, selector: str) -> list[Found]:
    if place.row is None and not place.is_whole_page:
        return []
    matches = select_css(selector, place.document, place.row)
    return _found_nodes(place, Source.CSS, rule, matches)


def find_by_xpath(place: Place, rule: str, expression: str) -> list[Found]:
    if place.row is None and not place.is_whole_page:
        return []
    matches = select_xpath(expression, place.document, place.row)
    return _found_nodes(place, Source.XPATH, rule, matches)


def _found_nodes(
    place: Place, source: Source, rule: str, matches: Sequence[NodeMatch]
) -> list[Found]:
    return [
        Found(
            match.raw,
            place.evidence(source, match.locator, match.raw, rule),
            is_machine_written=match.is_attribute,
            node=match.node,
            line=match.line,
        )
        for match in matches
    ]


def find_content(place: Place, rule: str, _form: str) -> list[Found]:
    """Only where the page is about one thing is its content that of the record."""
    if not place.is_whole_page or place.snapshot.page_kind is not PageKind.DETAIL:
        return []
    content = place.metadata.content
    if not content.markdown:
        return []
    evidence = place.evidence(Source.CONTENT, content.zone, content.markdown, rule)
    return [Found(content.markdown, evidence, is_machine_written=False)]


def find_page_property(place: Place, rule: str, name: str) -> list[Found]:
    if not place.is_whole_page:
        return []
    if name == "heading":
        heading = place.metadata.heading
        return [_found_heading(place, rule, heading)] if heading else []
    url = place.snapshot.final_url
    return [Found(url, place.evidence(Source.PAGE, "url", url, rule), is_machine_written=True)]


def _found_heading(place: Place, rule: str, heading: Heading) -> Found:
    evidence = place.evidence(Source.PAGE, heading.locator, heading.text, rule, span=heading.span)
    return Found(heading.text, evidence, is_machine_written=False)
