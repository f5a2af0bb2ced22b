from crawler.contracts.site.access import Ready, Step
from crawler.engine.conditions import conditions_of, describe, is_named, step_argument

READY = Ready(
    present=("a",),
    absent=("b",),
    count={"c": 3},
    text=("All\n here",),
    marker="app.done",
    dom_quiet=0.5,
    network_quiet=1,
)


def test_a_browser_is_asked_for_everything_that_it_can_see() -> None:
    assert conditions_of(READY) == {
        "count": [("a", 1), ("c", 3)],
        "absent": ["b"],
        "text": ["All here"],
        "marker": "app.done",
        "quiet": 500.0,
        "loaded": False,
    }


def test_where_nothing_is_named_the_page_must_have_loaded_and_be_quiet() -> None:
    assert not is_named(Ready())
    conditions = conditions_of(Ready())
    assert (conditions["loaded"], conditions["quiet"]) == (True, 500.0)


def test_every_condition_is_put_into_words() -> None:
    assert describe(READY) == (
        "a: present",
        "b: absent",
        "c: at least 3",
        "text 'All\\n here': shown",
        "app.done: set",
        "document unchanged for 0.5 s",
        "nothing loading for 1 s",
    )
    assert describe(Ready()) == ()


def test_steps_end_early_only_for_what_grows() -> None:
    step = Step(scroll="html", until=".end")

    assert step_argument(step, Ready(present=("a",)))["isBounded"] is False
    assert step_argument(step, Ready(count={"a": 2}))["isBounded"] is True
    assert step_argument(step, Ready())["patience"] == 5000
