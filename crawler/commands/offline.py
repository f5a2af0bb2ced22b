"""What commands have in common that read what is there and crawl nothing."""

from typing import Any, ClassVar


class Offline:
    """Mixed into a ScrapyCommand: no crawler process, and no log between the lines of output."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}
