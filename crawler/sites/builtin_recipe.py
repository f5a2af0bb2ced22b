"""What a recipe is, and where its values stand."""

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.sites.builtin_rules import IMAGES, OF_PAGE, schema

RECIPE = RecordType(
    name="recipe",
    schema_version="recipe.v1",
    doc="How a dish is made.",
    schema_types=("Recipe",),
    key=("url",),
    fields=(
        FieldSpec(
            "name",
            doc="What the dish is called.",
            is_required=True,
            rules=(
                *schema("$.name", "$.headline"),
                "plugin:$.name",
                "page:heading",
                "opengraph:og:title",
            ),
        ),
        FieldSpec(
            "authors",
            FieldKind.NAMES,
            doc="Who wrote the recipe, by name.",
            rules=(
                *schema("$.author"),
                "plugin:$.author",
                "meta:author",
                "meta:twitter:author",
                "html:author",
            ),
        ),
        FieldSpec(
            "ingredients",
            FieldKind.LIST,
            doc="What goes in, one entry for each with its amount.",
            is_required=True,
            rules=(
                *schema("$.recipeIngredient", "$.ingredients"),
                "plugin:$.recipeIngredient",
                "list:ingredients",
            ),
        ),
        FieldSpec(
            "instructions",
            FieldKind.STEPS,
            doc="What to do, one entry a step; sections are taken apart.",
            rules=(
                *schema("$.recipeInstructions"),
                "plugin:$.recipeInstructions",
                "list:instructions",
            ),
        ),
        FieldSpec(
            "yields",
            FieldKind.YIELD,
            doc="How much it makes.",
            rules=(*schema("$.recipeYield", "$.yield"), "plugin:$.recipeYield", "label:yield"),
        ),
        FieldSpec(
            "prep_minutes",
            FieldKind.DURATION,
            doc="Minutes of preparation.",
            rules=(*schema("$.prepTime"), "plugin:$.prepTime", "label:prep time"),
        ),
        FieldSpec(
            "cook_minutes",
            FieldKind.DURATION,
            doc="Minutes on the fire or in the oven.",
            rules=(*schema("$.cookTime"), "plugin:$.cookTime", "label:cook time"),
        ),
        FieldSpec(
            "total_minutes",
            FieldKind.TOTAL,
            doc="Minutes from beginning to end; preparation and cooking where only both are stated.",
            # Search engines ask for either: the total, or the two in combination.
            rules=(
                *schema("$.totalTime", "$['prepTime','cookTime']"),
                "plugin:$.totalTime",
                "plugin:$['prepTime','cookTime']",
                "label:total time",
            ),
        ),
        FieldSpec(
            "image",
            FieldKind.IMAGE,
            doc="A picture of the dish.",
            # Blogs list cuttings of many sizes in their JSON-LD and put the picture itself here.
            rules=("opengraph:og:image", *schema("$.image"), *IMAGES[1:]),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page of this one recipe.",
            rules=(*schema("$.url", OF_PAGE), "page:url"),
        ),
    ),
)
