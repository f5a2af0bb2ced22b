from datetime import UTC, datetime

import pytest

from crawler.document.w3c_date import latest_moment


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01T10:20:30+01:00", "2026-03-01T09:20:31"),
        ("2026-03-01T10:20:30.999Z", "2026-03-01T10:20:31"),
        ("2026-03-01t10:20:30z", "2026-03-01T10:20:31"),
        ("2026-03-01 10:20:30 -0530", "2026-03-01T15:50:31"),
        ("2026-03-01T10:20Z", "2026-03-01T10:21:00"),
        ("2026-03-01T10:20:30", "2026-03-01T22:20:31"),
        (" 2026-03-01\n", "2026-03-02T12:00:00"),
        ("2026-03", "2026-04-01T12:00:00"),
        ("2026-02", "2026-03-04T12:00:00"),
        ("2026", "2027-01-02T12:00:00"),
    ],
)
def test_a_moment_is_over_when_it_is_over_everywhere(text: str, expected: str) -> None:
    moment = latest_moment(text)

    assert moment is not None
    assert datetime.fromtimestamp(moment, UTC).replace(tzinfo=None).isoformat() == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-13-01",
        "2026-02-30",
        "2026-3-1",
        "01/03/2026",
        "20260301",
        "2026-03-01T25:00Z",
        "2026-03-01T10:20:30+1",
        "Sun, 01 Mar 2026 10:20:30 GMT",
        "9999-12-31T23:59:59-12:00",
        "9999-12-31",
        "0000-01-01",
        "\uff12\uff10\uff12\uff16-03-01",
        "2026-03-01T10:20:30Z" * 1000,
    ],
)
def test_anything_else_says_nothing(text: str) -> None:
    assert latest_moment(text) is None
