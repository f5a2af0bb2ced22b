"""What files are to be like that appear under their name only when they are complete."""

import os
import stat
from pathlib import Path


def is_special(path: Path) -> bool:
    """A pipe or a device, which is written to as it is and never replaced, or a folder."""
    return path.exists() and not path.is_file()


def usual_mode(path: Path) -> int:
    """Return the permissions that the file has already, or that any new one gets."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
