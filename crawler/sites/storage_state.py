"""The storage state of a browser context: JSON as Playwright writes it, checked field by field."""

from codecs import BOM_UTF8
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from crawler.admission.url import parse_url

# RFC 6265, 4.1.1, and in values what browsers take besides: never what could end the header.
_Token = Annotated[str, Field(pattern=r"^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$")]
_Value = Annotated[str, Field(pattern=r"^[ -:<-~]{0,4096}$")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, hide_input_in_errors=True)


class StoredCookie(_Part):
    name: _Token
    value: _Value
    domain: str = Field(pattern=r"^\.?[A-Za-z0-9_-]([A-Za-z0-9._-]{0,251}[A-Za-z0-9_-])?$")
    path: str = Field(pattern=r"^/[!-:<-~]{0,1023}$")
    expires: float = Field(default=-1, allow_inf_nan=False)
    """Epoch seconds; -1 for as long as the browser runs."""
    http_only: bool = Field(default=False, alias="httpOnly")
    secure: bool
    same_site: Literal["Strict", "Lax", "None"] = Field(default="Lax", alias="sameSite")


class StoredItem(_Part):
    name: str = Field(max_length=4096)
    value: str


class StoredOrigin(_Part):
    origin: str = Field(max_length=2083)
    local_storage: tuple[StoredItem, ...] = Field(default=(), alias="localStorage", max_length=2000)

    @field_validator("origin")
    @classmethod
    def _normalise(cls, text: str) -> str:
        parsed = parse_url(text)
        if parsed is None or parsed.path != "/" or parsed.query:
            raise ValueError(WORDS["value_error"])
        return parsed.origin


class StorageState(_Part):
    cookies: tuple[StoredCookie, ...] = Field(default=(), max_length=1000)
    origins: tuple[StoredOrigin, ...] = Field(default=(), max_length=100)


WORDS = {
    "string_pattern_mismatch": "not what a browser would store",
    "string_type": "expected text",
    "bool_type": "expected true or false",
    "float_type": "expected a number",
    "missing": "missing",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "tuple_type": "expected a list",
    "value_error": "expected an origin such as https://garden.example",
}


def read_storage_state(data: bytes) -> StorageState:
    """Raises ValueError, whose text says where the fault is and nothing of what stands there."""
    try:
        return StorageState.model_validate_json(data.removeprefix(BOM_UTF8))
    except ValidationError as error:
        raise ValueError(f"not a storage state: {_describe(error)}") from None


def _describe(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
    ).removeprefix(".")
    words = WORDS.get(first["type"], first["msg"])
    return f"{place}: {words}" if place else words
