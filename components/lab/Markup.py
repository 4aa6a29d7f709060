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


class Markup(Component):
    """A Markup component.
Parts of the page that no callback touches, as one component: Dash looks after each of its own.

Keyword arguments:

- id (string; optional):
    Unique name of the component in callbacks.

- className (string; optional):
    CSS class of the element.

- html (string; required):
    Finished HTML that never changes (components/static.py).

- setProps (optional):
    Dash's way of telling a change."""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Markup'


    def __init__(
        self,
        id: typing.Optional[typing.Union[str, dict]] = None,
        className: typing.Optional[typing.Union[str]] = None,
        html: typing.Optional[str] = None,
        **kwargs
    ):
        self._prop_names = ['id', 'className', 'html', 'setProps']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['id', 'className', 'html', 'setProps']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args}

        for k in ['html']:
            if k not in args:
                raise TypeError(
                    'Required argument `' + k + '` was not specified.')

        super(Markup, self).__init__(**args)

setattr(Markup, "__init__", _explicitize_args(Markup.__init__))
