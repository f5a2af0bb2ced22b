"""What a job posting is, and where its values stand."""

from crawler.contracts.record import FieldKind, FieldSpec, RecordType
from crawler.sites.builtin_rules import OF_PAGE, schema

JOB_POSTING = RecordType(
    name="job_posting",
    schema_version="job_posting.v1",
    doc="A post that an employer wants to fill.",
    schema_types=("JobPosting",),
    key=("url",),
    fields=(
        FieldSpec(
            "title",
            doc="What the post is called.",
            is_required=True,
            rules=(
                *schema("$.title", "$.name"),
                "page:heading",
                "opengraph:og:title",
                "feed:title",
            ),
        ),
        FieldSpec(
            "company",
            doc="Who employs.",
            rules=(*schema("$.hiringOrganization.name", "$.hiringOrganization"), "label:company"),
        ),
        FieldSpec(
            "location",
            FieldKind.PLACES,
            doc="Where the work is done: one line for each place, joined by semicolons.",
            rules=(
                *schema("$.jobLocation.address", "$.jobLocation.name", "$.jobLocation"),
                "label:job location",
            ),
        ),
        FieldSpec(
            "employment_type",
            FieldKind.EMPLOYMENT,
            doc="full_time, part_time, contractor and so on; several may hold.",
            rules=(*schema("$.employmentType"), "label:employment type"),
        ),
        FieldSpec(
            "salary_min",
            FieldKind.PRICE_MIN,
            doc="Least pay for one period; the pay where only one amount is named.",
            rules=(
                *schema(
                    "$.baseSalary.value.minValue",
                    "$.baseSalary.minValue",
                    "$.baseSalary.value.value",
                    "$.baseSalary.value",
                    "$.baseSalary",
                ),
                "label:salary",
            ),
        ),
        FieldSpec(
            "salary_max",
            FieldKind.PRICE_MAX,
            doc="Most pay for one period; the pay where only one amount is named.",
            rules=(
                *schema(
                    "$.baseSalary.value.maxValue",
                    "$.baseSalary.maxValue",
                    "$.baseSalary.value.value",
                    "$.baseSalary.value",
                    "$.baseSalary",
                ),
                "label:salary",
            ),
        ),
        FieldSpec(
            "salary_currency",
            FieldKind.CURRENCY,
            doc="ISO 4217 code of the pay.",
            rules=schema(
                "$.baseSalary.currency", "$.baseSalary.value.currency", "$.salaryCurrency"
            ),
        ),
        FieldSpec(
            "salary_period",
            FieldKind.PERIOD,
            doc="The time that the pay is for: hour, day, week, month or year.",
            rules=schema("$.baseSalary.value.unitText", "$.baseSalary.unitText"),
        ),
        FieldSpec(
            "posted_at",
            FieldKind.DATE,
            doc="When the post was first offered; not when the work begins.",
            rules=(*schema("$.datePosted"), "label:posted"),
        ),
        FieldSpec(
            "valid_through",
            FieldKind.DATE,
            doc="Until when one may apply.",
            rules=(*schema("$.validThrough"), "label:valid through"),
        ),
        FieldSpec(
            "description",
            FieldKind.PROSE,
            doc="What the employer says of the post.",
            rules=schema("$.description"),
        ),
        FieldSpec(
            "url",
            FieldKind.URL,
            doc="The page of this one post.",
            rules=(*schema("$.url", OF_PAGE), "page:url", "feed:link"),
        ),
    ),
)
