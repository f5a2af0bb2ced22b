"""What holds back all other pages of a session while it is open whether the session still holds."""

from collections.abc import Mapping

from crawler.contracts.frontier import LeasedRow


class SignInWatch:
    """Knows the rows in hand that are led to sign in: what stands there says whether any other page
    can still be had, so that none is asked for before.
    """

    def __init__(self, in_hand: Mapping[int, LeasedRow]) -> None:
        self._in_hand = in_hand
        self._led: set[int] = set()

    def note(self, row: int) -> None:
        self._led.add(row)

    def is_led(self, row: int) -> bool:
        return row in self._find_undecided()

    def is_undecided(self) -> bool:
        return bool(self._find_undecided())

    def holds_back(self, row: int) -> bool:
        undecided = self._find_undecided()
        return bool(undecided) and row not in undecided

    def _find_undecided(self) -> set[int]:
        self._led = {row for row in self._led if row in self._in_hand}
        return self._led
