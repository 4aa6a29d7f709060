"""The frame of one panel: title, tools, drawing area, a sentence and a table for those who do not see it."""

from dash import dcc, html
from dash.development.base_component import Component

from components import player
from components.common import ids
from components.common.buttons import icon_button
from components.panels import PLOT_CONFIG, Panel
from components.panels.base import AnyPanel, CallbackPanel, Figure, ServedPanel, layout


def graph(panel: AnyPanel) -> Component:
    """The drawing area in the Lab: the player draws it from columns, or a callback fills what it holds."""
    name = panel.name
    content = panel.content if isinstance(panel, CallbackPanel) else None
    if isinstance(panel, ServedPanel):
        content = dcc.Graph(
            id=ids.graph_id(name),
            figure=before_numbers(),
            config={**PLOT_CONFIG, "responsive": True},
            responsive=True,
        )
    return player.Panel(
        content,
        id=ids.plot_id(name),
        name=name,
        labelledBy=f"title-{name}",
        describedBy=f"summary-{name}",
        table=f"table-{name}",
    )


def before_numbers() -> Figure:
    """What the graph holds until there is something to draw: axes would be drawn twice, and in one theme."""
    return {"data": [], "layout": layout("light", x={"visible": False}, y={"visible": False}, meta={})}


def bare_plot(panel: Panel) -> Component:
    """The drawing area where there is no Dash: an empty element that the player finds."""
    name = panel.name
    return html.Div(
        id=ids.plot_id(name),
        className="plot",
        role="img",
        **{
            "data-panel": name,
            "aria-labelledby": f"title-{name}",
            "aria-describedby": f"summary-{name}",
            "aria-details": f"table-{name}",
        },
    )


def neuron_choice() -> Component:
    """The chosen neuron, for hands that cannot point at its curve; the browser knows how many there are."""
    return html.Label(
        [html.Span("neuron"), player.Select(id="neuron-choice", options=[("", "none")])],
        className="neuron-choice",
        title="The neuron that is marked in every panel",
    )


def panel_section(panel: AnyPanel, plot: Component, *, extra: Component | None = None) -> html.Section:
    """The whole tile of a panel around its drawing area; `extra` stands beside its title."""
    name = panel.name
    has_numbers = not isinstance(panel, CallbackPanel) or panel.graph is not None
    return html.Section(
        [
            html.Header(
                [
                    html.H2(panel.title, id=f"title-{name}", title="Double-click to enlarge"),
                    html.Span(panel.lead, className="panel-lead"),
                    html.Div(extra, id=f"extra-{name}", className="panel-extra"),
                    html.Div(
                        [
                            icon_button(
                                "",
                                f"What {panel.title} shows",
                                "help",
                                **{"data-hint": panel.help, "aria-expanded": "false"},
                            ),
                            html.Button(
                                html.Span(className="icon icon-table", **{"aria-hidden": "true"}),
                                className="button quiet panel-data",
                                type="button",
                                hidden=not has_numbers,
                                title="The numbers as a table",
                                **{
                                    "data-panel": name,
                                    "aria-label": f"{panel.title} as a table",
                                    "aria-expanded": "false",
                                    "aria-controls": f"table-{name}",
                                },
                            ),
                            icon_button(
                                "",
                                f"Save, move or hide {panel.title}",
                                "more",
                                **{"data-action": "more", "data-panel": name, "aria-haspopup": "menu"},
                            ),
                            icon_button(
                                f"enlarge-{name}",
                                f"Enlarge {panel.title}",
                                "enlarge",
                                **{"data-action": "enlarge", "data-panel": name, "aria-pressed": "false"},
                            ),
                        ],
                        className="panel-tools",
                    ),
                ],
                className="panel-head",
            ),
            plot,
            html.P(id=f"summary-{name}", className="visually-hidden"),
            html.Div(
                id=f"table-{name}",
                className="panel-table",
                hidden=True,
                tabIndex=0,
                role="region",
                **{"aria-label": f"{panel.title}: data"},
            ),
        ],
        id=ids.panel_id(name),
        className="panel",
        **{"data-panel": name, "aria-labelledby": f"title-{name}"},
    )
