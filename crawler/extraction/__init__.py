"""A page becomes candidate records, each value with the evidence for it.

In: a document and the rules of its site. Out: candidates, and what could not be read and why.
Imports contracts and document only; causes no traffic.
"""
