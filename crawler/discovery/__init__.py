"""A listing becomes the addresses it leads to.

In: a document and the site's selectors. Out: links, absolute and in order, none of them admitted.
Imports contracts and document only; whether a link may be followed is decided by admission.
"""
