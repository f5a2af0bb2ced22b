"""Names what came back in place of, or as, the page that was asked for.

In comes a response or a parsed snapshot; out comes a verdict with the rule that spoke. Nothing here
tries to pass a challenge, asks again, or knows how the page was fetched; no network, no clock.
"""
