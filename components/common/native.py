"""The browser's own input element, for pages that are sent as finished HTML.

Dash wraps almost every HTML element, but not `<input>`. A page that Dash draws uses `dcc.Input`.
"""

from typing import Any, ClassVar

from dash.development.base_component import Component

from components.player import NAMESPACE


class Input(Component):
    """An uncontrolled `<input>`; every HTML attribute is passed on (in React's spelling)."""

    _namespace = NAMESPACE
    _type = "Input"
    _children_props: ClassVar[list[str]] = []
    _base_nodes: ClassVar[list[str]] = ["children"]

    def __init__(self, **attributes: Any) -> None:
        self._prop_names = [
            *("id", "className", "type", "name", "min", "max", "step", "list", "placeholder", "title"),
            *("maxLength", "inputMode", "autoComplete", "spellCheck", "accept", "defaultValue", "tabIndex"),
            *("defaultChecked", "checked", "value", "disabled", "hidden", "form"),
        ]
        self._valid_wildcard_attributes = ["data-", "aria-"]
        self.available_properties = [*self._prop_names, "data-*", "aria-*"]
        self.available_wildcard_properties = ["data-", "aria-"]
        super().__init__(**attributes)
