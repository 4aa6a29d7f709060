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


class Tick(Component):
    """A Tick component.
A check box, or one of a group of radio buttons.

Keyword arguments:

- id (string; optional):
    Unique name of the component in callbacks.

- edit (dict; optional):
    Told when it was ticked or cleared: {\"value\", \"done\", \"n\"}.

- element (string; optional):
    Id of the input itself.

- group (string; optional):
    One of several, of which one is on: the name that they share.

- label (string; optional):
    Name for those who do not see its label.

- on (boolean; default False):
    Whether it is ticked; set by callbacks.

- setProps (optional):
    Dash's way of telling a change."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Tick'


    def __init__(
        self,
        id: typing.Optional[typing.Union[str, dict]] = None,
        element: typing.Optional[typing.Union[str]] = None,
        on: typing.Optional[typing.Union[bool]] = None,
        edit: typing.Optional[typing.Union[dict]] = None,
        group: typing.Optional[typing.Union[str]] = None,
        label: typing.Optional[typing.Union[str]] = None,
        **kwargs
    ):
        self._prop_names = ['id', 'edit', 'element', 'group', 'label', 'on', 'setProps']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['id', 'edit', 'element', 'group', 'label', 'on', 'setProps']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args}

        super(Tick, self).__init__(**args)

setattr(Tick, "__init__", _explicitize_args(Tick.__init__))
