"""The texts that share a moment: a sentence with its link, Python, the code for another page, the QR code."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import quote, urlsplit

from dash import ClientsideFunction, Dash, Input, Output, html

from components.common import ids
from components.common.callback_guard import mapping
from components.common.settings import data_name, methods_of, texts_of, value_of
from components.common.view import DEFAULT_QUERY, View, join_query, split_query
from components.pages.lab.program import python_code
from components.pages.lab.routes import has_code
from components.panels import PANELS
from core.methods import METHODS
from core.service import BIBTEX, RunService, is_loopback

HEIGHTS = {1: 360, 2: 480}
"""Of a frame with so many panels; more need the largest."""
TALLEST = 640
KINDS = ("link", "text", "embed", "python", "cite")


def register_share(app: Dash, service: RunService) -> None:
    """Fill the dialog when it is opened, or hand the code of one panel over to be copied."""

    outputs = {kind: Output(f"share-{kind}", "value") for kind in KINDS}
    outputs |= {"shared": Output(ids.SHARED, "data"), "code": Output("qr-code", "children")}
    outputs |= {"reach": Output("share-reach", "children"), "handout": Output("share-handout", "href")}

    @app.callback(output=outputs, inputs=[Input(ids.SHARING, "data")], prevent_initial_call=True)
    def show(sent: object) -> dict[str, Any]:
        told = mapping(sent)
        texts = share_texts(told, service.datasets)
        copied = {"embed": texts["embed"], "copy": told.get("copy"), "n": told.get("n")}
        handout = f"/handout?{split_query(str(told.get('query', '')))[0]}"
        return {
            **texts,
            "handout": handout,
            "shared": copied,
            "code": _code(told),
            "reach": reach(texts["link"]),
        }

    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="shared"),
        Output(ids.COPIED, "data"),
        Input(ids.SHARED, "data"),
        prevent_initial_call=True,
    )


def share_texts(told: Mapping[str, Any], datasets: Mapping[str, str] = {}) -> dict[str, str]:
    """All texts of a moment. `told` has the address to share, the link on screen, the sentence about it, the
    queries of the runs, and perhaps the one panel that is meant."""
    address, sentence = str(told.get("address", "")), str(told.get("sentence", ""))
    config, view = split_query(str(told.get("query", "")))
    panel = str(told.get("panel") or "") or view.enlarged
    texts = texts_of(config)
    target = data_name(texts)
    methods = " and ".join(METHODS[name].title for name in methods_of(texts))
    width = value_of("width", texts)
    runs = told.get("runs")
    queries = [str(query) for query in runs] if isinstance(runs, list) and runs else [config]
    return {
        "link": address,
        "text": f"{methods} on {target}, width {width}. {sentence}\n{address}",
        "embed": embed_code(address.partition("?")[0], config, view, panel),
        "python": python_code(queries, datasets),
        "cite": f"{BIBTEX}\n% Computed with Plateau Lab: {address}",
    }


def embed_code(page: str, config: str, view: View, panel: str) -> str:
    """An iframe with the panels on screen, or a single one of them."""
    kept = ("panels", "xaxis", "zoom", "at", "neuron", "focus")
    plain = View(**{name: getattr(view, name) for name in kept})
    panels = (panel,) if panel in PANELS else view.panels
    query = join_query(config or DEFAULT_QUERY, replace(plain, panels=panels, theme=view.theme, embed=True))
    height = HEIGHTS.get(len(panels) or len(PANELS), TALLEST)
    return (
        f'<iframe src="{escape(f"{page}?{query}")}" title="Plateau Lab" width="100%" height="{height}" '
        'style="border:0" loading="lazy"></iframe>'
    )


def reach(address: str) -> str:
    """Whether others can open a link, and if not what would let them."""
    if not is_loopback(urlsplit(address).netloc):
        return ""
    return (
        "Only this computer can open this link. For others in the same network start Plateau Lab with "
        '--host 0.0.0.0 (make run ARGS="--host 0.0.0.0").'
    )


def _code(told: Mapping[str, Any]) -> Any:
    path = str(told.get("path", "/"))
    if not has_code(path):
        return "The link is too long for a QR code."
    return html.Img(src=f"/qr.svg?path={quote(path, safe='')}", alt="QR code of the link")
