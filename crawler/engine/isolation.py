"""What a run says of how pages were kept away from the machine."""

from crawler.engine.browser import Browser
from crawler.interpretation.interpreter import Interpreter


def describe_isolation(pool: Interpreter, browser: Browser) -> dict[str, str]:
    said: dict[str, str] = {}
    if pool.network is not None:
        said["page_worker_network"] = pool.network
    if browser.is_sandboxed is not None:
        said["browser_sandbox"] = "on" if browser.is_sandboxed else "off"
    return said
