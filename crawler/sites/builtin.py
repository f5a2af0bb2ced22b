"""The record types that need no file: what an event and a notice are, and where they stand."""

from crawler.contracts.record import FieldKind, FieldSpec, RecordType

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
            rules=("jsonld:$.name", "jsonld:$.headline"),
        ),
        FieldSpec(
            "starts_at",
            FieldKind.DATE,
            doc="When the event begins, in the local time of the venue unless an offset is given.",
            is_required=True,
            rules=("jsonld:$.startDate", "jsonld:$.eventSchedule.startDate"),
        ),
        FieldSpec(
            "ends_at",
            FieldKind.DATE,
            doc="When the event is over, read like starts_at.",
            rules=("jsonld:$.endDate", "jsonld:$.eventSchedule.endDate"),
        ),
        FieldSpec(
            "venue",
            doc="Name of the place, or of the platform of an online event.",
            rules=("jsonld:$.location.name", "jsonld:$.location"),
        ),
        FieldSpec(
            "address",
            doc="Postal address of the place, as far as it is given.",
            rules=("jsonld:$.location.address", "jsonld:$.location.streetAddress"),
        ),
        FieldSpec(
            "price_min",
            FieldKind.NUMBER,
            doc="Lowest price of a ticket, in the currency named beside it.",
            rules=(
                "jsonld:$.offers.lowPrice",
                "jsonld:$.offers.price",
                "jsonld:$.offers.priceSpecification.minPrice",
                "jsonld:$.offers.priceSpecification.price",
            ),
        ),
        FieldSpec(
            "price_max",
            FieldKind.NUMBER,
            doc="Highest price of a ticket; the lowest one where only one is named.",
            rules=(
                "jsonld:$.offers.highPrice",
                "jsonld:$.offers.price",
                "jsonld:$.offers.priceSpecification.maxPrice",
                "jsonld:$.offers.priceSpecification.price",
            ),
        ),
        FieldSpec(
            "currency",
            doc="ISO 4217 code of the prices, as the page states it.",
            rules=(
                "jsonld:$.offers.priceCurrency",
                "jsonld:$.offers.priceSpecification.priceCurrency",
            ),
        ),
        FieldSpec(
            "status",
            doc="Whether the event is scheduled, postponed, cancelled or moved online.",
            rules=("jsonld:$.eventStatus",),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page about this one event.",
            rules=("jsonld:$.url", "page:url"),
        ),
        FieldSpec(
            "image",
            FieldKind.IMAGE,
            doc="A picture that stands for the event.",
            rules=("jsonld:$.image.url", "jsonld:$.image.contentUrl", "jsonld:$.image"),
        ),
        FieldSpec(
            "description",
            doc="What the organiser says of the event.",
            rules=("jsonld:$.description",),
        ),
        FieldSpec(
            "organizer",
            doc="Who holds the event.",
            rules=("jsonld:$.organizer.name", "jsonld:$.organizer"),
        ),
    ),
)

NOTICE = RecordType(
    name="notice",
    schema_version="notice.v1",
    doc="Something that an office or organisation makes known to the public.",
    schema_types=(
        "SpecialAnnouncement",
        "Article",
        "NewsArticle",
        "ReportageNewsArticle",
        "BackgroundNewsArticle",
        "Report",
        "BlogPosting",
        "LiveBlogPosting",
    ),
    key=("id",),
    fields=(
        FieldSpec(
            "id",
            doc="What the publisher calls the notice; stays when its text is corrected.",
            is_required=True,
            rules=("jsonld:$.identifier.value", "jsonld:$.identifier", "jsonld:$['@id']"),
        ),
        FieldSpec(
            "title",
            doc="The heading of the notice.",
            is_required=True,
            rules=("jsonld:$.headline", "jsonld:$.name"),
        ),
        FieldSpec(
            "published",
            FieldKind.DATE,
            doc="When the notice was first made public; no correction, no coming into force.",
            is_required=True,
            rules=("jsonld:$.datePublished", "jsonld:$.datePosted"),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page of this one notice.",
            rules=("jsonld:$.url", "jsonld:$.mainEntityOfPage['@id']", "page:url"),
        ),
    ),
)

BUILT_IN = {record_type.name: record_type for record_type in (EVENT, NOTICE)}
