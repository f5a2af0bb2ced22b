"""What holds for every test: no connection leaves this machine, no proxy is asked, SIGINT is heard."""

import ipaddress
import os
import signal
import sys

import pytest

collect_ignore = ["bench", "demo"]
PROXY_VARIABLES = ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy")


def pytest_configure(config: pytest.Config) -> None:
    for name in PROXY_VARIABLES:
        os.environ.pop(name, None)
        os.environ.pop(name.upper(), None)
    sys.addaudithook(refuse_external_addresses)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell ignores it for what runs in the background, and every child would inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def refuse_external_addresses(event: str, args: tuple[object, ...]) -> None:
    """Raise before a socket of this process is connected, or a name looked up, beyond loopback.

    Not an OSError: the code under test handles those, and the mistake would go unseen.
    """
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        address = args[1]
        if isinstance(address, tuple) and isinstance(address[0], str):
            _require_local(address[0])
    elif event == "socket.getaddrinfo":
        _require_local(args[0])


def _require_local(host: object) -> None:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "localhost")
    if name != "localhost" and not _is_local_or_no_target(name):
        raise RuntimeError(f"a test must not contact {name}")


def _is_local_or_no_target(name: str) -> bool:
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
