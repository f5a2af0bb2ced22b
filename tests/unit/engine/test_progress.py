import logging

import pytest
from scrapy import Spider
from scrapy.utils.test import get_crawler

from crawler.engine.progress import ProgressLog


def test_a_timer_that_wakes_early_is_heard_once_an_interval(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stats = get_crawler().stats
    assert stats is not None
    moments = iter([0.0, 59.9995, 59.9999, 60.0001, 120.0])
    progress = ProgressLog(stats, clock=lambda: next(moments))
    progress.pagesprev = progress.itemsprev = 0
    caplog.set_level(logging.INFO, "crawler.engine.progress")
    spider = Spider("garden")

    progress.log(spider)
    stats.set_value("response_received_count", 90)
    stats.set_value("records/accepted", 70)
    stats.set_value("records/unchanged", 5)
    stats.set_value("reject/invalid_date", 2)
    stats.set_value("reject/required_field", 1)
    for _ in range(4):
        progress.log(spider)

    assert caplog.messages == [
        "Crawled 0 pages (at 0 pages/min): 0 records, 0 rejected",
        "Crawled 90 pages (at 90 pages/min): 75 records, 3 rejected",
        "Crawled 90 pages (at 0 pages/min): 75 records, 3 rejected",
    ]
