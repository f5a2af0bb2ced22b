"""The commands of the project, one module each, named like the command.

In: arguments. Out: data on stdout, messages on stderr, an exit code. Scrapy imports every module
here on each call, so none may import anything heavy at its top: what a command needs, it imports
when it runs.
"""
