import pytest
from pydantic import JsonValue

from crawler.contracts.site.collect import Collect
from crawler.contracts.snapshot import Representation
from crawler.document.data import Data, Flaw
from crawler.document.open_data import open_data
from tests.unit.document.pages import make_snapshot

OWN_ZONE = (
    "BEGIN:VTIMEZONE\r\nTZID:Own\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
    "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0330\r\n{}END:STANDARD\r\nEND:VTIMEZONE\r\n"
)


def read(body: str | bytes, content_type: str = "text/calendar") -> Data:
    snapshot = make_snapshot(
        body,
        headers=(("Content-Type", content_type),),
        representation=Representation.CALENDAR,
    )
    return open_data(snapshot, Collect())


def calendar(*lines: str, before: str = "") -> str:
    inner = "\r\n".join(("BEGIN:VEVENT", *lines, "END:VEVENT"))
    return f"BEGIN:VCALENDAR\r\n{before}{inner}\r\nEND:VCALENDAR\r\n"


def values(*lines: str, before: str = "") -> dict[str, JsonValue]:
    (entry,) = read(calendar(*lines, before=before)).entries
    assert isinstance(entry.node.value, dict)
    return entry.node.value


VALUES: dict[str, tuple[tuple[str, ...], str, JsonValue]] = {
    "universal time": (("DTSTART:20260303T180000Z",), "DTSTART", "2026-03-03T18:00:00Z"),
    "local time": (("DTSTART:20260303T180000",), "DTSTART", "2026-03-03T18:00:00"),
    "winter": (
        ("DTSTART;TZID=America/New_York:20260303T180000",),
        "DTSTART",
        "2026-03-03T18:00:00-05:00",
    ),
    "summer": (
        ("DTSTART;TZID=America/New_York:20260703T180000",),
        "DTSTART",
        "2026-07-03T18:00:00-04:00",
    ),
    "zone as Windows names it": (
        ("DTSTART;TZID=W. Europe Standard Time:20260303T180000",),
        "DTSTART",
        "2026-03-03T18:00:00+01:00",
    ),
    "zone nobody knows": (
        ('DTSTART;TZID="tzone://Microsoft/Custom":20260303T180000',),
        "DTSTART",
        "2026-03-03T18:00:00",
    ),
    "a folder of the zones": (
        ("DTSTART;TZID=America:20260303T180000",),
        "DTSTART",
        "2026-03-03T18:00:00",
    ),
    "a day": (("DTSTART;VALUE=DATE:20260303",), "DTSTART", "2026-03-03"),
    "no such day": (("DTSTART;VALUE=DATE:20260230",), "DTSTART", "20260230"),
    "last of several days": (
        ("DTSTART;VALUE=DATE:20260703", "DTEND;VALUE=DATE:20260706"),
        "DTEND",
        "2026-07-05",
    ),
    "end on the day of the start": (
        ("DTSTART;VALUE=DATE:20260703", "DTEND;VALUE=DATE:20260703"),
        "DTEND",
        "2026-07-03",
    ),
    "end in the first year": (
        ("DTSTART;VALUE=DATE:20260703", "DTEND;VALUE=DATE:00010101"),
        "DTEND",
        "2026-07-03",
    ),
    "duration over a change of the clock": (
        ("DTSTART;TZID=Europe/Berlin:20260329T010000", "DURATION:PT2H"),
        "DTEND",
        "2026-03-29T04:00:00+02:00",
    ),
    "days over a change of the clock": (
        ("DTSTART;TZID=Europe/Berlin:20260328T180000", "DURATION:P1D"),
        "DTEND",
        "2026-03-29T18:00:00+02:00",
    ),
    "duration beyond all years": (
        ("DTSTART;VALUE=DATE:99991231", "DURATION:P9999W"),
        "DTEND",
        None,
    ),
    "no end": (("DTSTART:20260303T180000Z",), "DTEND", None),
    "folded": (("SUMMARY:Coun\r\n cil\r\n\t meets",), "SUMMARY", "Council meets"),
    "escaped": (("SUMMARY:a\\, b\\; c\\nd \\\\n",), "SUMMARY", "a, b; c\nd \\n"),
    "address": (("URL:https://a.example/?a=1,2",), "URL", "https://a.example/?a=1,2"),
    "colon in a parameter": (
        ('ORGANIZER;CN="Office: culture":mailto:a@a.example',),
        "ORGANIZER;CN",
        "Office: culture",
    ),
    "list": (("CATEGORIES:A,B\\, C",), "CATEGORIES", ["A", "B, C"]),
    "said twice": (("COMMENT:a", "COMMENT:b"), "COMMENT", ["a", "b"]),
    "rule as it stands": (
        ("RRULE:FREQ=WEEKLY;BYDAY=MO,TU",),
        "RRULE",
        "FREQ=WEEKLY;BYDAY=MO,TU",
    ),
    "inside an alarm": (
        ("BEGIN:VALARM", "DESCRIPTION:Wake up", "END:VALARM"),
        "DESCRIPTION",
        None,
    ),
    "lower case": (("summary:a",), "SUMMARY", "a"),
}


