"""Runs as a program to take away: what is on screen, computed again with a plot."""

import json
from collections.abc import Mapping, Sequence

from components.common.settings import texts_of

WHERE = (
    "# Save this as plot.py in the folder of Plateau Lab (where app.py is) and run it with its own Python:",
    "#     .venv/bin/python plot.py          (Windows: .venv\\Scripts\\python plot.py)",
)
LARGEST = 100_000
"""Characters of own data that a program may hold."""


def python_code(queries: Sequence[str], datasets: Mapping[str, str]) -> str:
    """A program that computes the same runs, says how they ended and plots their losses."""
    own = {name: datasets[name] for name in dict.fromkeys(map(_dataset, queries)) if name in datasets}
    held = own and sum(map(len, own.values())) <= LARGEST
    known = f"DATA = {json.dumps(own)}\n" if held else ""
    listed = "\n".join(f"    {json.dumps(query, ensure_ascii=False)}," for query in queries)
    head = "\n".join(WHERE)
    return f"""{head}
import plotly.graph_objects as go

from core import RunConfig, train

{known}QUERIES = (
{listed}
)
figure = go.Figure()
for query in QUERIES:
    config = RunConfig.from_query(query{", datasets=DATA" if held else ""})
    frames = list(train(config))
    last, name = frames[-1], config.method.title
    print(f"{{name}}: loss {{last.loss:.4g}} at epoch {{last.epoch:g}}, stage {{last.stage + 1}}, {{query}}")
    shown = frames[1:] or frames  # a logarithmic axis has no 0
    figure.add_scatter(x=[frame.epoch for frame in shown], y=[frame.loss for frame in shown], name=name)
figure.update_xaxes(type="log", title="epoch")
figure.update_yaxes(type="log", title="mean squared loss")
figure.write_html("plateau.html")
print("The loss curves are in plateau.html.")
"""


def _dataset(query: str) -> str:
    """The name of an uploaded set that a query learns; empty where it learns something else."""
    data = texts_of(query).get("data", "")
    return data[1:] if data.startswith("@") else ""
