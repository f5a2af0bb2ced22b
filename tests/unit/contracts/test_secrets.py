"""What stands for a credential is hidden; everything else of a URL is as it was."""

import pytest

from crawler.contracts.secrets import mask_secrets, mask_set_cookies

CANARY = "c4n4ry"


@pytest.mark.parametrize(
    "text",
    [
        f"https://a.example/?token={CANARY}",
        f"https://a.example/p?page=2&Key={CANARY}&x=1#top",
        f"see https://a.example/?a=1;sig={CANARY} and more",
        f'{{"url": "https://a.example/?X-Amz-Signature={CANARY}"}}',
        f"https://{CANARY}@a.example/",
        f"https://user:{CANARY}@a.example/p",
        f"postgresql://crawler:{CANARY}@db.example/ledger",
    ],
)
def test_a_credential_is_hidden(text: str) -> None:
    masked = mask_secrets(text)

    assert CANARY not in masked
    assert "***" in masked
    assert "example" in masked


@pytest.mark.parametrize(
    "text",
    [
        "https://a.example/?page=2&monkey=1&tokens=3",
        "write to office@a.example",
        "key=value in running text",
        "https://a.example/p?q=a@b",
        "5 = 5",
        "",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    assert mask_secrets(text) == text


def test_two_credentials_stay_two() -> None:
    first, second = (mask_secrets(f"https://a.example/?key={n}") for n in (1, 2))

    assert first != second
    assert mask_secrets(first) == first


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"sid={CANARY}", "sid=***"),
        (f"sid={CANARY}; Path=/; HttpOnly", "sid=***; Path=/; HttpOnly"),
        (f'sid="{CANARY}=="; Secure', "sid=***; Secure"),
        (f"{CANARY}; Path=/", "***; Path=/"),
        (f"={CANARY}", "=***"),
        (f"sid=\n{CANARY}", "sid=***"),
        ("", "***"),
    ],
)
def test_a_cookie_that_is_set_shows_its_name_and_attributes(value: str, expected: str) -> None:
    headers = (("Server", "a=b; c"), ("set-cookie", value), ("Set-Cookie", value))

    assert mask_set_cookies(headers) == (
        ("Server", "a=b; c"),
        ("set-cookie", expected),
        ("Set-Cookie", expected),
    )
