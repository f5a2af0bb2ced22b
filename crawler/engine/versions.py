"""What a run is made of, for its record."""

import json
import platform
from importlib.metadata import version

from crawler import __version__

LIBRARIES = ("scrapy", "lxml", "pydantic", "python-jsonpath", "w3lib", "sqlalchemy")


def describe_versions() -> str:
    """Return a JSON object of the versions that could change what a run reads or writes."""
    return json.dumps(
        {
            "crawler": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in LIBRARIES},
        }
    )
