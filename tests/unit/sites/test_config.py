import hashlib
from datetime import date
from pathlib import Path

import pytest

from crawler.contracts.errors import Problem
from crawler.contracts.record import FieldSpec
from crawler.contracts.site.record import RecordRules
from crawler.sites.builtin_event import EVENT
from crawler.sites.config import build_rules
from tests.unit.sites.builders import parse, problems_of, site_text

DESIGN_FILE = """
site: garden-jazz
authorization: {basis: "public programme; partner agreement", approved_by: programme-desk, expires: 2027-06-30}
start: [https://garden.example/events]
collect:
  links: "article.event a[href]"
  next: "a[rel=next]"
  complete: {expected_count: "span.total", empty: ".no-events"}
access:
  representation: html
  identity: {canonical: true, selector: "h1.programme"}
  ready: {present: ["article.event"], absent: [".loading"]}
record:
  type: event
  fields: {price_min: ["jsonld:$.offers.price", "css:.price::text"]}
  fresh_for: 24h
"""

BULLETINS = """
site: bulletins
source_id: fixture:bulletins
authorization: {basis: "test fixture", approved_by: tests, expires: 2099-01-01}
start: ["http://127.0.0.1:8000/bulletins"]
access: {permit_private: ["127.0.0.1:8000"]}
record:
  type: notice
  schema_version: bulletins.v1
  each: article
  fields: {id: "xpath:./@data-id", title: "css:h2::text", published: "xpath:./@data-published"}
"""


def field_of(fields: tuple[FieldSpec, ...], name: str) -> FieldSpec:
    return next(field for field in fields if field.name == name)


def only_problem(text: str) -> Problem:
    (problem,) = problems_of(text)
    return problem


def test_a_file_with_every_section_is_read() -> None:
    config = parse(DESIGN_FILE).config

    assert config.authorization.expires == date(2027, 6, 30)
    assert config.collect.complete.expected_count == "span.total"
    assert config.access.identity.canonical is True
    assert config.access.ready.absent == (".loading",)
    assert config.record.fields == {"price_min": ("jsonld:$.offers.price", "css:.price::text")}


def test_a_page_with_several_records_and_a_private_address_is_read() -> None:
    loaded = parse(BULLETINS, "sites/bulletins.yaml")

    assert loaded.config.source_id == "fixture:bulletins"
    assert loaded.config.access.permit_private == ("127.0.0.1:8000",)
    assert loaded.config.record.fields["title"] == ("css:h2::text",)
    assert loaded.rules.record_type.schema_version == "bulletins.v1"
    assert loaded.path == "sites/bulletins.yaml"


def test_a_mostly_empty_file_takes_its_defaults_from_the_contract() -> None:
    loaded = parse(site_text())

    assert loaded.config.access.budget.attempts == 2
    assert loaded.config.access.cycle_max_age == "7d"
    assert loaded.rules.record_type == EVENT


def test_empty_sections_and_values_are_those_left_out() -> None:
    empty = site_text(collect="collect:", access="access: {delay: ~, hosts: null, ready: }")

    assert parse(empty).config == parse(site_text()).config


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("NO", "NO"),
        ("1.10", "1.10"),
        ("12:30", "12:30"),
        ("2027-06-30", "2027-06-30"),
        ("0x1F", "0x1F"),
        ("yes", "yes"),
        ("1_000", "1_000"),
        ("'null'", "null"),
        (".inf", ".inf"),
        ("=", "="),
    ],
)
def test_text_fields_take_scalars_as_they_stand(written: str, read: str) -> None:
    loaded = parse(
        site_text(
            authorization=f"authorization: {{basis: b, approved_by: {written}, expires: 2027-06-30}}",
            record=f"record: {{type: event, schema_version: {written}}}",
        )
    )

    assert loaded.config.authorization.approved_by == read
    assert loaded.rules.record_type.schema_version == read


@pytest.mark.parametrize("written", ["2027-06-30", "'2027-06-30'", '"2027-06-30"'])
def test_a_date_may_be_quoted_or_not(written: str) -> None:
    loaded = parse(
        site_text(authorization=f"authorization: {{basis: b, approved_by: d, expires: {written}}}")
    )

    assert loaded.config.authorization.expires == date(2027, 6, 30)


@pytest.mark.parametrize(
    "written",
    [
        "2027-02-29",
        "20270630",
        "2027-W26-3",
        "30.06.2027",
        "2027-06-30 00:00:00",
        "never",
        "1",
        "٢٠٢٧-٠٦-٣٠",
    ],
)
def test_any_other_date_is_refused(written: str) -> None:
    problem = only_problem(
        site_text(authorization=f"authorization: {{basis: b, approved_by: d, expires: {written}}}")
    )

    assert problem.field == "authorization.expires"
    assert problem.message == f"expected a date such as 2027-06-30, found {written!r}"


