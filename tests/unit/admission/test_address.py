from ipaddress import ip_address

import pytest

from crawler.admission.address import (
    FORBIDDEN,
    forbidden_reason,
    host_refusal,
    is_permitted,
    literal_address,
)

REFUSED = {
    "0.0.0.0": "this network",
    "10.0.0.1": "private",
    "100.64.0.0": "carrier-grade NAT",
    "100.127.255.255": "carrier-grade NAT",
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "169.254.169.254": "link-local",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.0.0.8": "protocol assignments",
    "192.0.2.1": "documentation",
    "192.88.99.1": "6to4 relay",
    "192.168.1.1": "private",
    "198.18.0.1": "benchmarking",
    "198.51.100.1": "documentation",
    "203.0.113.1": "documentation",
    "224.0.0.1": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "broadcast",
    "::": "unspecified",
    "::1": "loopback",
    "::127.0.0.1": "IPv4-compatible",
    "::ffff:169.254.169.254": "IPv4-mapped",
    "::ffff:8.8.8.8": "IPv4-mapped",
    "::ffff:0:127.0.0.1": "IPv4-translated",
    "64:ff9b::a9fe:a9fe": "NAT64",
    "64:ff9b:1::1": "local NAT64",
    "100::1": "discard",
    "2001::1": "Teredo",
    "2001:10::1": "protocol assignments",
    "2001:db8::1": "documentation",
    "2002:a9fe:a9fe::1": "6to4",
    "3fff::1": "documentation",
    "fc00::1": "unique local",
    "fd12::1": "unique local",
    "fe80::1": "link-local",
    "fec0::1": "site-local",
    "ff02::1": "multicast",
    "4000::1": "reserved",
}
ALLOWED = [
    "100.63.255.254",
    "100.128.0.1",
    "11.0.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.1",
    "223.255.255.255",
    "8.8.8.8",
    "2606:4700::1111",
    "2001:4860:4860::8888",
    "2a00::1",
]


@pytest.mark.parametrize(("address", "reason"), REFUSED.items())
def test_an_address_that_is_not_public_is_refused_for_its_reason(address: str, reason: str) -> None:
    assert forbidden_reason(ip_address(address)) == reason


def test_every_network_of_the_table_has_a_case() -> None:
    assert set(FORBIDDEN.values()) == set(REFUSED.values())


@pytest.mark.parametrize("address", ALLOWED)
def test_a_public_address_is_not_refused(address: str) -> None:
    assert forbidden_reason(ip_address(address)) is None


LOOPBACK = [
    "127.0.0.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0X7F.1",
    "0177.0.0.1",
    "017700000001",
    "127.1",
    "127.0.1",
    "１２７.０.０.１",  # noqa: RUF001  # full-width digits are the point
    "１２７。０。０。１",  # noqa: RUF001
]


@pytest.mark.parametrize("host", LOOPBACK)
def test_every_spelling_of_an_address_is_read_as_it(host: str) -> None:
    assert literal_address(host) == ip_address("127.0.0.1")


@pytest.mark.parametrize(
    "host",
    ["example.com", "1.2.3.4.5", "256.0.0.1", "1.256.1", "08.1.1.1", "4294967296", "a.1x", ""],
)
def test_a_name_is_no_address(host: str) -> None:
    assert literal_address(host) is None


def test_an_address_with_a_zone_is_read_without_it() -> None:
    assert literal_address("fe80::1%eth0") == ip_address("fe80::1")


@pytest.mark.parametrize("host", [*LOOPBACK, "localhost", "LOCALHOST.", "a.localhost", "::1"])
def test_the_local_machine_is_refused_under_every_name(host: str) -> None:
    assert host_refusal(host, 80, ()) is not None


@pytest.mark.parametrize("host", ["example.com", "localhost.example.com", "8.8.8.8"])
def test_a_public_host_is_not_refused_by_its_name(host: str) -> None:
    assert host_refusal(host, 80, ()) is None


def test_a_permit_opens_one_host_and_port_only() -> None:
    permits = {"127.0.0.1:8000", "[::1]:8000"}
    assert is_permitted("127.0.0.1", 8000, permits)
    assert host_refusal("::1", 8000, permits) is None
    assert host_refusal("127.0.0.1", 8001, permits) == "loopback"
    assert host_refusal("127.1", 8000, permits) == "loopback"
    assert host_refusal("localhost", 8000, permits) == "loopback"
    assert host_refusal("127.0.0.2", 8000, permits) == "loopback"
