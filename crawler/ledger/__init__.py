"""The frontier, the records and everything else that is known of a crawl, in SQL.

Frozen values of ``contracts`` come in through one writer thread (``writer.LedgerWriter`` applying
``operations``) and go out through ``queries``. SQL is written nowhere else; nothing here imports
Scrapy, the archive (it is handed a ``CaptureSink``) or the network.
"""