def test_numbers_are_read_as_declared() -> None:
    access = parse(
        site_text(access="access: {delay: '0.5', timeout: 5, budget: {bytes: 1000, seconds: 1e2}}")
    ).config.access

    assert (access.delay, access.timeout) == (0.5, 5.0)
    assert (access.budget.bytes, access.budget.seconds) == (1000, 100.0)


@pytest.mark.parametrize(
    ("access", "field", "message"),
    [
        ("delay: soon", "access.delay", "expected a number, found 'soon'"),
        ("delay: .inf", "access.delay", "expected a number, found '.inf'"),
        ("delay: -1", "access.delay", "expected at least 0.0, found '-1.0'"),
        ("timeout: 1e9", "access.timeout", "expected at most 600.0, found '1000000000.0'"),
        ("timeout: 0", "access.timeout", "expected more than 0.0, found '0.0'"),
        ("concurrency: 1.5", "access.concurrency", "expected a whole number, found '1.5'"),
        ("concurrency: 1_0", "access.concurrency", "expected a whole number, found '1_0'"),
        (
            "budget: {attempts: 11}",
            "access.budget.attempts",
            "expected at most 10, found '11'",
        ),
        (
            "identity: {canonical: yes}",
            "access.identity.canonical",
            "expected true or false, found 'yes'",
        ),
        (
            "identity: {title: '*'}",
            "access.identity.title",
            "expected a title such as '* | Garden Jazz', in which a * stands for any text, found '*'",
        ),
        (
            "identity: {url_part: {part: 'segment:0', selector: h1}}",
            "access.identity.url_part.part",
            "expected path, last_segment, segment:N or query:NAME, found 'segment:0'",
        ),
        (
            "identity: {url_part: {part: path, selector: h1, attribute: 'data id'}}",
            "access.identity.url_part.attribute",
            "expected the name of an attribute such as data-id, found 'data id'",
        ),
        ("scope: ''", "access.scope", "expected text that is not empty"),
        ("scope: [a]", "access.scope", "expected text, found a list"),
        (
            "representation: json",
            "access.representation",
            "expected html or rendered_dom or screenshot or auto, found 'json': collect.api says that",
        ),
        (
            "representation: pdf",
            "access.representation",
            "expected html or rendered_dom or screenshot or feed or calendar or json or sitemap",
        ),
        (
            "cycle_max_age: 3 days",
            "access.cycle_max_age",
            "expected a number with a unit (s, m, h or d) such as 12h or 7d, found '3 days'",
        ),
        ("cycle_max_age: 9999d", "access.cycle_max_age", "expected at most 3650d, found '9999d'"),
        (
            "hosts: https://a.example",
            "access.hosts",
            "expected a list, each entry an http or https URL with a host and without a user name; ",
        ),
        (
            "hosts: [https://a.example/x]",
            "access.hosts[0]",
            "expected an origin such as https://www.example.org, found 'https://a.example/x'",
        ),
        (
            "permit_private: ['127.0.0.1:80', '8.8.8.8:53']",
            "access.permit_private[1]",
            "expected host:port with localhost or a literal loopback or private address, ",
        ),
        (
            "ready: {present: ['li['], absent: a}",
            "access.ready.present[0]",
            "expected a CSS selector, found 'li['",
        ),
        ("ready: [a]", "access.ready", "expected a mapping with the keys present, absent"),
        ("readyy: {}", "access.readyy", "unknown key 'readyy'; did you mean ready?"),
        ("proxy: x", "access.proxy", "unknown key 'proxy'; expected one of accept_short"),
    ],
)
def test_a_value_that_does_not_fit_says_what_was_expected(
    access: str, field: str, message: str
) -> None:
    first, *_ = problems_of(site_text(access=f"access: {{{access}}}"))

    assert (first.line, first.field) == (5, field)
    assert first.message.startswith(message)


