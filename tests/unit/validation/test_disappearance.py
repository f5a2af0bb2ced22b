import pytest

from crawler.validation.disappearance import FormerPage, has_vanished

VANISHED = {
    "its page is listed no more": FormerPage(was_listing=False, is_listed=False),
    "its page is gone": FormerPage(was_listing=False, is_listed=False, end="gone"),
    "its page says it is not there": FormerPage(was_listing=False, is_listed=False, end="soft_404"),
    "its page is without it": FormerPage(was_listing=False, is_listed=False, end="eligible"),
    "no page of the listing has it": FormerPage(was_listing=True, is_listed=False, end="eligible"),
    "the listing has fewer pages": FormerPage(was_listing=True, is_listed=False, end="gone"),
}


@pytest.mark.parametrize("page", VANISHED.values(), ids=VANISHED)
def test_a_record_has_vanished(page: FormerPage) -> None:
    assert has_vanished(page)


NOT_READ = {
    **{
        f"its page ended as {end}": FormerPage(was_listing=False, is_listed=False, end=end)
        for end in (
            "timeout_exhausted",
            "challenge_review",
            "http_status",
            "refused_robots",
            "redirected_to_seen",
            "internal_error",
            "not_modified",
        )
    },
    "its page was rejected": FormerPage(
        was_listing=False, is_listed=False, end="eligible", has_rejections=True
    ),
    "it was rejected on a listing": FormerPage(was_listing=True, is_listed=True, end="eligible"),
    "it moved to a listing and was rejected": FormerPage(was_listing=False, is_listed=True),
}


@pytest.mark.parametrize("page", NOT_READ.values(), ids=NOT_READ)
def test_a_record_that_was_only_not_read_has_not(page: FormerPage) -> None:
    assert not has_vanished(page)
