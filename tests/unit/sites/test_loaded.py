import pytest

from tests.unit.sites.builders import parse, problems_of, site_text

CAPTURE = "access: {representation: rendered_dom, capture: [/api/*]}"
REST = "title: 'json:$.b', published: 'json:$.c'"
ROWS = (
    f"record: {{type: notice, each: 'loaded:/api/* $.rows[*]', fields: {{id: 'json:$.a', {REST}}}}}"
)
RIGHT = {
    "links": (
        f"collect: {{links: 'loaded:$.a', next: 'loaded:/api/* $.n'}}\n{CAPTURE}",
        "record: {type: event}",
    ),
    "rows": (CAPTURE, ROWS),
    "rows of everything": (CAPTURE, ROWS.replace("/api/* ", "")),
    "a field": (CAPTURE, "record: {type: event, fields: {name: 'loaded:$.name'}}"),
    "a field of one address": (
        CAPTURE,
        "record: {type: event, fields: {name: ['css:h1', 'loaded:/api/* $.a']}}",
    ),
    "a field of the site's own address": (
        CAPTURE,
        "record: {type: event, fields: {name: 'loaded:https://garden.example/api/* $.a'}}",
    ),
    "something to wait for": (
        "access: {representation: rendered_dom, capture: /api/*, ready: {loaded: /api/<int>}}",
        "record: {type: event}",
    ),
    "kept and not read": (CAPTURE, "record: {type: event}"),
}
WRONG = {
    "links that are not kept": (
        "collect: {links: 'loaded:$.a', next: a}\naccess: {representation: rendered_dom}",
        "record: {type: event}",
        "collect.links",
        "finds nothing: access.capture says which responses are kept",
    ),
    "a count that is not kept": (
        "collect: {complete: {expected_count: 'loaded:$.n'}}",
        "record: {type: event}",
        "collect.complete.expected_count",
        "finds nothing: access.capture says which responses are kept",
    ),
    "something to wait for that is not kept": (
        "access: {representation: rendered_dom, ready: {loaded: /api}}",
        "record: {type: event}",
        "access.ready.loaded",
        "finds nothing: access.capture says which responses are kept",
    ),
    "a field of an address that is not kept": (
        CAPTURE,
        "record: {type: event, fields: {name: ['css:h1', 'loaded:/data/* $.a']}}",
        "record.fields.name[1]",
        "finds nothing: no pattern of access.capture fits what /data/* fits",
    ),
    "links of a host that is not the site's": (
        "collect: {links: 'loaded:https://api.example/api/* $.a'}\n" + CAPTURE,
        "record: {type: event}",
        "collect.links",
        "finds nothing: no pattern of access.capture fits what https://api.example/api/* fits",
    ),
    "something to wait for at another address": (
        "access: {representation: rendered_dom, capture: /api/*, ready: {loaded: [/api/*, /v2/*]}}",
        "record: {type: event}",
        "access.ready.loaded",
        "finds nothing: no pattern of access.capture fits what /v2/* fits",
    ),
    "links without a path": (
        f"collect: {{links: 'loaded:/api'}}\n{CAPTURE}",
        "record: {type: event}",
        "collect.links",
        "expected loaded:$.path or loaded:/url/pattern $.path",
    ),
    "rows that are not kept": (
        "access: {representation: rendered_dom}",
        ROWS,
        "record.each",
        "finds nothing: access.capture says which responses are kept",
    ),
    "a field that is not kept": (
        "",
        "record: {type: event, fields: {name: 'loaded:$.a'}}",
        "record.fields.name[0]",
        "finds nothing: access.capture says which responses are kept",
    ),
    "no path": (
        CAPTURE,
        ROWS.replace(" $.rows[*]", ""),
        "record.each",
        "expected loaded:$.path or loaded:/url/pattern $.path",
    ),
    "a path that is none": (
        CAPTURE,
        ROWS.replace("$.rows[*]", "$.rows["),
        "record.each",
        "expected a JSONPath",
    ),
    "a pattern that is none": (
        CAPTURE,
        "record: {type: event, fields: {name: 'loaded:api $.a'}}",
        "record.fields.name",
        "expected a URL pattern such as",
    ),
    "a selector in rows that were loaded": (
        CAPTURE,
        ROWS.replace("json:$.a", "css:h1"),
        "record.fields.id[0]",
        "finds nothing in rows of what was loaded; expected json:$.path",
    ),
    "what was loaded in rows of the page": (
        CAPTURE,
        "record: {type: event, each: article, fields: {name: 'loaded:$.a'}}",
        "record.fields.name[0]",
        "finds nothing in rows of the page; expected a selector",
    ),
    "a required field without a rule": (
        CAPTURE,
        ROWS.replace(REST, "title: 'json:$.b'"),
        "record.fields",
        "published is required, and no json: rule says where it stands",
    ),
}


@pytest.mark.parametrize(("access", "record"), RIGHT.values(), ids=RIGHT)
def test_what_fits_together_is_read(access: str, record: str) -> None:
    site = parse(site_text(access=access, record=record))

    assert site.config.access.capture == ("/api/*",)


@pytest.mark.parametrize(("access", "record", "key", "message"), WRONG.values(), ids=WRONG)
def test_what_does_not_is_told_with_its_place(
    access: str, record: str, key: str, message: str
) -> None:
    (problem,) = problems_of(site_text(access=access, record=record))

    assert problem.field == key
    assert problem.message.startswith(message), problem.message
