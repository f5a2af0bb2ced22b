"""Bytes become text and, only when someone asks for a node, one parse.

In: a snapshot's body, headers and encoding. Out: text, nodes, paths and JSON-LD script blocks.
Imports nothing of the project but contracts, and never a network or a clock.
"""
