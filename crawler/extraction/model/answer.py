"""The answer of a model: one JSON object, held to its form."""

import re

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import from_json

MAX_ANSWER = 200_000
MAX_ENTRIES = 500
_FENCED = re.compile(r"```[a-zA-Z]*[ \t]*\n(?P<inside>[^`]*)\n[ \t]*```")

Scalar = str | int | float


class Quoted(BaseModel):
    """What a model says of one field: entries side by side where the field takes several."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    value: Scalar | list[Scalar]
    quote: str | list[str]

    @property
    def pairs(self) -> list[tuple[Scalar, str]]:
        """Values with their quotes; empty where they do not pair up."""
        values = self.value if isinstance(self.value, list) else [self.value]
        quotes = self.quote if isinstance(self.quote, list) else [self.quote]
        return list(zip(values, quotes, strict=True)) if len(values) == len(quotes) else []


Answer = dict[str, Quoted | None]
_ANSWER = TypeAdapter(Answer)


class UnusableAnswerError(ValueError):
    """The text is no answer of the form asked for. The message holds nothing of the text."""


def parse_answer(text: str) -> Answer:
    """Return what a model said of each field; raise UnusableAnswerError.

    A code fence, and what a model says around one, is left out.
    """
    if len(text) > MAX_ANSWER:
        raise UnusableAnswerError(f"it has more than {MAX_ANSWER} characters")
    fenced = _FENCED.search(text)
    try:
        value = from_json(fenced["inside"] if fenced else text.strip(), allow_inf_nan=False)
    except ValueError as error:
        raise UnusableAnswerError("it is no JSON") from error
    try:
        answer = _ANSWER.validate_python(value)
    except ValidationError as error:
        raise UnusableAnswerError(
            "it is not one object with value and quote, or null, for each field"
        ) from error
    if any(said and len(said.pairs) not in range(1, MAX_ENTRIES + 1) for said in answer.values()):
        raise UnusableAnswerError("a list of values needs a list of as many quotes")
    return answer


def find_answer_problem(text: str, names: tuple[str, ...]) -> str | None:
    """Return why an answer cannot be used for just these fields, for whoever has to mend it."""
    try:
        answer = parse_answer(text)
    except UnusableAnswerError as error:
        return str(error)
    if missing := [name for name in names if name not in answer]:
        return f"it lacks {', '.join(missing)}"
    return "it has fields that were not asked for" if answer.keys() - set(names) else None
