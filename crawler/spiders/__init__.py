"""Spiders: each site file is one, made by the spider loader; hand-written ones subclass ``SiteSpider``.

A spider's callback yields one ``Snapshot`` and nothing else; its errback one ``AccessFailure``.
"""
