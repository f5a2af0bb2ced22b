"""The demo: a small site on loopback with the faults that real ones have, and the crawl of it.

``python -m tests.demo`` is what ``make demo`` runs. The pages are the files in ``pages/``, the
site files those in ``sites/``; which page answers in an unusual way is listed in ``site.py``.
"""
