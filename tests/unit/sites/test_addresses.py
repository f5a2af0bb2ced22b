import pytest

from crawler.sites.addresses import find_origin_fault, find_permit_fault, find_url_fault


@pytest.mark.parametrize(
    "url",
    [
        "https://garden.example/events",
        "http://127.0.0.1:8000/bulletins",
        "http://[::1]:8000/",
        "https://bücher.example/ü?q=1#f",
    ],
)
def test_a_url_to_start_from_has_no_fault(url: str) -> None:
    assert find_url_fault(url) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://a.example/", "another scheme"),
        ("file:///etc/passwd", "another scheme"),
        ("javascript:alert(1)", "another scheme"),
        ("garden.example/events", "no scheme"),
        ("//garden.example/", "no scheme"),
        ("https:///events", "no host"),
        ("https://", "no host"),
        ("https://desk:secret@a.example/", "a user name"),
        ("https://@a.example/", "a user name"),
        ("https://a.example:0/", "port 0"),
        ("https://a.example:70000/", "Port out of range 0-65535"),
        ("https://a.example:x/", "Port could not be cast"),
        ("https://[::1/", "Invalid IPv6 URL"),
        ("https://a.example/a b", "white space"),
        ("https://a.example\\@b.example/", "white space, control character or backslash"),
    ],
)
def test_a_url_that_cannot_be_asked_for_is_named(url: str, reason: str) -> None:
    fault = find_url_fault(url)

    assert fault is not None
    assert fault.startswith("expected an http or https URL")
    assert f"({reason}" in fault


@pytest.mark.parametrize(
    "url", ["https://a.example", "https://a.example/", "http://a.example:8080"]
)
def test_an_origin_has_no_fault(url: str) -> None:
    assert find_origin_fault(url) is None


@pytest.mark.parametrize(
    "url", ["https://a.example/x", "https://a.example?q", "https://a.example/#f"]
)
def test_more_than_an_origin_is_named(url: str) -> None:
    assert find_origin_fault(url) == (
        f"expected an origin such as https://www.example.org, found {url!r}"
    )


@pytest.mark.parametrize(
    "permit",
    [
        "127.0.0.1:8000",
        "127.8.9.1:80",
        "10.0.0.1:1",
        "172.31.255.255:65535",
        "192.168.1.1:443",
        "localhost:8000",
        "[::1]:8000",
        "[fd00::1]:80",
    ],
)
def test_a_literal_private_address_with_a_port_may_be_permitted(permit: str) -> None:
    assert find_permit_fault(permit) is None


@pytest.mark.parametrize(
    "permit",
    [
        "127.0.0.1",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:٣",
        "8.8.8.8:53",
        "172.32.0.1:80",
        "169.254.169.254:80",
        "0.0.0.0:80",
        "2130706433:80",
        "127.1:80",
        "0x7f.0.0.1:80",
        "::1:8000",
        "[2001:4860:4860::8888]:53",
        "[fe80::1]:80",
        "intranet.example:80",
        "localhost.example:80",
        "http://127.0.0.1:8000",
        "*:80",
    ],
)
def test_anything_else_is_no_permit(permit: str) -> None:
    fault = find_permit_fault(permit)

    assert fault is not None
    assert fault.startswith("expected host:port with localhost or a literal loopback or private")
