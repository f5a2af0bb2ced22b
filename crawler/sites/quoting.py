"""Text of a site file as a message shows it."""


def shorten(text: str) -> str:
    """Return *text* quoted, on one line, cut to what a person reads."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
