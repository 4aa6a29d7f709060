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
A picture of the runs of the Player around it, at its moment: one that the player draws itself from the columns of the
 frames, or what Python makes of the moment.

Keyword arguments:

- children (a list of or a singular dash component, string or number; optional):
    What Python draws, mostly a dcc.Graph: it is left alone, mounted
    once the panel is seen, and `moment` is told.

- id (string; optional):
    Unique name of the component in callbacks.

- answer (dict; optional):
    A callback may say what became of a request: {\"asked\": its
    number, \"late\": there was no time for it, so that what is shown
    then is told once more, \"error\": a sentence that is shown in
    place of the picture}.

    `answer` is a dict with keys:

    - asked (number; optional)

    - late (boolean; optional)

    - error (string; optional)

- className (string; optional):
    CSS class of the drawing area.

- describedBy (string; optional):
    Id of the element that describes the picture; the player writes
    it.

- labelledBy (string; optional):
    Id of the element that names the picture.

- moment (dict; optional):
    Of a panel with children, told when it is on screen and the moment
    has come to rest: {\"run\", \"head\" (how many of its frames are
    shown, where that is not all), \"frame\", \"epoch\", \"neuron\"
    (counted from 1, 0 for none), \"theme\", \"size\" (\"screen\" or
    \"present\"), \"asked\" (the number of the request)}.

- name (string; required):
    Name of the panel. Without children the player draws the figure
    that it knows by this name (/api/panels).

- setProps (optional):
    Dash's way of telling a change.

- table (string; optional):
    Id of the element that shows the numbers as a table; the player
    fills it while it is not hidden."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Panel'
    Answer = TypedDict(
        "Answer",
            {
            "asked": NotRequired[typing.Union[NumberType]],
            "late": NotRequired[typing.Union[bool]],
            "error": NotRequired[typing.Union[str]]
        }
    )


    def __init__(
        self,
        children: typing.Optional[ComponentType] = None,
        id: typing.Optional[typing.Union[str, dict]] = None,
        className: typing.Optional[typing.Union[str]] = None,
        name: typing.Optional[str] = None,
        moment: typing.Optional[typing.Union[dict]] = None,
        answer: typing.Optional[typing.Union["Answer"]] = None,
        labelledBy: typing.Optional[typing.Union[str]] = None,
        describedBy: typing.Optional[typing.Union[str]] = None,
        table: typing.Optional[typing.Union[str]] = None,
        **kwargs
    ):
        self._prop_names = ['children', 'id', 'answer', 'className', 'describedBy', 'labelledBy', 'moment', 'name', 'setProps', 'table']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['children', 'id', 'answer', 'className', 'describedBy', 'labelledBy', 'moment', 'name', 'setProps', 'table']
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
