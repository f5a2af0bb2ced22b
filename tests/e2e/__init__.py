"""The commands as a user runs them, in processes of their own, against a real server on loopback.

What comes in are scripted answers of ``server.py`` and site files written by the test; what is
looked at are exit codes, what the commands print, and what the server was asked for. Nothing here
imports the parts of the crawler that it tests.
"""
