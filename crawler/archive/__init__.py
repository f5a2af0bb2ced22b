"""Captures go in, and the same captures come out, byte for byte, or the damage is named.

Files are standard WARC/1.1, one record per gzip member, three members per capture: what was
received, what was asked, what was observed. Compression is zlib and the framing is our own: both
WARC libraries for Python hand out a torn record as a short one, and the faster of them holds the
interpreter lock while it compresses. Must not import Scrapy or SQL.
"""
