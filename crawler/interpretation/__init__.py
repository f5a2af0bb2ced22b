"""The page step: a snapshot and the rules of its site become a report, in a process of its own.

In: frozen snapshots and rules. Out: verdict, candidates, rejections and links. Imports nothing
above it, and no network: a page is interpreted, never asked for again.
"""
