"""What a page worker gives up before it sees a page: network, child processes, memory without end.

An empty network namespace is the strong form. Where the kernel refuses one, an audit hook stops
Python code from opening a socket; it cannot stop native code, and the run record says which held.
"""

import ctypes
import resource
import sys

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
DENIED_EVENTS = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork")


class IsolationBroken(PermissionError):
    """Code in a page worker tried to reach the network or to start a process."""


def leave_network() -> str:
    """Cut this process off the network; returns the name of the means that held."""
    is_namespaced = _unshare(CLONE_NEWNET) or _unshare(CLONE_NEWUSER | CLONE_NEWNET)
    sys.addaudithook(_deny)
    return "namespace" if is_namespaced else "audit-hook"


def limit_memory(limit: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _unshare(flags: int) -> bool:
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        return int(libc.unshare(flags)) == 0
    except (OSError, AttributeError):
        return False


def _deny(event: str, _args: object) -> None:
    if event.startswith(DENIED_EVENTS):
        raise IsolationBroken(event)
