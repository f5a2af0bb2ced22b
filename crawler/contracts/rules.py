"""The part of a site file that interpretation needs: what the page worker is configured with."""

from dataclasses import dataclass, field

from crawler.contracts.record import RecordType
from crawler.contracts.site.access import Identity, Ready, Representations
from crawler.contracts.site.collect import Collect
from crawler.contracts.site.config import SiteConfig
from crawler.contracts.site.model import ModelRules
from crawler.contracts.site.record import ContentRules, RecordRules


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that decides how a page of a site is read."""

    site: str
    collect: Collect
    identity: Identity
    ready: Ready
    record: RecordRules
    record_type: RecordType
    """The type with the site's required fields and schema version applied."""
    version: str
    """First 16 hex digits of the SHA-256 of all the rest: changes when a reading could change."""
    content: ContentRules = field(default_factory=ContentRules)
    model: ModelRules | None = None
    signed_out: str | None = None
    """What only a page shows that a session did not open, see ``access.session``."""
    fetched: Representations | None = None
    """What pages are fetched as; None for pages that were saved by somebody: whatever it is, is read."""


@dataclass(frozen=True, slots=True)
class LoadedSite:
    """A site file as it was at one moment: kept by a run from its start to its end."""

    config: SiteConfig
    rules: Rules
    site_hash: str
    authorization_hash: str
    path: str
