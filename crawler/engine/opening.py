"""What a run is opened with."""

from crawler.contracts.frontier import RunOpening
from crawler.contracts.rules import LoadedSite
from crawler.contracts.session import Session
from crawler.contracts.site.section import parse_duration
from crawler.engine.requests import seed_rows
from crawler.engine.versions import describe_versions


def describe_opening(site: LoadedSite, owner: str, session: Session | None) -> RunOpening:
    return RunOpening(
        site=site.config.site,
        owner=owner,
        site_hash=site.site_hash,
        authorization_hash=site.authorization_hash,
        rule_version=site.rules.version,
        cycle_max_age=parse_duration(site.config.access.cycle_max_age),
        seeds=seed_rows(site),
        versions=describe_versions(),
        session=session.use if session else None,
    )
