"""What a product is, and where its values stand."""

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.sites.builtin_rules import OF_PAGE, schema

PRODUCT = RecordType(
    name="product",
    schema_version="product.v1",
    doc="Something that is sold.",
    schema_types=(
        "Product",
        "ProductGroup",
        "ProductModel",
        "IndividualProduct",
        "SomeProducts",
        "DietarySupplement",
        "Drug",
        "Vehicle",
        "Car",
        "Motorcycle",
        "MotorizedBicycle",
        "BusOrCoach",
    ),
    key=("url",),
    fields=(
        FieldSpec(
            "name",
            doc="What the product is called.",
            is_required=True,
            rules=(*schema("$.name"), "plugin:$.name", "page:heading", "opengraph:og:title"),
        ),
        FieldSpec(
            "price",
            FieldKind.PRICE,
            doc="What one pays now; neither a range nor the price before a sale.",
            rules=(
                *schema(
                    "$.offers.price",
                    "$.offers.priceSpecification.price",
                    "$.offers.offers.price",
                    "$.offers['lowPrice','highPrice']",
                ),
                "opengraph:product:price:amount",
                "opengraph:og:price:amount",
                "microformats:$.price",
                "html:price",
            ),
        ),
        FieldSpec(
            "price_min",
            FieldKind.PRICE_MIN,
            doc="The least that one pays, where its variants or sellers ask different prices.",
            rules=schema("$.offers.lowPrice"),
        ),
        FieldSpec(
            "price_max",
            FieldKind.PRICE_MAX,
            doc="The most that one pays, where its variants or sellers ask different prices.",
            rules=schema("$.offers.highPrice"),
        ),
        FieldSpec(
            "currency",
            FieldKind.CURRENCY,
            doc="ISO 4217 code of the price.",
            rules=(
                *schema(
                    "$.offers.priceCurrency",
                    "$.offers.priceSpecification.priceCurrency",
                    "$.offers.offers.priceCurrency",
                ),
                "opengraph:product:price:currency",
                "opengraph:og:price:currency",
                "html:currency",
                "html:price",
            ),
        ),
        FieldSpec(
            "availability",
            FieldKind.AVAILABILITY,
            doc="Whether it can be bought: in_stock, out_of_stock, pre_order and so on.",
            rules=(
                *schema("$.offers.availability", "$.offers.offers.availability"),
                "plugin:$.availability",
                "opengraph:product:availability",
                "opengraph:og:availability",
                "html:availability",
            ),
        ),
        FieldSpec(
            "sku",
            doc="What the seller calls it.",
            rules=(*schema("$.sku", "$.offers.sku"), "plugin:$.sku", "html:sku", "label:sku"),
        ),
        FieldSpec(
            "gtin",
            FieldKind.GTIN,
            doc="Global article number (GTIN, EAN, UPC, ISBN-13) whose check digit is right.",
            rules=schema(
                "$.gtin13",
                "$.gtin12",
                "$.gtin14",
                "$.gtin8",
                "$.gtin",
                "$.offers.gtin13",
                "$.offers.gtin12",
                "$.offers.gtin14",
                "$.offers.gtin8",
                "$.offers.gtin",
                "$.isbn",
            ),
        ),
        FieldSpec(
            "brand",
            doc="Who makes it, or under which name it is sold.",
            rules=(
                *schema("$.brand.name", "$.brand"),
                "opengraph:product:brand",
                "opengraph:og:brand",
                "label:brand",
            ),
        ),
        FieldSpec(
            "rating",
            FieldKind.RATING,
            doc="Mean of the votes, on the scale of the page.",
            rules=(*schema("$.aggregateRating.ratingValue"), "plugin:$.ratingValue", "html:rating"),
        ),
        FieldSpec(
            "review_count",
            FieldKind.COUNT,
            doc="How many reviews there are; how many votes where only those are counted.",
            rules=(
                *schema("$.aggregateRating.reviewCount", "$.aggregateRating.ratingCount"),
                "plugin:$.reviewCount",
                "html:review count",
            ),
        ),
        FieldSpec(
            "image",
            FieldKind.IMAGE,
            doc="A picture of the product.",
            rules=(*schema("$.image"), "opengraph:og:image"),
        ),
        FieldSpec(
            "description",
            FieldKind.PROSE,
            doc="What the seller says of it.",
            rules=(*schema("$.description"), "opengraph:og:description", "meta:description"),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page of this one product.",
            rules=(*schema("$.url", OF_PAGE), "page:url"),
        ),
    ),
)
