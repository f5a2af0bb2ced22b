import pytest

from crawler.discovery.identity import name_items

AT = "https://hall.example"
ONE, TWO = "8f3a9c01d2e4b5a6", "0b1c2d3e4f5a6b7c"
UUID = "123e4567-e89b-12d3-a456-426614174000"


def name(*paths: str) -> list[str]:
    return name_items([AT + path for path in paths], ("utm_*",))


@pytest.mark.parametrize(
    "form",
    ["/e/{n}?key={s}", "/e/{n}?key={s}&a=b", "/s/{s}/e/{n}", "/e/{n};v={s}", "/e?id={n}&k={s}"],
)
@pytest.mark.parametrize("other", [TWO, UUID])
def test_a_session_that_all_items_share_makes_no_other_items(form: str, other: str) -> None:
    one, two = (
        name(*(form.format(n=number, s=session) for number in (1, 2))) for session in (ONE, other)
    )

    assert one == two
    assert len(set(one)) == 2


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ((f"/e/1?key={ONE}",), (f"/e/1?key={TWO}",)),
        ((f"/e?key={ONE}", f"/e?key={TWO}"), (f"/e?key={ONE}", f"/e?key={UUID}")),
        ((f"/e/1?key={ONE}", "/e/2"), (f"/e/1?key={TWO}", "/e/2")),
        (
            ("/2027-festival-of-music/1", "/2027-festival-of-music/2"),
            ("/2028-festival-of-music/1",),
        ),
        (("/e/1?page=1", "/e/2?page=1"), ("/e/1?page=2", "/e/2?page=2")),
        (("/20270101000000001/1", "/20270101000000001/2"), ("/20270201000000001/1",)),
    ],
    ids=["one item", "ids of items", "not of all", "words", "a short value", "a number"],
)
def test_what_may_tell_items_apart_is_kept(one: tuple[str, ...], two: tuple[str, ...]) -> None:
    assert set(name(*one)) != set(name(*two))
    assert all(path in url for path, url in zip(one, name(*one), strict=True))


def test_what_is_ignored_is_left_out() -> None:
    assert name("/e/1?utm_source=a", "/e/2") == [f"{AT}/e/1", f"{AT}/e/2"]
