"""The sections of a site file, typed: one module each, put together in ``config``."""
