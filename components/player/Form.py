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


class Form(Component):
    """A Form component.
The settings' line to the server; it shows nothing itself.

Keyword arguments:

- id (string; optional):
    Unique name of the component in callbacks.

- answer (dict; optional):
    What it came to; the link is written as soon as it is here.

- question (dict; optional):
    Told when something was done: {\"serial\", \"cause\", \"config\",
    \"view\", \"edits\", \"shown\"}
    (components/pages/lab/form_answer.py).

- setProps (optional):
    Dash's way of telling a change."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Form'


    def __init__(
        self,
        id: typing.Optional[typing.Union[str, dict]] = None,
        question: typing.Optional[typing.Union[dict]] = None,
        answer: typing.Optional[typing.Union[dict]] = None,
        **kwargs
    ):
        self._prop_names = ['id', 'answer', 'question', 'setProps']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['id', 'answer', 'question', 'setProps']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args}

        super(Form, self).__init__(**args)

setattr(Form, "__init__", _explicitize_args(Form.__init__))
