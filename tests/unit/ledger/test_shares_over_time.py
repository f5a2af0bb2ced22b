import random

import pytest

from crawler.ledger.pacing import Share, grant_slots

CONCURRENCY = 7


@pytest.mark.parametrize("seed", range(20))
def test_no_order_of_events_lets_owners_exceed_the_concurrency(seed: int) -> None:
    """Owners come, go, lease and finish at random; requests in transfer never exceed a share."""
    chance = random.Random(seed)
    shares: dict[int, Share] = {}
    flying: dict[int, int] = {}
    most = 0
    for _ in range(400):
        owner = chance.randrange(5)
        others = tuple(share for name, share in shares.items() if name != owner)
        slots = grant_slots(
            mine=shares.get(owner),
            in_flight=flying.get(owner, 0),
            ceiling=CONCURRENCY,
            others=others,
        )
        shares[owner] = Share(slots, CONCURRENCY)
        flying[owner] = chance.randint(0, slots)
        leaver = chance.choice([None, None, None, *shares])
        shares.pop(leaver, None) if leaver is not None else None
        flying.pop(leaver, None) if leaver is not None else None
        most = max(most, sum(flying.values()))
        assert sum(share.slots for share in shares.values()) <= CONCURRENCY
    assert most > 1
