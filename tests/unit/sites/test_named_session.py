import pytest

from tests.unit.sites.builders import parse, problems_of, site_text


@pytest.mark.parametrize(
    ("written", "name", "signed_out"),
    [
        ("members", "members", None),
        ("{name: members}", "members", None),
        ("{name: board-2, signed_out: a.sign-in}", "board-2", "a.sign-in"),
    ],
)
def test_a_session_is_named_alone_or_with_more(
    written: str, name: str, signed_out: str | None
) -> None:
    site = parse(site_text(access=f"access: {{session: {written}}}"))

    session = site.config.access.session
    assert session is not None
    assert (session.name, session.signed_out) == (name, signed_out)
    assert site.rules.signed_out == signed_out


def test_only_what_decides_a_reading_makes_another_version_of_the_rules() -> None:
    plain = parse(site_text()).rules.version
    named = parse(site_text(access="access: {session: members}")).rules.version
    told = parse(site_text(access="access: {session: {name: m, signed_out: a}}")).rules.version

    assert plain == named != told


FAULTS = [
    ("Members", "access.session.name", "expected a name of at most 64 lower-case letters"),
    ("../x", "access.session.name", "expected a name of at most 64 lower-case letters"),
    ("a" * 65, "access.session.name", "expected a name of at most 64 lower-case letters"),
    ("[members]", "access.session", "expected a mapping with the keys name, signed_out"),
    ("{signed_out: a}", "access.session.name", "missing; expected text"),
    ("{name: m, signed_out: 'a['}", "access.session.signed_out", "expected a CSS selector"),
    ("{name: m, sign_out: a}", "access.session.sign_out", "did you mean signed_out?"),
    ("{name: m, password: x}", "access.session.password", "unknown key 'password'"),
]


@pytest.mark.parametrize(("written", "field", "message"), FAULTS)
def test_a_mistake_is_reported_where_it_stands(written: str, field: str, message: str) -> None:
    text = site_text(access=f"access:\n  delay: 1\n  session: {written}")

    (problem,) = problems_of(text)

    assert (problem.field, problem.line) == (
        field,
        text.splitlines().index(f"  session: {written}") + 1,
    )
    assert message in problem.message
