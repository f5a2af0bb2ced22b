"""Interpretation over the archive: snapshots in, a comparison with the ledger out, no connection.

Reads through ``archive`` and ``ledger``, interprets in the same page workers as a crawl. Imports
no Scrapy and nothing that could fetch.
"""
