import pytest
from pydantic import JsonValue

from crawler.contracts.evidence import Missing
from crawler.extraction.fields.reading import Unreadable
from crawler.extraction.fields.status import read_place, read_status
from tests.unit.extraction.fields.contexts import JSONLD, VISIBLE


@pytest.mark.parametrize(
    ("raw", "token"),
    [
        ("https://schema.org/EventScheduled", "scheduled"),
        ("EventCancelled", "cancelled"),
        ("http://schema.org/EventMovedOnline", "moved_online"),
        ("Postponed", "postponed"),
        ("Budget Committee - CANCELED", "cancelled"),
        ("CANCELLED - will be rescheduled", "cancelled"),
        ("Council meeting (postponed)", "postponed"),
        ("** Cancelled ** Planning board, cancelled", "cancelled"),
        ("http://schema.org/eventcancelled/", "cancelled"),
        ("This event has been cancelled.", "cancelled"),
        ("Meeting canceled due to weather", "cancelled"),
        ("CANCELLED Planning Board Meeting", "cancelled"),
        ("Postponed to May 12", "postponed"),
        ("Event postponed until further notice", "postponed"),
        ("Rescheduled from March 3", "rescheduled"),
        ("Moved online", "moved_online"),
        ("Die Veranstaltung ist abgesagt!", "cancelled"),
        ("ABGESAGT: Sommerfest", "cancelled"),
        ("Sommerfest (entfällt)", "cancelled"),
        ("Concert annulé", "cancelled"),
        ("Spectacle reporté au 12 mai", "postponed"),
        ("Evento cancelado", "cancelled"),
        ("Concerto rinviato", "postponed"),
        ("Inställt", "cancelled"),
    ],
)
def test_status_of_an_event_is_one_plain_word(raw: str, token: str) -> None:
    assert read_status(raw, JSONLD) == token


@pytest.mark.parametrize(
    "raw",
    [
        "not cancelled",
        "sold out",
        "https://example.com/EventCancelled",
        "Cancelled, rescheduled",  # two of them
        "cancelled-cheque workshop",
        "How we cancelled winter",
        "This event has not been cancelled",
        "cancelled planning",
        "Cancelled subscriptions",
        "A lecture on postponed gratification",
        "CANCELLED CHEQUES AND OTHER STORIES",
        "No meeting",
    ],
)
def test_an_unknown_status_is_not_guessed(raw: str) -> None:
    assert isinstance(read_status(raw, JSONLD), Unreadable)


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ("Hall A", "Hall A"),
        ("The Postponed Bar", "The Postponed Bar"),
        ("Room 3 - CANCELLED wing", "Room 3 - CANCELLED wing"),
        ({"streetAddress": "1 Main St", "addressLocality": "Ely"}, "1 Main St, Ely"),
        ("TBA Gallery", "TBA Gallery"),
    ],
    ids=str,
)
def test_a_place_is_what_it_is_called(raw: JsonValue, place: str) -> None:
    assert read_place(raw, VISIBLE) == place


@pytest.mark.parametrize(
    "raw",
    [
        "CANCELLED - will be rescheduled",
        "Cancelled",
        "** POSTPONED **",
        "Meeting cancelled due to snow",
        "Abgesagt",
        "TBA",
        "Venue: t.b.d.",
        "To be announced",
        "-",
        "",
        None,
    ],
    ids=repr,
)
def test_a_status_or_an_unknown_place_is_no_place(raw: JsonValue) -> None:
    assert read_place(raw, VISIBLE) is Missing.ABSENT
