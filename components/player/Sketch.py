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


class Sketch(Component):
    """A Sketch component.
A small picture of the data. Where they are somebody's own it is a pad to draw them on (draw/pad.ts); the text
 beside it holds the same points and is the way for the keyboard.

Keyword arguments:

- id (string; optional):
    Unique name of the component in callbacks.

- csv (string; optional):
    The points that were drawn by hand, as CSV.

- element (string; optional):
    Id of the element.

- n_edits (number; optional):
    How often they were changed by hand.

- picture (dict; optional):
    What is drawn: {\"m\", \"x\", \"y\", \"curve\", \"editable\"}, or
    \"rows\" of texts in place of the coordinates.

- setProps (optional):
    Dash's way of telling a change."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Sketch'


    def __init__(
        self,
        id: typing.Optional[typing.Union[str, dict]] = None,
        element: typing.Optional[typing.Union[str]] = None,
        picture: typing.Optional[typing.Union[dict]] = None,
        csv: typing.Optional[typing.Union[str]] = None,
        n_edits: typing.Optional[typing.Union[NumberType]] = None,
        **kwargs
    ):
        self._prop_names = ['id', 'csv', 'element', 'n_edits', 'picture', 'setProps']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['id', 'csv', 'element', 'n_edits', 'picture', 'setProps']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args}

        super(Sketch, self).__init__(**args)

setattr(Sketch, "__init__", _explicitize_args(Sketch.__init__))
