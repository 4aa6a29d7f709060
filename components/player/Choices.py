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


class Choices(Component):
    """A Choices component.
Check boxes, or radio buttons where one of them is on; used like dcc.Checklist and dcc.RadioItems, whose boxes stand
 inside of list options, where assistive technology cannot reach them.

Keyword arguments:

- id (string; optional):
    Unique name of the component in callbacks.

- marks (string; optional):
    Each option carries its value in this data attribute, for styles:
    \"method\" makes it data-method.

- multiple (boolean; optional):
    Several can be chosen.

- optionClassName (string; optional):
    CSS class of each option's label.

- options (list of dicts; optional):
    What can be chosen: a list of {\"value\", \"label\"}, with
    \"title\" (shown on hover) and \"help\" (read in place of the
    label) where they are wanted.

- setProps (optional):
    Dash's way of telling a change.

- value (string | list of strings; optional):
    What is chosen: a list of values, or one value where only one can
    be."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Choices'


    def __init__(
        self,
        id: typing.Optional[typing.Union[str, dict]] = None,
        options: typing.Optional[typing.Union[typing.Sequence[dict]]] = None,
        value: typing.Optional[typing.Union[str, typing.Sequence[str]]] = None,
        multiple: typing.Optional[typing.Union[bool]] = None,
        optionClassName: typing.Optional[typing.Union[str]] = None,
        marks: typing.Optional[typing.Union[str]] = None,
        **kwargs
    ):
        self._prop_names = ['id', 'marks', 'multiple', 'optionClassName', 'options', 'setProps', 'value']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['id', 'marks', 'multiple', 'optionClassName', 'options', 'setProps', 'value']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args}

        super(Choices, self).__init__(**args)

setattr(Choices, "__init__", _explicitize_args(Choices.__init__))
