"""The values that pass between stages.

Frozen dataclasses, enums and protocols; no behaviour beyond deriving one value from another.
Everything may import from here; nothing here imports another package of the project.
"""
