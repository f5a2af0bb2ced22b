"""Where a raw value may come from."""

from crawler.extraction.fields.reading import Context

JSONLD = Context("https://example.com/", has_entities=True, is_machine_written=True)
ATTRIBUTE = Context("https://example.com/", has_entities=False, is_machine_written=True)
VISIBLE = Context("https://example.com/", has_entities=False, is_machine_written=False)
