"""Makes "no connection" a fact rather than a promise for the process that replays."""

import sys

DENIED = {
    "socket.connect",
    "socket.sendto",
    "socket.sendmsg",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.gethostbyaddr",
    "socket.getnameinfo",
}
LOCAL = "AF_UNIX"


class ConnectionForbidden(PermissionError):
    """Something tried to reach the network during a replay."""


def forbid_connections(permitted_hosts: frozenset[str] = frozenset()) -> None:
    """From here on this process can connect to nothing but *permitted_hosts* (the ledger's)."""

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        if event not in DENIED or _is_local(event, arguments):
            return
        if not permitted_hosts.isdisjoint(_hosts(arguments)):
            return
        raise ConnectionForbidden(event)

    sys.addaudithook(refuse)


def _is_local(event: str, arguments: tuple[object, ...]) -> bool:
    family = getattr(arguments[0], "family", None) if arguments else None
    return event.startswith("socket.") and getattr(family, "name", "") == LOCAL


def _hosts(arguments: tuple[object, ...]) -> set[str]:
    found = {argument for argument in arguments if isinstance(argument, str)}
    for argument in arguments:
        if isinstance(argument, tuple) and argument:
            found.add(str(argument[0]))
    return found
