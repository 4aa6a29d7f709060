"""What opens above the page: sharing a moment, and the help with its keys."""

from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from components import player
from components.common.buttons import icon_button
from components.common.help import ABOUT, KEYS, TERMS
from components.pages.lab.welcome import begin_link

Children = list[Any]


def page_dialogs(embedders: str) -> Children:
    """`embedders` is who may show the pages in a frame, as the server's policy says it."""
    return [
        _dialog(
            "share-dialog",
            "Share this moment",
            html.Div(
                [
                    html.Div(id="qr-code", className="qr-code"),
                    html.Div(
                        [
                            html.Label("Link", htmlFor="share-link"),
                            _text("share-link", rows=3, code=False),
                            html.P(id="share-reach", className="note", role="status"),
                            html.A("A page to print and hand out", id="share-handout", href="/handout"),
                            html.Button(
                                "Copy link", id="share-copy-link", className="button primary", type="button"
                            ),
                            html.Label("Embed in another page", htmlFor="share-embed"),
                            _text("share-embed", rows=3, code=True),
                            html.P(_embedding(embedders), className="note"),
                            html.Button(
                                "Copy embed code", id="share-copy-embed", className="button", type="button"
                            ),
                            html.Label("Text", htmlFor="share-text"),
                            _text("share-text", rows=5, code=False),
                            html.Button("Copy text", id="share-copy-text", className="button", type="button"),
                            html.Label("Python", htmlFor="share-python"),
                            _text("share-python", rows=5, code=True),
                            html.Button(
                                "Copy as Python", id="share-copy-python", className="button", type="button"
                            ),
                            html.Label("Cite", htmlFor="share-cite"),
                            _text("share-cite", rows=4, code=True),
                            html.Button(
                                "Copy BibTeX", id="share-copy-cite", className="button", type="button"
                            ),
                        ],
                        className="share-texts",
                    ),
                ],
                className="dialog-body",
            ),
        ),
        _dialog("import-dialog", "Your data", _import_choice()),
        _dialog("present-dialog", "No phone can follow yet", _alone()),
        _dialog("picture-dialog", "Save the picture", _picture_choice()),
        _dialog(
            "keys-dialog",
            "Plateau Lab",
            html.Div(
                [
                    *(html.P(text) for text in ABOUT),
                    html.P(
                        [begin_link(), html.A("Lessons", href="/lessons"), html.A("Paper", href="/paper")],
                        className="ways",
                    ),
                    html.Button(
                        "Show the introduction again", id="welcome-again", className="button", type="button"
                    ),
                    html.H3("Words"),
                    html.Dl(
                        [part for term, text in TERMS.items() for part in (html.Dt(term), html.Dd(text))],
                        className="terms",
                    ),
                    html.Div(
                        [
                            html.H3("Keys"),
                            player.Choices(
                                id="letters",
                                options=[{"value": "on", "label": "Single-letter shortcuts"}],
                                value=["on"],
                                multiple=True,
                                optionClassName="letters",
                            ),
                            _keys(),
                        ],
                        className="for-keyboards",
                    ),
                ],
                className="dialog-body",
            ),
        ),
    ]


def _alone() -> html.Div:
    return html.Div(
        [
            html.P("Plateau Lab listens to this computer alone, so that phones cannot open its pages."),
            html.P(["To let a class follow, start it with ", html.Code("--host 0.0.0.0"), "."]),
            html.P(
                html.Button(
                    "Present without phones", id="present-anyway", className="button primary", type="button"
                )
            ),
        ],
        className="dialog-body",
    )


def _picture_choice() -> html.Div:
    sizes = (
        ("slide", "Slide, 16:9 (1280 × 720)"),
        ("column", "Column of a paper (85 mm wide)"),
        ("screen", "As large as on screen"),
    )
    return html.Div(
        [
            html.P("On white, with one legend, without the run before, the forecast and the stages."),
            html.Label("Size", htmlFor="picture-size"),
            html.Select([html.Option(text, value=name) for name, text in sizes], id="picture-size"),
            html.P(
                [
                    html.Button(kind.upper(), id=f"picture-{kind}", className="button primary", type="button")
                    for kind in ("svg", "png", "pdf")
                ],
                className="picture-kinds",
            ),
            html.P("PDF opens the print dialog: choose “Save as PDF” there.", className="note"),
        ],
        className="dialog-body picture-choice",
    )


def _embedding(embedders: str) -> str:
    """When the code works, and what whoever runs the server has to do where it does not."""
    if "*" in embedders.split():
        return "Any page may embed this server's pages."
    others = " ".join(part for part in embedders.split() if part != "'self'")
    allowed = f"Pages of this server and of {others} may" if others else "Only pages of this server may"
    return (
        f"{allowed} embed it. For another site, start the server with "
        "PLATEAU_FRAME_ANCESTORS=\"'self' https://its.address\"."
    )


def _text(name: str, *, rows: int, code: bool) -> dcc.Textarea:
    looks = "copy-box code" if code else "copy-box"
    return dcc.Textarea(id=name, value="", className=looks, rows=rows, readOnly=True, spellCheck=False)


def _dialog(name: str, title: str, body: Component) -> html.Dialog:
    return html.Dialog(
        [
            html.Div(
                [
                    html.H2(title, id=f"{name}-title"),
                    icon_button("", "Close", "close", **{"data-close": name}),
                ],
                className="drawer-head",
            ),
            body,
        ],
        id=name,
        className="dialog",
        **{"aria-labelledby": f"{name}-title"},
    )


def _keys() -> html.Table:
    rows = [
        html.Tr([html.Th([html.Kbd(key) for key in keys], scope="row"), html.Td(what)]) for keys, what in KEYS
    ]
    return html.Table(html.Tbody(rows), className="keys")


def _import_choice() -> html.Div:
    """A file before it is used: its first rows, what was recognised, and which columns are meant."""
    roles = (("x", "x"), ("y", "y"), ("weight", "Weight"))
    return html.Div(
        [
            html.P(id="import-found", role="status"),
            html.Div(
                html.Table(id="import-head"),
                className="import-table",
                tabIndex=0,
                role="region",
                **{"aria-label": "The first rows"},
            ),
            html.Div(
                [
                    html.Div([html.Label(text, htmlFor=f"import-{name}"), html.Select(id=f"import-{name}")])
                    for name, text in roles
                ],
                className="import-columns",
            ),
            html.Ul(id="import-notes", className="note"),
            html.P(id="import-error", className="field-error", role="alert"),
            html.Div(
                [
                    html.Button("Use", id="import-use", className="button primary", type="button"),
                    html.Button("Cancel", id="import-cancel", className="button", type="button"),
                ],
                className="field-row",
            ),
        ],
        className="dialog-body",
    )
