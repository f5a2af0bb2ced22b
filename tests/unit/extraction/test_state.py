import json

import pytest
from pydantic import JsonValue

from crawler.document.document import Document
from crawler.extraction.state import read_state
from tests.unit.document.pages import make_snapshot


def read(body: str, name: str = "__STATE__") -> JsonValue:
    state = read_state(Document(make_snapshot(body)), name)
    return None if state is None else state.value


VALUE: JsonValue = {"product": {"name": "Lamp </b>", "price": 5}}
TEXT = json.dumps(VALUE)
STATES = {
    "assigned to window": f"<script>window.__STATE__ = {TEXT};</script>",
    "by name in brackets": f'<script>window["__STATE__"]={TEXT}</script>',
    "variable": f"<script>var x=1; const __STATE__ = {TEXT}\n;run()</script>",
    "minified": f"<script>a=1,window.__STATE__={TEXT},b=2</script>",
    "parsed from a string": f"<script>window.__STATE__ = JSON.parse({json.dumps(TEXT)});</script>",
    "script with an id": f'<script id="__STATE__" type="application/json">{TEXT}</script>',
    "second script of two": (
        f"<script>window.__STATE__ = build();</script><script>__STATE__={TEXT}</script>"
    ),
}


@pytest.mark.parametrize("body", STATES.values(), ids=STATES)
def test_a_state_is_read_wherever_the_page_keeps_it(body: str) -> None:
    assert read(body) == VALUE


NO_STATES = {
    "another name": f"<script>window.__STATE__2 = {TEXT};</script>",
    "the end of a longer name": f"<script>window.MY__STATE__ = {TEXT};</script>",
    "compared, not assigned": f"<script>if (__STATE__ == {TEXT}) run()</script>",
    "built by a program": "<script>window.__STATE__ = (function(a){return {a:a}})(1)</script>",
    "no JSON": "<script>window.__STATE__ = {name: 'Lamp'}</script>",
    "a bare value": "<script>window.__STATE__ = 5</script>",
    "cut off": '<script>window.__STATE__ = {"a": 1</script>',
    "text of the page": f"<p>window.__STATE__ = {TEXT}</p>",
    "in a comment": f"<!--<script>window.__STATE__ = {TEXT}</script>-->",
    "too deep": f"<script>window.__STATE__ = {'[' * 5000}{']' * 5000}</script>",
}


@pytest.mark.parametrize("body", NO_STATES.values(), ids=NO_STATES)
def test_what_is_no_json_under_that_name_is_left_unread(body: str) -> None:
    assert read(body) is None


def test_undefined_is_read_as_null_outside_of_text_and_said() -> None:
    body = '<script>__STATE__={"a":undefined,"b":"undefined"}</script>'

    state = read_state(Document(make_snapshot(body)), "__STATE__")

    assert state is not None
    assert state.value == {"a": None, "b": "undefined"}
    assert state.repairs == ("undefined read as null",)


def test_a_nuxt_payload_is_put_together_from_its_list() -> None:
    flat = [
        ["Reactive", 1],
        {"data": 2},
        {"name": 3, "tags": 4, "at": 6},
        "Lamp",
        [3, 5],
        "b",
        ["Date", "2026-01-01"],
    ]
    body = f'<script id="__NUXT_DATA__">{json.dumps(flat)}</script>'

    assert read(body, "__NUXT_DATA__") == {
        "data": {"name": "Lamp", "tags": ["Lamp", "b"], "at": "2026-01-01"}
    }


def test_a_payload_that_holds_itself_ends() -> None:
    body = f'<script id="__NUXT_DATA__">{json.dumps([{"self": 0}])}</script>'

    assert "self" in str(read(body, "__NUXT_DATA__"))


def test_a_payload_that_doubles_itself_is_cut() -> None:
    flat = [[index + 1, index + 1] for index in range(50)] + ["end"]
    body = f'<script id="__NUXT_DATA__">{json.dumps(flat)}</script>'

    assert isinstance(read(body, "__NUXT_DATA__"), list)
