"""Which connections a browser gets, near misses beside what is allowed."""

import pytest

from crawler.admission.egress import (
    EgressPolicy,
    EgressRefusal,
    Target,
    decide_egress,
    read_target,
)

POLICY = EgressPolicy(
    origins=frozenset(
        {
            "https://garden.example:443",
            "http://old.example:80",
            "https://api.example:8443",
            "http://127.0.0.1:8000",
        }
    ),
    permits=frozenset({"127.0.0.1:8000", "[::1]:8001"}),
)
OPEN = EgressPolicy(POLICY.origins, POLICY.permits, is_open=True)


def decide(method: str, text: str, policy: EgressPolicy) -> EgressRefusal | None:
    target = read_target(method, text)
    assert target is not None
    return decide_egress(target, policy)


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("CONNECT", "garden.example:443"),
        ("CONNECT", "GARDEN.example.:443"),
        ("CONNECT", "old.example:80"),  # ws of an http page
        ("CONNECT", "api.example:8443"),
        ("CONNECT", "127.0.0.1:8000"),
        ("CONNECT", "[::1]:8001"),
        ("GET", "http://old.example/a?b"),
        ("POST", "http://127.0.0.1:8000/form"),
        ("GET", "http://[::1]:8001/"),
    ],
)
def test_the_origins_and_permits_of_a_site_are_connected(method: str, text: str) -> None:
    assert decide(method, text, POLICY) is None


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("CONNECT", "cdn.example:443"),
        ("CONNECT", "garden.example:8443"),
        ("CONNECT", "garden.example:80"),
        ("CONNECT", "garden.example.evil.example:443"),
        ("CONNECT", "xgarden.example:443"),
        ("GET", "http://garden.example/"),
        ("GET", "http://api.example:8443/"),
    ],
)
def test_another_scheme_host_or_port_is_out_of_scope(method: str, text: str) -> None:
    assert decide(method, text, POLICY) is EgressRefusal.SCOPE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cdn.example:443", None),
        ("cdn.example:80", None),
        ("cdn.example:6379", EgressRefusal.SCOPE),
        ("127.0.0.1:6800", EgressRefusal.ADDRESS),
        ("127.0.0.1:443", EgressRefusal.ADDRESS),
    ],
)
def test_an_open_policy_adds_public_hosts_on_default_ports(
    text: str, expected: EgressRefusal | None
) -> None:
    assert decide("CONNECT", text, OPEN) is expected


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.2",
        "localhost",
        "scrapyd.localhost",
        "0.0.0.0",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[fc00::1]",
        "[fe80::1]",
        "[fec0::1]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::1]",
        "[2001::1]",
        "[::127.0.0.1]",
    ],
)
@pytest.mark.parametrize("policy", [POLICY, OPEN], ids=["closed", "open"])
def test_an_address_that_is_not_public_is_refused_in_every_form(
    host: str, policy: EgressPolicy
) -> None:
    assert decide("CONNECT", f"{host}:443", policy) is EgressRefusal.ADDRESS
    assert decide("GET", f"http://{host}/", policy) is EgressRefusal.ADDRESS


@pytest.mark.parametrize("host", ["100.63.255.254", "100.128.0.1", "172.32.0.1", "11.0.0.1"])
def test_the_public_neighbours_of_private_ranges_are_connected(host: str) -> None:
    assert decide("CONNECT", f"{host}:443", OPEN) is None


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("CONNECT", "garden.example"),
        ("CONNECT", "garden.example:"),
        ("CONNECT", "garden.example:0"),
        ("CONNECT", "garden.example:65536"),
        ("CONNECT", "garden.example:80:90"),
        ("CONNECT", "https://garden.example:443"),
        ("CONNECT", "user:pw@garden.example:443"),
        ("CONNECT", "garden.example/x:443"),
        ("CONNECT", "garden.example#:443"),
        ("CONNECT", "garden.example?:443"),
        ("CONNECT", "fe80::1%25lo:443"),
        ("GET", "/relative"),
        ("GET", "*"),
        ("GET", "https://garden.example/"),
        ("GET", "ftp://garden.example/"),
        ("GET", "file:///etc/passwd"),
        ("GET", "ws://old.example/"),
        ("GET", "http://old.example\\@127.0.0.1/"),
        ("GET", "http://user:pw@old.example/"),
        ("GET", "http:///x"),
        ("GET", "http://127.0.0.256/"),
    ],
)
def test_a_target_that_parsers_could_read_differently_is_none(method: str, text: str) -> None:
    assert read_target(method, text) is None


def test_a_tunnel_shows_host_and_port_only() -> None:
    assert read_target("CONNECT", "garden.example:443") == Target("garden.example", 443)