@pytest.mark.parametrize(("lines", "name", "expected"), VALUES.values(), ids=VALUES)
def test_a_property_is_read_to_the_letter(
    lines: tuple[str, ...], name: str, expected: JsonValue
) -> None:
    assert values(*lines).get(name) == expected


def test_a_zone_of_the_calendar_is_known_to_this_calendar_alone() -> None:
    line = "DTSTART;TZID=Own:20260303T180000"

    assert values(line, before=OWN_ZONE.format(""))["DTSTART"] == "2026-03-03T18:00:00+03:30"
    assert values(line)["DTSTART"] == "2026-03-03T18:00:00"


def test_a_zone_whose_rule_never_ends_is_refused() -> None:
    zone = OWN_ZONE.format("RRULE:FREQ=SECONDLY\r\n")

    assert values("DTSTART;TZID=Own:20260303T180000", before=zone)["DTSTART"] == (
        "2026-03-03T18:00:00"
    )


def test_an_instance_of_a_recurring_event_has_an_id_of_its_own() -> None:
    data = read(
        calendar("UID:a", "RRULE:FREQ=DAILY").removesuffix("END:VCALENDAR\r\n")
        + calendar("UID:a", "RECURRENCE-ID:20260303T180000Z").removeprefix("BEGIN:VCALENDAR\r\n")
    )

    assert [entry.id for entry in data.entries] == ["a", "a/2026-03-03T18:00:00Z"]
    assert data.notes == ("1 recurring events are given once, with their rule",)


def test_a_value_has_the_bytes_of_its_line() -> None:
    body = calendar("SUMMARY:Café\r\n  meets", "DTSTART:20260303T180000Z").encode()
    data = read(body)

    spans = {name: data.spans.get(("VEVENT", 0, name)) for name in ("SUMMARY", "DTSTART")}
    assert {name: body[slice(*span)] for name, span in spans.items() if span} == {
        "SUMMARY": "SUMMARY:Café\r\n  meets".encode(),
        "DTSTART": b"DTSTART:20260303T180000Z",
    }


@pytest.mark.parametrize(
    ("encoding", "content_type"),
    [
        ("utf-8", "text/calendar; charset=iso-8859-1"),
        ("cp1252", "text/calendar; charset=iso-8859-1"),
        ("utf-16", "text/calendar"),
        ("utf-8-sig", "text/calendar"),
    ],
)
def test_text_is_read_whatever_charset_is_claimed(encoding: str, content_type: str) -> None:
    (entry,) = read(calendar("SUMMARY:Café").encode(encoding), content_type).entries

    assert isinstance(entry.node.value, dict)
    assert entry.node.value["SUMMARY"] == "Café"


def test_a_fold_inside_a_character_is_undone() -> None:
    body = calendar("SUMMARY:Caf@").encode().replace(b"@", b"\xc3\r\n \xa9")
    (entry,) = read(body).entries

    assert isinstance(entry.node.value, dict)
    assert entry.node.value["SUMMARY"] == "Café"


FLAWS = {
    "cut": (calendar("SUMMARY:a").removesuffix("END:VCALENDAR\r\n"), Flaw.CUT),
    "event without an end": (
        calendar("SUMMARY:a", "BEGIN:VEVENT", "SUMMARY:b"),
        Flaw.BROKEN,
    ),
    "end of nothing": (calendar("END:VALARM"), Flaw.BROKEN),
    "too deep": (calendar(*["BEGIN:X"] * 100), Flaw.BROKEN),
}


@pytest.mark.parametrize(("body", "flaw"), FLAWS.values(), ids=FLAWS)
def test_a_calendar_that_is_not_whole_gives_no_events(body: str, flaw: Flaw) -> None:
    data = read(body)

    assert (data.flaw, data.entries) == (flaw, ())
    assert data.problem
