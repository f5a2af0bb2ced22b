import pytest

from crawler.contracts.snapshot import Encoding, EncodingSource
from crawler.document.document import Document
from crawler.document.encoding import decide_encoding, decode
from tests.unit.document.pages import make_snapshot

RUSSIAN = "Привет"
JAPANESE = "<title>国際疾病分類</title><p>この分類は世界保健機関によって公表されている。</p>"


def typed(charset: str) -> tuple[tuple[str, str], ...]:
    return (("Content-Type", f"text/html; charset={charset}"),)


DECISIONS = {
    "mark before header": (
        b"\xef\xbb\xbf<!DOCTYPE html>" + RUSSIAN.encode(),
        typed("cp1251"),
        EncodingSource.BOM,
        RUSSIAN,
    ),
    "UTF-16 mark": (RUSSIAN.encode("utf-16"), (), EncodingSource.BOM, RUSSIAN),
    "header before declaration": (
        b'<meta charset="utf-8">' + RUSSIAN.encode("cp1251"),
        typed("windows-1251"),
        EncodingSource.HEADER,
        RUSSIAN,
    ),
    "declaration": (
        b'<meta charset="koi8-r">' + RUSSIAN.encode("koi8-r"),
        (),
        EncodingSource.META,
        RUSSIAN,
    ),
    "XML declaration": (
        b'<?xml version="1.0" encoding="windows-1251"?>' + RUSSIAN.encode("cp1251"),
        (),
        EncodingSource.META,
        RUSSIAN,
    ),
    "unknown label is none": (RUSSIAN.encode(), typed("klingon"), EncodingSource.DETECTED, RUSSIAN),
    "declared UTF-16 in ASCII": (
        b'<meta charset="utf-16">' + RUSSIAN.encode(),
        (),
        EncodingSource.META,
        RUSSIAN,
    ),
    "ISO-8859-1 is windows-1252": (
        b"the lawyer\x92s withdrawal \x97 suspension",
        typed("iso-8859-1"),
        EncodingSource.HEADER,
        "lawyer\u2019s withdrawal \u2014 suspension",
    ),
    "GB2312 is GB18030": (
        "腾讯首页镕".encode("gb18030"),
        typed("GB2312"),
        EncodingSource.HEADER,
        "腾讯首页镕",
    ),
    "undeclared UTF-8": (RUSSIAN.encode(), (), EncodingSource.DETECTED, RUSSIAN),
    "undeclared UTF-8 that was damaged before it was UTF-8": (
        "caf\ufffd".encode(),
        (),
        EncodingSource.DETECTED,
        "caf\ufffd",
    ),
    "undeclared UTF-8 that is cut in a character": (
        2 * RUSSIAN.encode() + b"\xd0",
        (),
        EncodingSource.DETECTED,
        RUSSIAN,
    ),
    "undeclared UTF-8 with a damaged byte": (
        b"\x92 " + 2 * RUSSIAN.encode(),
        (),
        EncodingSource.DETECTED,
        RUSSIAN,
    ),
    "undeclared Shift_JIS": (
        JAPANESE.encode("shift_jis"),
        (),
        EncodingSource.DETECTED,
        "国際疾病分類",
    ),
    "undeclared ISO-2022-JP": (
        JAPANESE.encode("iso2022_jp"),
        (),
        EncodingSource.DETECTED,
        "国際疾病分類",
    ),
    "nothing to go by": (b"plain", (), EncodingSource.DEFAULT, "plain"),
    "declaration behind the first 1024 bytes": (
        b" " * 1024 + b'<meta charset="koi8-r">' + RUSSIAN.encode(),
        (),
        EncodingSource.DETECTED,
        RUSSIAN,
    ),
}


@pytest.mark.parametrize(("body", "headers", "source", "text"), DECISIONS.values(), ids=DECISIONS)
def test_encoding_is_decided_as_browsers_do_and_says_how(
    body: bytes, headers: tuple[tuple[str, str], ...], source: EncodingSource, text: str
) -> None:
    encoding = decide_encoding(body, headers)

    assert encoding.source is source
    assert text in decode(body, encoding)


@pytest.mark.parametrize("name", ["utf-8", "cp932", "utf-16-le", "no-such-codec", "base64"])
def test_decoding_never_raises(name: str) -> None:
    text = decode(b"a\xff\x81\x00b", Encoding(name, EncodingSource.META))

    assert isinstance(text, str)


def test_a_rendered_page_is_read_by_its_own_encoding_not_by_what_it_declares() -> None:
    body = '<meta charset="windows-1252"><p id="a">Acme\u2120</p>'.encode()
    rendered = make_snapshot(body, headers=typed("utf-8"))

    document = Document(rendered)

    assert document.text_of(document.css("#a")[0]) == "Acme\u2120"


KANA = "きょうはとてもいいてんきです。"
CZECH = (
    """Městský úřad oznamuje občanům, že v pátek bude přerušena dodávka vody. Žádáme všechny,
aby si připravili zásobu. Práce potrvají přibližně šest hodin. Další údaje najdete na úřední desce."""
    * 3
)


@pytest.mark.parametrize("name", ["utf-16-be", "utf-16-le", "utf-32-be", "utf-32-le"])
def test_wide_text_without_a_mark_is_told_by_its_zeros(name: str) -> None:
    body = f"<html><body><p>{RUSSIAN}</p></body></html>".encode(name)

    assert decide_encoding(body, ()) == Encoding(name, EncodingSource.DETECTED)


@pytest.mark.parametrize(
    "body", [b"a\x00b\x00c", b"\x00a\x00b\x00c", b"<p>\x00text</p>" * 9, b"\x00\x00\x00\x00" * 9]
)
def test_a_few_zeros_make_no_wide_text(body: bytes) -> None:
    assert decide_encoding(body, ()).name == "utf-8"


@pytest.mark.parametrize(
    ("name", "text"),
    [("iso2022_kr", "안녕하세요"), ("euc_jp", KANA * 8), ("iso8859-2", CZECH), ("cp1250", CZECH)],
)
def test_undeclared_text_is_read_as_it_was_written(name: str, text: str) -> None:
    body = f"<p>{text}</p>".encode(name)

    assert decode(body, decide_encoding(body, ())) == f"<p>{text}</p>"
