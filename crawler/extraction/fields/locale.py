"""How a language writes figures: which sign is the decimal point, and whether a day goes before its month.

After the number and date patterns of the Unicode CLDR. A language whose countries differ, such as
English in its dates, says nothing unless its country is named.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Locale:
    decimal: str | None = None
    """The sign before decimals; the other one of comma and point groups thousands."""
    is_day_first: bool | None = None
    """Of two figures before a year; None where it is not known."""


UNKNOWN = Locale()
_COMMA = Locale(",", is_day_first=True)
_POINT = Locale(".", is_day_first=True)
LOCALES: dict[str, Locale] = {
    **dict.fromkeys(
        (
            "bg", "ca", "cs", "da", "de", "de-AT", "de-DE", "el", "es-AR", "es-ES", "et", "fi", "fr", "fr-BE", "fr-FR",
            "hr", "id", "is", "it", "it-IT", "lv", "nb", "nl", "nl-BE", "nl-NL", "nn", "no", "pl", "pt", "pt-BR",
            "pt-PT", "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk", "vi",
        ),
        _COMMA,
    ),
    **dict.fromkeys(
        ("de-CH", "de-LI", "en-AU", "en-GB", "en-IE", "en-IN", "en-NZ", "es-MX", "it-CH"), _POINT
    ),
    "en": Locale("."),
    "en-CA": Locale("."),
    "en-US": Locale(".", is_day_first=False),
    "es": Locale(None, is_day_first=True),
    "fr-CA": Locale(","),
    "fr-CH": Locale(None, is_day_first=True),
    "hu": Locale(","),
    "lt": Locale(","),
    "ja": Locale("."),
    "ko": Locale("."),
    "zh": Locale("."),
}  # fmt: skip
