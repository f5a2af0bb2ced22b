"""What the calls of one run may cost together."""

from dataclasses import dataclass

from crawler.contracts.model import ModelReply, ModelRequest
from crawler.contracts.site.model import ModelPrice, ModelRules

CHARACTERS_PER_TOKEN = 2
"""Fewer than in any language that models are made for: an estimate that is rather too high."""

MAX_COUNT = 10**9
"""What a provider says beyond that is no count."""


@dataclass(frozen=True, slots=True)
class Charge:
    """Tokens sent and answered."""

    sent: int
    answered: int

    @property
    def tokens(self) -> int:
        return self.sent + self.answered

    def cost(self, price: ModelPrice | None) -> float:
        if price is None:
            return 0.0
        return (self.sent * price.input + self.answered * price.output) / 1_000_000


def expect_charge(request: ModelRequest) -> Charge:
    """Return the most that a call may be expected to use."""
    return Charge(_estimate(len(request.instructions) + len(request.page)), request.max_tokens)


def actual_charge(reply: ModelReply, expected: Charge) -> Charge:
    """Return what a provider counted, or what was expected of anything it did not count."""
    answered = _estimate(len(reply.text))
    return Charge(
        _counted(reply.input_tokens, expected.sent), _counted(reply.output_tokens, answered)
    )


def _estimate(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def _counted(tokens: int | None, otherwise: int) -> int:
    return min(tokens, MAX_COUNT) if tokens is not None and tokens > 0 else otherwise


class Budget:
    """Calls reserve what they may use before they begin, so that many at once keep the limit."""

    def __init__(self, rules: ModelRules) -> None:
        self._rules = rules
        self.tokens = 0
        self.cost = 0.0

    def reserve(self, charge: Charge) -> bool:
        """Return False, with nothing reserved, where the rest does not suffice."""
        cost = self.cost + charge.cost(self._rules.price)
        if self.tokens + charge.tokens > self._rules.run_tokens:
            return False
        if self._rules.run_cost is not None and cost > self._rules.run_cost:
            return False
        self.tokens, self.cost = self.tokens + charge.tokens, cost
        return True

    def settle(self, reserved: Charge, used: Charge) -> None:
        """Put what was used in the place of what was reserved."""
        self.tokens += used.tokens - reserved.tokens
        self.cost += used.cost(self._rules.price) - reserved.cost(self._rules.price)
