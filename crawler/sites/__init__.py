"""Site files become ``LoadedSite``: what is known of each site, and who allowed it.

In: a folder of YAML, bounded and never executed. Out: frozen configurations, or every problem of
a file at once. Imports nothing of the project but contracts, and no Scrapy.
"""
