"""Values that a language model points at: what it is asked, and what of its answer can be used.

In: the lines of a page's zone, and an answer that was retained. Out: a question, or fields whose
text was found in the page. Nothing here asks anybody, and nothing a model says becomes a value.
"""
