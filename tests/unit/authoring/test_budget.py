"""What a run may spend is kept before calls begin, whatever a provider says it counted."""

import pytest

from crawler.authoring.budget import MAX_COUNT, Budget, Charge, actual_charge, expect_charge
from crawler.contracts.model import ModelReply, ModelRequest
from crawler.contracts.site.model import ModelPrice, ModelRules


def rules(**limits: object) -> ModelRules:
    return ModelRules.model_validate({"name": "openai:m", **limits})


REQUEST = ModelRequest("openai:m", "i" * 100, "p" * 301, {}, max_tokens=50, seconds=1.0)


def test_a_call_is_expected_to_use_a_token_for_two_characters_and_its_whole_answer() -> None:
    assert expect_charge(REQUEST) == Charge(201, 50)


@pytest.mark.parametrize(
    ("counted", "used"),
    [
        ((80, 20), Charge(80, 20)),
        ((None, None), Charge(201, 4)),
        ((0, 0), Charge(201, 4)),
        ((-5, -5), Charge(201, 4)),
        ((10**40, 10**40), Charge(MAX_COUNT, MAX_COUNT)),
    ],
)
def test_what_a_provider_does_not_count_is_charged_as_expected(
    counted: tuple[int | None, int | None], used: Charge
) -> None:
    assert actual_charge(ModelReply("eight ch", *counted), expect_charge(REQUEST)) == used


def test_calls_at_the_same_time_do_not_pass_the_limit_together() -> None:
    budget = Budget(rules(run_tokens=500))

    assert [budget.reserve(Charge(150, 50)) for _ in range(3)] == [True, True, False]
    assert budget.tokens == 400


def test_what_was_not_used_is_free_again() -> None:
    budget = Budget(rules(run_tokens=300))
    reserved = Charge(150, 50)
    assert budget.reserve(reserved)

    budget.settle(reserved, Charge(40, 10))

    assert budget.tokens == 50
    assert budget.reserve(reserved)


def test_a_limit_in_money_holds_by_the_price_of_each_way() -> None:
    price = ModelPrice(input=1.0, output=10.0)
    budget = Budget(rules(run_cost=0.001, price=price))

    assert Charge(100, 50).cost(price) == pytest.approx(0.0006)
    assert budget.reserve(Charge(100, 50))
    assert not budget.reserve(Charge(100, 50))
    assert budget.reserve(Charge(100, 0))
