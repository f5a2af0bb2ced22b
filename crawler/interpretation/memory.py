"""How often Python looks for reference cycles in a process that handles one page after another."""

import gc

ALLOCATIONS = 50_000
"""Between two looks at the youngest objects. A page makes thousands and nearly all die by
reference count; at Python's own 700 the looking took an eighth of a crawl's time."""


def settle_memory() -> None:
    """Call once everything is imported: what is alive now lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS, 20, 100)
