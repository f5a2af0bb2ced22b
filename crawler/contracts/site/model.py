"""Section ``model``: which language model may be asked, and at what price."""

from pydantic import Field

from crawler.contracts.site.section import Section, Selector


class ModelPrice(Section):
    """What a provider charges for a million tokens, in any one currency."""

    input: float = Field(ge=0, le=1_000_000, description="For a million tokens sent.")
    output: float = Field(ge=0, le=1_000_000, description="For a million tokens answered.")


class ModelRules(Section):
    """Which language model may point at values that no other rule found, and what that may cost."""

    name: str = Field(
        pattern=r"^(openai|anthropic):[^\s:]\S{0,199}$",
        description="Provider and model, such as openai:gpt-5-mini.",
    )
    zone: Selector | None = Field(
        default=None,
        description="CSS selector of the only part that is sent; by default the content zone.",
    )
    max_characters: int = Field(
        default=20_000, ge=200, le=500_000, description="Characters of a page sent at most."
    )
    max_tokens: int = Field(
        default=1_000, ge=50, le=100_000, description="Tokens of one answer at most."
    )
    timeout: float = Field(
        default=30.0, gt=0, le=600, description="Seconds for a page, all tries together."
    )
    tries: int = Field(
        default=2, ge=1, le=5, description="Calls for a page at most: failed or unusable answers."
    )
    run_tokens: int = Field(
        default=1_000_000,
        ge=1,
        le=10**12,
        description="Tokens of a run at most, sent and answered together.",
    )
    run_cost: float | None = Field(
        default=None, gt=0, le=10**9, description="Spend of a run at most, in the price's currency."
    )
    price: ModelPrice | None = Field(
        default=None, description="What the provider charges; needed for run_cost."
    )
