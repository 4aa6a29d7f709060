# AUTO GENERATED FILE - DO NOT EDIT

import typing  # noqa: F401
from typing_extensions import TypedDict, NotRequired, Literal # noqa: F401
from dash.development.base_component import Component, _explicitize_args
try:
    from dash.types import NumberType  # noqa: F401
except ImportError:
    # Backwards compatibility for dash<=4.1.0
    if typing.TYPE_CHECKING:
        raise
    NumberType = typing.Union[  # noqa: F401
        typing.SupportsFloat, typing.SupportsInt, typing.SupportsComplex
    ]

ComponentSingleType = typing.Union[str, int, float, Component, None]
ComponentType = typing.Union[
    ComponentSingleType,
    typing.Sequence[ComponentSingleType],
]


class Select(Component):
    """A Select component.
The browser's own list of choices, used like dcc.Dropdown. That one has a focusable part that assistive technology
 cannot see, knows no headings, and is no wheel on a phone.

Keyword arguments:

- id (string; optional):
    Unique name of the component in callbacks, such as {\"type\":
    \"field\", \"name\": \"sampling\"}.

- disabled (boolean; optional):
    It cannot be changed now.

- label (string; optional):
    Name for those who do not see its label.

- options (boolean | number | string | dict | list; optional):
    What can be chosen: pairs of value and text, or of a heading and
    the pairs under it.

- setProps (optional):
    Dash's way of telling a change.

- value (string; optional):
    What is chosen; set by callbacks too. A value that is no option is
    shown as it is."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Select'


    def __init__(
        self,
        id: typing.Optional[typing.Union[str, dict]] = None,
        options: typing.Optional[typing.Any] = None,
        value: typing.Optional[typing.Union[str]] = None,
        disabled: typing.Optional[typing.Union[bool]] = None,
        label: typing.Optional[typing.Union[str]] = None,
        **kwargs
    ):
        self._prop_names = ['id', 'disabled', 'label', 'options', 'setProps', 'value']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['id', 'disabled', 'label', 'options', 'setProps', 'value']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args}

        super(Select, self).__init__(**args)

setattr(Select, "__init__", _explicitize_args(Select.__init__))
