"""How long an observation may be used."""

from datetime import datetime


def is_stale(observed_at: str, fresh_for: float | None, now: float) -> bool:
    """Tell whether an observation (RFC 3339) is older than *fresh_for* seconds at *now*.

    Measured from the observation, never from when it was read again: a replay makes nothing fresh.
    Nothing is stale where no limit is set.
    """
    return (
        fresh_for is not None and now - datetime.fromisoformat(observed_at).timestamp() > fresh_for
    )
