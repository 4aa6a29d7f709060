"""What the Admin page shows: the server, its runs, studies and presentations."""

from typing import Any

from dash import html

from core.service import Overview


def admin_page(seen: Overview) -> list[Any]:
    """Everything on one page."""
    taken = "not added up yet" if seen.bytes is None else f"{seen.bytes / 1e6:.0f}"
    disk = f"{_counted(seen.stored, 'run')} on disk: {taken} of {seen.bound / 1e6:,.0f} MB"
    free = f", {seen.free / 1e9:.1f} GB free" if seen.free is not None else ""
    figures = ", ".join(f"{name} {value:g}" for name, value in seen.queries.items())
    return [
        html.H1("The server"),
        html.P(
            f"Ready: {_counted(seen.workers, 'worker')}. {disk}{free}. Background queries: {figures}.",
            className="lead",
        ),
        _section(
            "Runs under way and waiting",
            "No run is under way. Those that somebody starts are listed here, with a button to stop them.",
            ["Run", "Status", "Whose", "Epoch", "Viewers", ""],
            [
                [
                    html.A(info.query, href=f"/?{info.query}"),
                    info.status if info.position is None else f"{info.status}, {info.position} go first",
                    info.starter[:8],
                    f"{info.epoch:g} of {info.epochs:g}",
                    info.watching,
                    _button("run", info.id, "Stop"),
                ]
                for info in seen.runs
            ],
        ),
        _section(
            "Studies under way",
            "No study is under way.",
            ["Study", "Done", ""],
            [
                [study.query, f"{study.done} of {study.runs}", _button("study", study.id, "Stop")]
                for study in seen.studies
            ],
        ),
        _section(
            "Presentations",
            "Nobody presents.",
            ["Presenter", ""],
            [[name[:8], _button("presentation", name, "Close")] for name in seen.presentations],
        ),
    ]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _section(title: str, empty: str, head: list[str], rows: list[list[Any]]) -> html.Section:
    if not rows:
        return html.Section([html.H2(title), html.P(empty, className="note")])
    top = html.Thead(html.Tr([html.Th(text, scope="col") if text else html.Td() for text in head]))
    body = html.Tbody([html.Tr([html.Td(cell) for cell in row]) for row in rows])
    table = html.Table([top, body], className="plain-table")
    return html.Section([html.H2(title), html.Div(table, className="scroller")])


def _button(kind: str, name: str, text: str) -> html.Form:
    """Its own form, which the browser posts: the server checks token, origin and host."""
    button = html.Button(text, name="name", value=name, className="button", type="submit")
    return html.Form(button, method="post", action=f"/admin?kind={kind}")
