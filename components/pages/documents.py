"""Pages that are sent as finished HTML: they stand at once and can be read without scripts.

They are Flask routes of their folders (`lessons/page.py`, `paper/routes.py`, `runs/page.py`), registered here
to be in the navigation. A link inside a Dash page that leads to one of them loads it.
"""

from functools import partial

import dash
from dash import dcc


def reload_at(path: str, **_: str) -> dcc.Location:
    """For Dash's router, which would otherwise stay in the page: go there."""
    return dcc.Location(id="reload", href=path, refresh=True)


for order, (path, name) in enumerate((("/lessons", "Lessons"), ("/paper", "Paper"), ("/runs", "Runs")), 2):
    dash.register_page(
        f"{__name__}.{name.lower()}", path=path, name=name, order=order, layout=partial(reload_at, path)
    )
