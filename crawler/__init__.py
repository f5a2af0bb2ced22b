"""Authorised public pages in; validated records out, each with the evidence for every field."""

__version__ = "0.1.0"
