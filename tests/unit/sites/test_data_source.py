import pytest

from tests.unit.sites.builders import parse, problems_of, site_text

RIGHT = {
    "pages of a feed": ("collect: {feed: start}", "record: {type: article}"),
    "a feed to be found": ("collect: {feed: auto, links: a.item}", "record: {type: article}"),
    "events": ("collect: {calendar: {}}", "record: {type: event}"),
    "rows": (
        'collect: {api: {rows: "$.items", param: page}}',
        'record: {type: product, fields: {name: "json:$.title"}}',
    ),
    "pages of rows": ('collect: {api: {url: "$.link"}}', "record: {type: product}"),
}
WRONG = {
    "two sources": (
        "collect: {feed: start, calendar: start}",
        "record: {type: event}",
        "collect.calendar",
        "expected one source; feed is given too",
    ),
    "selector in a feed": (
        "collect: {feed: start, next: a}",
        "record: {type: article}",
        "collect.next",
        "finds nothing: collect.feed has no web pages to select from",
    ),
    "count of elements in a response": (
        'collect: {api: {url: "$.link"}, complete: {expected_count: .total}}',
        "record: {type: product}",
        "collect.complete.expected_count",
        "finds nothing: collect.api has no web pages to select from; collect.api.total says it",
    ),
    "sign of an empty page in a feed": (
        "collect: {feed: start, complete: {empty: .none}}",
        "record: {type: article}",
        "collect.complete.empty",
        "collect.feed.may_be_empty says it",
    ),
    "unknown shorthand": (
        "collect: {feed: always}",
        "record: {type: article}",
        "collect.feed",
        "expected start or auto, found 'always'",
    ),
    "no path": (
        "collect: {api: {rows: '$.items['}}",
        "record: {type: product, fields: {name: 'json:$.a'}}",
        "collect.api.rows",
        "expected a JSONPath",
    ),
    "counting without a parameter": (
        "collect: {api: {count_by: rows}}",
        "record: {type: product, fields: {name: 'json:$.a'}}",
        "collect.api.count_by",
        "expected param beside it",
    ),
    "counting beside a token": (
        "collect: {api: {next: $.c, param: c, first: 0}}",
        "record: {type: product, fields: {name: 'json:$.a'}}",
        "collect.api.first",
        "expected no next beside it",
    ),
    "rows of a page in a calendar": (
        "collect: {calendar: start}",
        "record: {type: event, each: article}",
        "record.each",
        "the entries of collect.calendar are the records",
    ),
    "rule of another source": (
        "collect: {calendar: start}",
        "record: {type: event, fields: {name: 'css:h1'}}",
        "record.fields.name[0]",
        "finds nothing in collect.calendar; expected ical:",
    ),
    "rule without its source": (
        "collect: {feed: start}",
        "record: {type: article, fields: {headline: 'feed:title'}}",
        "record.fields.headline[0]",
        "finds nothing: collect.feed gives no records",
    ),
    "required without a rule": (
        "collect: {api: {}}",
        "record: {type: product, fields: {sku: 'json:$.a'}}",
        "record.fields",
        "name is required, and no json: rule says where it stands",
    ),
    "no property": (
        "collect: {calendar: start}",
        "record: {type: event, fields: {name: 'ical:$.SUMMARY'}}",
        "record.fields.name",
        "expected a property of an event",
    ),
    "representation": (
        "access: {representation: calendar}",
        "record: {type: event}",
        "access.representation",
        "collect.calendar says that",
    ),
}


@pytest.mark.parametrize(("collect", "record"), RIGHT.values(), ids=RIGHT)
def test_a_source_is_told_in_a_line(collect: str, record: str) -> None:
    assert parse(site_text(collect=collect, record=record)).config.collect.data_source is not None


@pytest.mark.parametrize(("collect", "record", "field", "words"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_together_is_said_at_its_place(
    collect: str, record: str, field: str, words: str
) -> None:
    (problem,) = problems_of(site_text(collect=collect, record=record))

    assert problem.field == field
    assert words in problem.message
