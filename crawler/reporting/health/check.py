"""One line of an examination."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    """Works, and somebody should know."""
    PROBLEM = "problem"
    """Must be mended before this installation is relied on."""


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    state: State
    found: str
    advice: str = ""
    """What to do; empty where there is nothing to do."""


def ok(name: str, found: str) -> Check:
    return Check(name, State.OK, found)


def warning(name: str, found: str, advice: str) -> Check:
    return Check(name, State.WARNING, found, advice)


def problem(name: str, found: str, advice: str) -> Check:
    return Check(name, State.PROBLEM, found, advice)
