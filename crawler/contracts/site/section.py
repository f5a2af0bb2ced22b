"""What the sections of a site file are made of."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

# Alike but for what they are: sites.forms tells by the object which form a value must have.
Selector = Annotated[str, Field(min_length=1, max_length=1000)]
Rule = Annotated[
    str,
    Field(
        pattern=r"^(jsonld|microdata|rdfa|microformats|plugin|opengraph|meta|state|loaded|feed|ical|json|label|list"
        r"|html|css|xpath|content|page|model):.+",
        max_length=1000,
    ),
]
PagePart = Annotated[str, Field(min_length=1, max_length=1000)]
RowRule = Annotated[str, Field(min_length=1, max_length=1000)]
JsonPath = Annotated[str, Field(min_length=1, max_length=1000)]
ShortText = Annotated[str, Field(min_length=1, max_length=1000)]
Pause = Annotated[float, Field(gt=0, le=60)]
HttpUrl = Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=2083)]
UrlGlob = Annotated[str, Field(pattern=r"^(/|https?://).*", max_length=500)]
ParameterName = Annotated[str, Field(pattern=r"^[^\s=&?#/*]+\*?$", max_length=100)]

AUTO: Final = "auto"


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def parse_duration(text: str) -> float:
    """Return the seconds in ``24h`` and the like (units s, m, h, d)."""
    return float(text[:-1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[text[-1]]
