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


class Panel(Component):
    """A Panel component.
Fills the plot of the dcc.Graph inside it with the runs of the Player, at its moment, and lays a canvas over it
 for what moves. The graph's traces say in their `meta` which columns of the frames they want.

Keyword arguments:

- children (a list of or a singular dash component, string or number; optional):
    A dcc.Graph; it is mounted once the panel is seen and there are
    runs to show.

- id (string; optional):
    Unique name of the component in callbacks.

- answer (dict; optional):
    Set by a callback when a figure was made, or not: {\"asked\": the
    number of the request, \"late\": there was no time for it, so that
    what is shown then is told once more, \"error\": why there is
    none}.

- className (string; optional):
    CSS class of the drawing area.

- describedBy (string; optional):
    Id of the element that describes the picture.

- labelledBy (string; optional):
    Id of the element that names the picture.

- moment (dict; optional):
    Of a served panel, told when it is on screen and the moment has
    come to rest: {\"run\", \"head\" (how many of its frames are
    shown, where that is not all), \"frame\", \"epoch\", \"neuron\"
    (counted from 1, 0 for none), \"theme\", \"size\" (\"screen\" or
    \"present\"), \"asked\" (the number of the request)}.

- name (string; required):
    Name of the panel: its figure for the theme of the page is known
    by it.

- served (boolean; optional):
    The figure is made in Python: the graph is left alone, and
    `moment` is told instead.

- setProps (optional):
    Dash's way of telling a change."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Panel'


    def __init__(
        self,
        children: typing.Optional[ComponentType] = None,
        id: typing.Optional[typing.Union[str, dict]] = None,
        className: typing.Optional[typing.Union[str]] = None,
        name: typing.Optional[str] = None,
        served: typing.Optional[typing.Union[bool]] = None,
        moment: typing.Optional[typing.Union[dict]] = None,
        answer: typing.Optional[typing.Union[dict]] = None,
        labelledBy: typing.Optional[typing.Union[str]] = None,
        describedBy: typing.Optional[typing.Union[str]] = None,
        **kwargs
    ):
        self._prop_names = ['children', 'id', 'answer', 'className', 'describedBy', 'labelledBy', 'moment', 'name', 'served', 'setProps']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['children', 'id', 'answer', 'className', 'describedBy', 'labelledBy', 'moment', 'name', 'served', 'setProps']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args if k != 'children'}

        for k in ['name']:
            if k not in args:
                raise TypeError(
                    'Required argument `' + k + '` was not specified.')

        super(Panel, self).__init__(children=children, **args)

setattr(Panel, "__init__", _explicitize_args(Panel.__init__))
