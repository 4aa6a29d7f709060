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


class Entry(Component):
    """An Entry component.
A native input, text area or choice, with a slider where it is a number with bounds. What is entered is told;
 what it shows is set by callbacks.

Keyword arguments:

- id (string; optional):
    Unique name of the component in callbacks, such as {\"type\":
    \"field\", \"name\": \"width\"}.

- className (string; optional):
    CSS class of the input.

- describedBy (string; optional):
    Ids of the elements that describe it.

- disabled (boolean; optional):
    It cannot be changed now.

- edit (dict; optional):
    Told with what was entered, {\"value\", \"done\", \"n\"}: `done`
    when the hand lets go, else after a pause in typing.

- element (string; optional):
    Id of the input itself, for its label.

- invalid (boolean; optional):
    What stands in it was refused.

- kind (a value equal to: 'number', 'text', 'area', 'select'; required):
    One line, a number, several lines, or a choice.

- label (string; optional):
    Name for those who do not see its label.

- logarithmic (boolean; optional):
    The slider counts powers.

- options (boolean | number | string | dict | list; optional):
    The options of a select, pairs of value and text; or of a heading
    and the options under it.

- placeholder (string; optional):
    What stands there while it is empty.

- readOnly (boolean; optional):
    It is there to be read and copied.

- rows (number; optional):
    How many lines a text area shows.

- setProps (optional):
    Dash's way of telling a change.

- slider (list of numbers; optional):
    A slider beside the number: its lower and upper end.

- text (string; optional):
    What it shows; set by callbacks, never told. Somebody who types is
    not interrupted.

- whole (boolean; optional):
    Whole numbers only."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Entry'


    def __init__(
        self,
        id: typing.Optional[typing.Union[str, dict]] = None,
        element: typing.Optional[typing.Union[str]] = None,
        options: typing.Optional[typing.Any] = None,
        kind: typing.Optional[Literal["number", "text", "area", "select"]] = None,
        text: typing.Optional[typing.Union[str]] = None,
        edit: typing.Optional[typing.Union[dict]] = None,
        slider: typing.Optional[typing.Union[typing.Sequence[NumberType]]] = None,
        logarithmic: typing.Optional[typing.Union[bool]] = None,
        whole: typing.Optional[typing.Union[bool]] = None,
        disabled: typing.Optional[typing.Union[bool]] = None,
        invalid: typing.Optional[typing.Union[bool]] = None,
        readOnly: typing.Optional[typing.Union[bool]] = None,
        rows: typing.Optional[typing.Union[NumberType]] = None,
        className: typing.Optional[typing.Union[str]] = None,
        placeholder: typing.Optional[typing.Union[str]] = None,
        label: typing.Optional[typing.Union[str]] = None,
        describedBy: typing.Optional[typing.Union[str]] = None,
        **kwargs
    ):
        self._prop_names = ['id', 'className', 'describedBy', 'disabled', 'edit', 'element', 'invalid', 'kind', 'label', 'logarithmic', 'options', 'placeholder', 'readOnly', 'rows', 'setProps', 'slider', 'text', 'whole']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['id', 'className', 'describedBy', 'disabled', 'edit', 'element', 'invalid', 'kind', 'label', 'logarithmic', 'options', 'placeholder', 'readOnly', 'rows', 'setProps', 'slider', 'text', 'whole']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args}

        for k in ['kind']:
            if k not in args:
                raise TypeError(
                    'Required argument `' + k + '` was not specified.')

        super(Entry, self).__init__(**args)

setattr(Entry, "__init__", _explicitize_args(Entry.__init__))
