"""What an installation is examined for: each module looks at one thing and says what to do.

Facts go in, checks come out; looking and judging are different functions. Imports no Scrapy.
"""
