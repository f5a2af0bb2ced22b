"""Where a project keeps its data: everything under DATA_DIR, readable by its owner only."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings
from scrapy.utils.conf import closest_scrapy_cfg

from crawler.ledger.database import ledger_url


@dataclass(frozen=True, slots=True)
class DataFolder:
    """``archive/`` holds WARC files, ``ledger.db`` what is known of them and of the crawl."""

    path: Path
    url: str
    """SQLAlchemy URL of the ledger."""

    @property
    def archive(self) -> Path:
        return self.path / "archive"

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> "DataFolder":
        """A relative DATA_DIR lies beside scrapy.cfg, or else in the current folder."""
        config = closest_scrapy_cfg()
        base = Path(config).parent if config else Path.cwd()
        path = base.absolute() / str(settings.get("DATA_DIR") or "var")
        return cls(path, settings.get("LEDGER_URL") or ledger_url(path))

    @property
    def has_ledger(self) -> bool:
        """A remote ledger is taken to be there: only opening it can tell."""
        return self.url != ledger_url(self.path) or (self.path / "ledger.db").exists()

    @property
    def ledger_hosts(self) -> frozenset[str]:
        """Hosts that a connection to the ledger may name; none for a file."""
        host = urlsplit(self.url).hostname
        return frozenset({host}) if host else frozenset()

    def create(self) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.chmod(0o700)