@pytest.mark.parametrize(
    ("record", "field", "message"),
    [
        (
            "type: evnt",
            "record.type",
            "unknown record type 'evnt'; did you mean event?",
        ),
        (
            "type: x-y",
            "record.type",
            "expected a name of lower-case letters, digits and '_', letter first, found 'x-y'",
        ),
        (
            "type: notice, fields: {titel: css:h1}",
            "record.fields.titel",
            "unknown field 'titel'; did you mean title? "
            + "notice has body_markdown, id, published, title, url",
        ),
        (
            "type: notice, required: [zone]",
            "record.required[0]",
            "unknown field 'zone'; notice has body_markdown, id, published, title, url",
        ),
        (
            "type: event, fields: {name: [css:h1, 'css:h2[']}",
            "record.fields.name[1]",
            "expected a CSS selector, found 'h2['",
        ),
        (
            "type: event, fields: {name: h1}",
            "record.fields.name",
            "expected a rule: jsonld:$.path, microdata:$.path, rdfa:$.path, ",
        ),
        (
            "type: event, fields: {name: {css: h1}}",
            "record.fields.name",
            "expected a list, each entry a rule",
        ),
        (
            "type: event, fields: [name]",
            "record.fields",
            "expected a mapping by name, found a list",
        ),
        ("type: event, reject: all", "record.reject", "expected batch or row, found 'all'"),
        ("type: event, each: 'li['", "record.each", "expected a CSS selector, found 'li['"),
        (
            "type: event, each: 'jsonld:$.['",
            "record.each",
            "expected a JSONPath (RFC 9535) such as",
        ),
        (
            "type: event, each: 'jsonld:$.x[*]', fields: {name: [jsonld:$.n, css:h2]}",
            "record.fields.name[1]",
            "expected jsonld:$.path, as the rows are jsonld:$.x[*]; found 'css:h2'",
        ),
        ("type: event, locale: german", "record.locale", "expected a language such as de"),
        ("type: event, locale: xx", "record.locale", "expected one of bg, ca, cs"),
        ("type: event, fresh_for: 99999999d", "record.fresh_for", "expected at most 3650d"),
    ],
)
def test_a_record_rule_that_does_not_fit_says_what_was_expected(
    record: str, field: str, message: str
) -> None:
    first, *_ = problems_of(site_text(record=f"record: {{{record}}}"))

    assert (first.line, first.field) == (4, field)
    assert first.message.startswith(message)


def test_a_rule_may_stand_alone_where_other_lists_may_not() -> None:
    alone = parse(site_text(record="record: {type: event, fields: {name: css:h1}}"))
    listed = parse(site_text(record="record: {type: event, fields: {name: [css:h1]}}"))

    assert alone.config == listed.config
    assert only_problem(site_text(start="start: https://garden.example/")).field == "start"


def test_a_long_rule_is_refused_even_if_it_could_be_read() -> None:
    rule = "css:" + ", ".join(["h1"] * 400)

    problem = only_problem(
        site_text(record=f"record: {{type: event, fields: {{name: ['{rule}']}}}}")
    )

    assert problem.message.startswith("expected at most 1000 characters")


@pytest.mark.parametrize("missing", ["basis", "approved_by", "expires"])
def test_each_part_of_an_authorisation_is_needed(missing: str) -> None:
    parts = {"basis": "b", "approved_by": "d", "expires": "2027-06-30"}
    given = ", ".join(f"{key}: {value}" for key, value in parts.items() if key != missing)

    problem = only_problem(site_text(authorization=f"authorization: {{{given}}}"))

    assert (problem.line, problem.field) == (2, f"authorization.{missing}")
    assert problem.message.startswith("missing; expected ")


@pytest.mark.parametrize("approved_by", ["", "~", "null"])
def test_nobody_approves_nothing(approved_by: str) -> None:
    problem = only_problem(
        site_text(
            authorization=f"""
            authorization:
              basis: b
              approved_by: {approved_by}
              expires: 2027-06-30
            """
        )
    )

    assert problem.field == "authorization.approved_by"
    assert problem.message == "missing; expected text (Who approved it.)"


@pytest.mark.parametrize("authorization", ["", "authorization:", "authorization: granted"])
def test_a_file_without_an_authorisation_is_refused(authorization: str) -> None:
    problem = only_problem(site_text(authorization=authorization))

    assert problem.field == "authorization"
    assert (
        "expected a mapping with the keys basis, approved_by, expires, purpose" in problem.message
    )


def test_an_expired_authorisation_is_no_mistake_in_the_file() -> None:
    loaded = parse(
        site_text(authorization="authorization: {basis: b, approved_by: d, expires: 2001-01-01}")
    )

    assert loaded.config.authorization.expires == date(2001, 1, 1)


def test_the_site_is_named_like_its_file() -> None:
    (problem,) = problems_of(site_text(), path="folder/other.yaml")

    assert str(problem) == (
        "folder/other.yaml:1: site: expected 'other', the stem of the file; found 'garden-jazz'"
    )


