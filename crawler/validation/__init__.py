"""Decide what of a page may be used, from the page alone.

In: candidates, with what could not be read of them, and the page's structure. Out: those that
passed, and rejections. Imports contracts and document only; how values are read is not its business.
"""
