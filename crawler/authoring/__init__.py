"""Where language models are asked: within a budget, and never about more than one page's text.

In: questions that interpretation left open. Out: answers, retained before they are used, or why
there is none. Imports no Scrapy; model SDKs only in ``providers``.
"""
