import pytest
from scrapy.settings import Settings

from crawler.engine.limits import page_limits
from crawler.interpretation.limits import PoolLimits


def test_limits_are_those_of_the_settings() -> None:
    limits = page_limits(Settings({"PAGE_WORKERS": 3, "PAGE_TIMEOUT": "2.5", "PAGE_MEMORY": 2**29}))

    assert (limits.workers, limits.seconds, limits.memory) == (3, 2.5, 2**29)


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 2), (8, 8), (None, 1)])
def test_every_core_may_read_pages(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, workers: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)

    assert page_limits(Settings({"PAGE_WORKERS": 0})).workers == workers
    assert PoolLimits.default_workers() == workers
