"""The three item pipelines, in order: extraction, validation, archival.

A snapshot or an access failure comes in; what is published goes out. Nothing raises for a page's
sake: what went wrong is a reason on the item. Nothing here imports ``engine`` or ``middlewares``.
"""
