from dataclasses import replace

from crawler.contracts.site.collect import Collect
from crawler.contracts.site.record import RecordRules
from crawler.sites.builtin_event import EVENT
from crawler.sites.hashing import hash_json, hash_rules


def test_one_value_has_one_hash_whatever_the_order_of_its_keys() -> None:
    assert hash_json({"a": 1, "b": "ü"}) == hash_json({"b": "ü", "a": 1})
    assert hash_json({"a": [1, 2]}) != hash_json({"a": [2, 1]})


def test_the_hash_of_a_known_value_is_that_of_its_canonical_spelling() -> None:
    # sha256 of {"a":"ü","b":[1,null]} in UTF-8
    assert hash_json({"b": [1, None], "a": "ü"}) == (
        "5ddd266d13a5e8cdcca4c2007bb2032c5c319ab15de36c670f395fe8765fc949"
    )


def test_a_better_description_of_a_field_is_no_new_rule() -> None:
    sections = {"collect": Collect(), "record": RecordRules(type="event")}
    described = replace(
        EVENT, doc="other", fields=(replace(EVENT.fields[0], doc="other"), *EVENT.fields[1:])
    )
    changed = replace(EVENT, fields=(replace(EVENT.fields[0], rules=()), *EVENT.fields[1:]))

    assert hash_rules(described, **sections) == hash_rules(EVENT, **sections)
    assert hash_rules(changed, **sections) != hash_rules(EVENT, **sections)
