"""Whether an element is a place where a value of a field may stand.

In: a parsed page, an element of it and the field. Out: the reason why what stands there is
something else, such as an old price or a card of a related item; None where nothing says so.
"""
