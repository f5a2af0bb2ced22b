"""What a site file says, typed. The JSON Schema of ``SiteConfig`` is the full list of keys."""

from datetime import date

from pydantic import Field

from crawler.contracts.site.access import Access
from crawler.contracts.site.collect import Collect
from crawler.contracts.site.model import ModelRules
from crawler.contracts.site.record import ContentRules, RecordRules
from crawler.contracts.site.section import HttpUrl, Section


class Authorization(Section):
    """Who allowed the collection, on what ground, until when."""

    basis: str = Field(min_length=1, description="Why the pages may be collected.")
    approved_by: str = Field(min_length=1, description="Who approved it.")
    expires: date = Field(description="Last day on which requests may be sent (UTC).")
    purpose: str = Field(default="", description="What the records are for.")


class SiteConfig(Section):
    """One site file, checked."""

    site: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,99}$", description="Equals the file's stem.")
    source_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="By default the site's name."
    )
    authorization: Authorization
    start: tuple[HttpUrl, ...] = Field(min_length=1, max_length=10_000)
    collect: Collect = Collect()
    access: Access = Access()
    record: RecordRules
    content: ContentRules = ContentRules()
    model: ModelRules | None = None

    @property
    def source(self) -> str:
        """The id under which records name their source."""
        return self.source_id or self.site
