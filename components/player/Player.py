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


class Player(Component):
    """A Player component.
Plays one race of runs: tabs of the runs, a timeline with its stages, and the sentence about the moment.
 Every Panel inside shows the same moment.

Keyword arguments:

- children (a list of or a singular dash component, string or number; optional):
    The panels, anywhere inside; they stand between the tabs of the
    runs and the timeline.

- id (string; optional):
    Unique name of the component in callbacks.

- above (a list of or a singular dash component, string or number; optional):
    What stands above the timeline.

- at (number; optional):
    The moment, as an epoch; nothing means the latest frame, which is
    then followed.

- below (a list of or a singular dash component, string or number; optional):
    What stands below the sentence.

- beside (a list of or a singular dash component, string or number; optional):
    What stands beside the sentence.

- className (string; optional):
    CSS class of the whole.

- edit (dict; optional):
    The network that was edited by hand, {\"neuron\", \"b\", \"c\",
    \"loss\", \"loss_before\", \"method\"}; None once dropped.

- ids (dict with strings as keys and values of type string; optional):
    Ids of the parts, for styles: \"tabs\", \"bar\", \"timeline\",
    \"story\".

- moment (dict; optional):
    Told every 150 ms at most, and when the moment rests: {\"epoch\",
    \"run\", \"frames\": {run id: frame}, \"stage\", \"stages\",
    \"selected\", \"cause\", \"following\", \"playing\",
    \"sentence\"}.

- neuron (number; optional):
    The chosen neuron, counted from 1; 0 for none.

- race (list of dicts; optional):
    The runs to show: a list of {\"id\", \"method\", \"query\",
    \"epochs\"} and how each looks (components/common/run_styles.py).
    What is loaded already stays.

- record (dict; optional):
    Told while the tables are on screen and the record of forecasts is
    old: {\"run\", \"head\", \"running\", \"forecasting\"}.

- selected (string; optional):
    The run whose pictures the one-run panels show, by its name: that
    of its method, where this tells the runs apart. Told when runs are
    opened and when the tabs choose another; set by a callback, it is
    as if the tabs had.

- setProps (optional):
    Dash's way of telling a change.

- stages (dict; optional):
    Told while the tables are on screen and old: {\"run\", \"head\",
    \"count\", \"end\", \"status\"}, the selected run, how many of its
    frames are shown where that is not all, how many stages it has,
    where its last plateau ends and whether there may be more.

- status (list of dicts; optional):
    Told when the server has answered: one entry for each run, with
    \"id\", \"name\", \"method\", \"status\", \"epoch\", \"budget\".

- story (string; required):
    The parts of the sentence about the moment, as HTML
    (components/player/parts.py).

- tables (string; optional):
    Id of the element with the tables of plateaus, forecasts and
    stages, if the page has them.

- timeline (string; required):
    The parts of the timeline, as HTML (components/player/parts.py).

- xaxis (string; optional):
    What the horizontal axis of the histories counts: a key of
    components/common/view.py's TIMES.

- zoom (list of numbers; optional):
    The part of the time axis that is looked at, [from, to] in what it
    counts; nothing for all of it."""
    _children_props: typing.List[str] = ['above', 'beside', 'below']
    _base_nodes = ['above', 'beside', 'below', 'children']
    _namespace = 'plateau_lab'
    _type = 'Player'


    def __init__(
        self,
        children: typing.Optional[ComponentType] = None,
        id: typing.Optional[typing.Union[str, dict]] = None,
        className: typing.Optional[typing.Union[str]] = None,
        timeline: typing.Optional[str] = None,
        story: typing.Optional[str] = None,
        ids: typing.Optional[typing.Union[typing.Dict[typing.Union[str, float, int], str]]] = None,
        tables: typing.Optional[typing.Union[str]] = None,
        above: typing.Optional[ComponentType] = None,
        beside: typing.Optional[ComponentType] = None,
        below: typing.Optional[ComponentType] = None,
        race: typing.Optional[typing.Union[typing.Sequence[dict]]] = None,
        at: typing.Optional[typing.Union[NumberType]] = None,
        selected: typing.Optional[typing.Union[str]] = None,
        xaxis: typing.Optional[typing.Union[str]] = None,
        zoom: typing.Optional[typing.Union[typing.Sequence[NumberType]]] = None,
        neuron: typing.Optional[typing.Union[NumberType]] = None,
        moment: typing.Optional[typing.Union[dict]] = None,
        status: typing.Optional[typing.Union[typing.Sequence[dict]]] = None,
        stages: typing.Optional[typing.Union[dict]] = None,
        record: typing.Optional[typing.Union[dict]] = None,
        edit: typing.Optional[typing.Union[dict]] = None,
        **kwargs
    ):
        self._prop_names = ['children', 'id', 'above', 'at', 'below', 'beside', 'className', 'edit', 'ids', 'moment', 'neuron', 'race', 'record', 'selected', 'setProps', 'stages', 'status', 'story', 'tables', 'timeline', 'xaxis', 'zoom']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['children', 'id', 'above', 'at', 'below', 'beside', 'className', 'edit', 'ids', 'moment', 'neuron', 'race', 'record', 'selected', 'setProps', 'stages', 'status', 'story', 'tables', 'timeline', 'xaxis', 'zoom']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args if k != 'children'}

        for k in ['story', 'timeline']:
            if k not in args:
                raise TypeError(
                    'Required argument `' + k + '` was not specified.')

        super(Player, self).__init__(children=children, **args)

setattr(Player, "__init__", _explicitize_args(Player.__init__))
