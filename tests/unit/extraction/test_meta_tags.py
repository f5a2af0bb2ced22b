from crawler.document.document import Document
from crawler.extraction.meta_tags import read_meta_tags
from tests.unit.document.pages import make_snapshot


def read(body: str) -> list[tuple[str, list[str], str]]:
    tags = read_meta_tags(Document(make_snapshot(body)))
    return [(tag.locator, sorted(tag.names), tag.content) for tag in tags]


def test_repeated_properties_are_kept_in_order() -> None:
    body = (
        '<meta charset="utf-8">'
        '<meta property="og:image" content="https://example.com/1.jpg">'
        '<meta property="og:image" content="https://example.com/2.jpg">'
    )

    assert read(body) == [
        ("meta[2]/@content", ["og:image"], "https://example.com/1.jpg"),
        ("meta[3]/@content", ["og:image"], "https://example.com/2.jpg"),
    ]


def test_names_are_compared_in_lower_case_and_contents_decoded_once() -> None:
    assert read('<meta name="DC.Title" content="A &amp;amp; B">') == [
        ("meta[1]/@content", ["dc.title"], "A &amp; B")
    ]


def test_tags_without_a_name_or_a_content_or_in_a_comment_say_nothing() -> None:
    body = '<meta content="a"><meta name="a"><!--<meta name="a" content="b">--><meta name="" content="c">'

    assert read(body) == []


def test_a_page_is_read_in_its_own_encoding_with_the_bytes_of_each_tag() -> None:
    body = '<meta charset="windows-1252"><meta name="author" content="José">'.encode("cp1252")
    document = Document(make_snapshot(body))

    (tag,) = read_meta_tags(document)

    assert tag.content == "José"
    assert body[slice(*tag.span)].startswith(b'<meta name="author"')


def test_only_so_many_tags_are_kept() -> None:
    assert len(read('<meta name="a" content="b">' * 3000)) == 1000


def test_what_a_card_shows_is_named_after_its_label() -> None:
    body = (
        '<meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="Ada">'
        '<meta name="twitter:label2" content="Reading time"><meta name="twitter:data2" content="4 min">'
        '<meta name="twitter:data3" content="x">'
    )

    named = {content: names for _, names, content in read(body)}

    assert named["Ada"] == ["twitter:author", "twitter:data1"]
    assert named["4 min"] == ["twitter:data2"]
    assert named["x"] == ["twitter:data3"]
