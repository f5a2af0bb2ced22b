"""Decides whether a URL may be asked for, when, and whether once more.

In come URLs, the site file's rules, robots files and failures; out come outcomes, scopes and retry
decisions. Pure: the clock and chance are arguments; no name is resolved and nothing is sent here.
"""
