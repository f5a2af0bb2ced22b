"""What an event is, and where its values stand."""

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.sites.builtin_rules import IMAGES, schema

REAL_PLACE = "$.location[?@['@type']!='VirtualLocation']"

EVENT = RecordType(
    name="event",
    schema_version="event.v1",
    doc="Something that takes place somewhere at a stated time, and that one can attend.",
    # schema.org's Event and its subtypes, without those that nobody attends: DeliveryEvent,
    # PublicationEvent (BroadcastEvent, OnDemandEvent) and the retired UserInteraction.
    schema_types=(
        "Event",
        "BusinessEvent",
        "ChildrensEvent",
        "ComedyEvent",
        "ConferenceEvent",
        "CourseInstance",
        "DanceEvent",
        "EducationEvent",
        "EventSeries",
        "ExhibitionEvent",
        "Festival",
        "FoodEvent",
        "Hackathon",
        "LiteraryEvent",
        "MusicEvent",
        "PerformingArtsEvent",
        "SaleEvent",
        "ScreeningEvent",
        "SocialEvent",
        "SportsEvent",
        "TheaterEvent",
        "VisualArtsEvent",
    ),
    key=("url",),
    fields=(
        FieldSpec(
            "name",
            doc="What the event is called.",
            is_required=True,
            rules=(
                *schema("$.name", "$.headline"),
                "plugin:$.name",
                "page:heading",
                "opengraph:og:title",
                "label:title",
                "ical:SUMMARY",
                "feed:title",
            ),
        ),
        FieldSpec(
            "starts_at",
            FieldKind.DATE,
            doc="When the event begins, in the local time of the venue unless an offset is given.",
            is_required=True,
            rules=(
                *schema("$.startDate", "$.eventSchedule.startDate"),
                "plugin:$.startTime",
                "plugin:$.startDate",
                "html:starts",
                "label:date",
                "html:time",
                "ical:DTSTART",
                "feed:ev_startdate",
            ),
        ),
        FieldSpec(
            "ends_at",
            FieldKind.DATE,
            doc="When the event is over, read like starts_at.",
            rules=(
                *schema("$.endDate", "$.eventSchedule.endDate"),
                "plugin:$.endDate",
                "html:ends",
                "label:end date",
                "ical:DTEND",
                "feed:ev_enddate",
            ),
        ),
        FieldSpec(
            "venue",
            FieldKind.PLACE,
            doc="Name of the place, or of the platform of an online event.",
            rules=(
                *schema(f"{REAL_PLACE}.name", "$.location.name", "$.location"),
                "plugin:$.location",
                "label:venue",
                "ical:LOCATION",
                "feed:ev_location",
            ),
        ),
        FieldSpec(
            "address",
            FieldKind.PLACE,
            doc="Postal address of the place, as far as it is given.",
            rules=(
                *schema(
                    f"{REAL_PLACE}.address",
                    "$.location[?@['@type']=='PostalAddress']",
                    "$.location.streetAddress",
                ),
                "plugin:$.address",
            ),
        ),
        FieldSpec(
            "online_url",
            FieldKind.URL,
            doc="Where to attend online, where the event has such a place.",
            rules=schema("$.location[?@['@type']=='VirtualLocation'].url"),
        ),
        FieldSpec(
            "price_min",
            FieldKind.PRICE_MIN,
            doc="Lowest price of a ticket, in the currency named beside it.",
            rules=schema(
                "$.offers.lowPrice",
                "$.offers.price",
                "$.offers.priceSpecification.minPrice",
                "$.offers.priceSpecification.price",
            ),
        ),
        FieldSpec(
            "price_max",
            FieldKind.PRICE_MAX,
            doc="Highest price of a ticket; the lowest one where only one is named.",
            rules=schema(
                "$.offers.highPrice",
                "$.offers.price",
                "$.offers.priceSpecification.maxPrice",
                "$.offers.priceSpecification.price",
            ),
        ),
        FieldSpec(
            "currency",
            FieldKind.CURRENCY,
            doc="ISO 4217 code of the prices.",
            rules=(
                *schema("$.offers.priceCurrency", "$.offers.priceSpecification.priceCurrency"),
                *schema("$.offers.price"),
            ),
        ),
        FieldSpec(
            "status",
            FieldKind.STATUS,
            doc="Whether the event is scheduled, postponed, cancelled or moved online.",
            rules=(*schema("$.eventStatus"), "ical:STATUS"),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page about this one event.",
            rules=(*schema("$.url"), "page:url", "ical:URL", "feed:link"),
        ),
        FieldSpec(
            "image",
            FieldKind.IMAGE,
            doc="A picture that stands for the event.",
            rules=(*schema("$.image"), *IMAGES, "ical:IMAGE", "feed:image"),
        ),
        FieldSpec(
            "description",
            FieldKind.PROSE,
            doc="What the organiser says of the event.",
            rules=(
                *schema("$.description"),
                "opengraph:og:description",
                "ical:DESCRIPTION",
                "feed:summary",
            ),
        ),
        FieldSpec(
            "organizer",
            doc="Who holds the event.",
            rules=(
                *schema("$.organizer.name", "$.organizer"),
                "plugin:$.organizer",
                "ical:ORGANIZER;CN",
                "feed:ev_organizer",
            ),
        ),
    ),
)
