"""The repository itself: what it packs and what it promises of its own shape."""
