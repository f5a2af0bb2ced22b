"""Take off what was put around the JSON of a script block.

Each step is a function from text to text; ``jsonld`` tries them in order and names those that
changed something. What none of them makes readable is refused.
"""

import re
from html import unescape

_WRAPPERS = re.compile(
    r"\A(?:\s|\ufeff|<!\[CDATA\[|<!--+|/\*.*?\*/|//[^\n{\[<]*(?=[\n{\[<]))+", re.DOTALL
)
_WRAPPER_ENDS = ("//", "*/", "/*", "-->", "]]>", "]]&gt;")
MAX_WRAPPER_ENDS = 8
_BLANK = " \t\r\n"
_ENTITY = re.compile(r"&(?:amp;)?(?:quot|#34|#x22|#034);", re.IGNORECASE)


def strip_wrappers(text: str) -> str:
    """Drop a byte order mark and the comment or CDATA marks around the block."""
    opened = _WRAPPERS.sub("", text, count=1)
    if not opened or opened[0] not in "{[":
        return text
    bare = _strip_wrapper_end(opened)
    return text if bare == text.strip(_BLANK) else bare


def _strip_wrapper_end(text: str) -> str:
    bare = text.rstrip(_BLANK)
    for _ in range(MAX_WRAPPER_ENDS):
        end = next((end for end in _WRAPPER_ENDS if bare.endswith(end)), None)
        if end is None:
            break
        bare = bare.removesuffix(end).rstrip(_BLANK + "-")
    return bare


def strip_terminator(text: str) -> str:
    """Drop the semicolon of a JavaScript statement."""
    bare = text.rstrip(_BLANK + ";")
    return bare if ";" in text[len(bare) :] else text


def unescape_once(text: str) -> str:
    """Decode HTML entities when the quotes themselves are written as entities."""
    return unescape(text) if '"' not in text and _ENTITY.search(text) else text