def test_all_problems_of_a_file_are_named_at_once_in_its_order() -> None:
    text = site_text(
        authorization="""
        authorization:
          basis: b
          expires: tomorrow
        """,
        start="start: [https://garden.example/, 'ftp://a/', https://u:p@a.example/]",
        collect="""
        colect: {}
        collect:
          links: a[
          max_pages: 0
        """,
        record="""
        record:
          type: event
          fields:
            nmae: css:h1
            url: xpath:nosuch()
          type: notice
        """,
    )

    assert [(problem.line, problem.field) for problem in problems_of(text)] == [
        (2, "authorization.approved_by"),
        (4, "authorization.expires"),
        (5, "start[1]"),
        (5, "start[2]"),
        (9, "record.fields.nmae"),
        (10, "record.fields.url"),
        (11, "record.type"),
        (12, "colect"),
        (14, "collect.links"),
        (15, "collect.max_pages"),
    ]


def test_a_key_given_twice_names_both_lines() -> None:
    problem = only_problem(site_text(extra="site: garden-jazz"))

    assert str(problem) == ("garden-jazz.yaml:5: site: expected each key once; given on line 1 too")


def test_a_key_with_control_characters_cannot_forge_a_line_of_output() -> None:
    problem = only_problem(site_text(extra='"x\\nok.yaml:1: \\e[2J": 1'))

    assert str(problem).isprintable()


def test_a_list_in_place_of_a_file_is_one_problem() -> None:
    problem = only_problem("- site: garden-jazz\n")

    assert problem.field == "file"
    assert problem.message.startswith("expected a mapping with the keys site, source_id")


def test_no_start_url_is_refused() -> None:
    assert only_problem(site_text(start="start: []")).message == (
        "expected at least 1 of them, found 0"
    )


def test_required_fields_and_version_of_the_site_are_applied_to_its_type() -> None:
    rules = parse(
        site_text(record="record: {type: event, schema_version: mine.v2, required: [venue]}")
    ).rules

    assert rules.record_type.schema_version == "mine.v2"
    assert field_of(rules.record_type.fields, "venue").is_required
    assert field_of(rules.record_type.fields, "name").is_required
    assert not field_of(rules.record_type.fields, "organizer").is_required


def test_the_hash_of_the_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    text = site_text()

    assert parse(text).site_hash == hashlib.sha256(text.encode()).hexdigest()
    assert parse(text + "# comment\n").site_hash != parse(text).site_hash


def test_only_the_authorisation_changes_its_hash() -> None:
    original = parse(site_text())

    reworded = parse(site_text(record="record: {type: notice}"))
    respelled = parse(
        site_text(
            authorization="authorization: {expires: '2027-06-30', approved_by: desk, basis: public}"
        )
    )
    prolonged = parse(
        site_text(
            authorization="authorization: {basis: public, approved_by: desk, expires: 2028-06-30}"
        )
    )

    assert reworded.authorization_hash == original.authorization_hash
    assert respelled.authorization_hash == original.authorization_hash
    assert prolonged.authorization_hash != original.authorization_hash


@pytest.mark.parametrize(
    "change",
    [
        {"collect": "collect: {links: a}"},
        {"access": "access: {identity: {canonical: true}}"},
        {"access": "access: {identity: {title: '* | Jazz'}}"},
        {"access": "access: {identity: {url_part: {part: path, selector: h1}}}"},
        {"access": "access: {ready: {present: [h1]}}"},
        {"record": "record: {type: notice}"},
        {"record": "record: {type: event, each: li}"},
        {"record": "record: {type: event, fields: {name: [css:h1, css:h2]}}"},
        {"record": "record: {type: event, required: [venue]}"},
        {"record": "record: {type: event, schema_version: v2}"},
    ],
)
def test_what_decides_a_reading_changes_the_rule_version(change: dict[str, str]) -> None:
    assert parse(site_text(**change)).rules.version != parse(site_text()).rules.version


@pytest.mark.parametrize(
    "change",
    [
        {"start": "start: [https://other.example/]"},
        {"access": "access: {delay: 3, budget: {attempts: 1}}"},
        {"collect": "# a comment"},
        {"source_id": "source_id: other"},
        {"record": "record: {fields: {}, type: event}"},
    ],
)
def test_what_decides_no_reading_leaves_the_rule_version(change: dict[str, str]) -> None:
    assert parse(site_text(**change)).rules.version == parse(site_text()).rules.version


def test_the_order_of_rules_is_part_of_the_version_and_the_order_of_fields_is_not() -> None:
    def version(fields: str) -> str:
        return parse(
            site_text(record=f"record: {{type: event, fields: {{{fields}}}}}")
        ).rules.version

    assert version("name: [css:h1, css:h2]") != version("name: [css:h2, css:h1]")
    assert version("name: css:h1, venue: css:p") == version("venue: css:p, name: css:h1")


def test_rules_can_be_built_without_a_file() -> None:
    rules = build_rules("garden-jazz", RecordRules(type="event"), EVENT)

    assert rules == parse(site_text()).rules
    assert len(rules.version) == 16
