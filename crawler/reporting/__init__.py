"""What a person or an agent is told of the ledger, with what only the moment of asking can decide.

Reads ``ledger`` and asks the pure packages; imports no Scrapy and writes nothing.
"""
