"""How random tests draw their cases: the same ones every time, or new ones with `make test-long`."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("PLATEAU_HYPOTHESIS", "repeatable"))
