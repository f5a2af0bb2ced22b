"""How the raw content of a place is read as a value: one module for each kind of field."""
