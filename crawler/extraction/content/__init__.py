"""What a page says, as Markdown that an agent can read and pay for.

In: a document and the site's overrides. Out: the content zone as CommonMark, with its title, hash
and the share of the page that it is. Imports contracts and document only.
"""
