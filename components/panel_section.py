"""The frame of one panel: title, tools, drawing area, a sentence and a table for those who do not see it."""

from dash import html

from components import ids
from components.buttons import icon_button
from components.panels import Panel


def panel_section(panel: Panel) -> html.Section:
    name = panel.name
    return html.Section(
        [
            html.Header(
                [
                    html.H2(panel.title, id=f"title-{name}", title="Double-click to enlarge"),
                    html.Div(id=f"extra-{name}", className="panel-extra"),
                    html.Div(
                        [
                            icon_button(
                                "",
                                f"What {panel.title} shows",
                                "help",
                                **{"data-action": "help", "data-panel": name, "aria-expanded": "false"},
                            ),
                            html.Button(
                                html.Span(className="icon icon-table", **{"aria-hidden": "true"}),
                                className="button quiet panel-data",
                                type="button",
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
                                "",
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
            html.Div(
                id=ids.plot_id(name),
                className="plot",
                role="img",
                **{
                    "data-panel": name,
                    "aria-labelledby": f"title-{name}",
                    "aria-describedby": f"summary-{name}",
                },
            ),
            html.P(id=f"summary-{name}", className="visually-hidden"),
            html.Div(id=f"table-{name}", className="panel-table", hidden=True),
        ],
        id=ids.panel_id(name),
        className="panel",
        **{"data-panel": name, "aria-labelledby": f"title-{name}"},
    )
