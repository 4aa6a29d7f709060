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
Plain elements with living components in their places, as one component: Dash looks after each of its own.

Keyword arguments:

- children (a list of or a singular dash component, string or number; optional):
    The components that stand between the elements.

- id (string; optional):
    Unique name of the component in callbacks.

- setProps (optional):
    Dash's way of telling a change.

- tree (list of dicts; required):
    The elements, which no callback names
    (components/pages/lab/still.py).

    `tree` is a list of dicts with keys:
"""
    _children_props: typing.List[str] = []
    _base_nodes = ['children']
    _namespace = 'plateau_lab'
    _type = 'Markup'
    Tree = TypedDict(
        "Tree",
            {

        }
    )


    def __init__(
        self,
        children: typing.Optional[ComponentType] = None,
        id: typing.Optional[typing.Union[str, dict]] = None,
        tree: typing.Optional[typing.Sequence["Tree"]] = None,
        **kwargs
    ):
        self._prop_names = ['children', 'id', 'setProps', 'tree']
        self._valid_wildcard_attributes =            []
        self.available_properties = ['children', 'id', 'setProps', 'tree']
        self.available_wildcard_properties =            []
        _explicit_args = kwargs.pop('_explicit_args')
        _locals = locals()
        _locals.update(kwargs)  # For wildcard attrs and excess named props
        args = {k: _locals[k] for k in _explicit_args if k != 'children'}

        for k in ['tree']:
            if k not in args:
                raise TypeError(
                    'Required argument `' + k + '` was not specified.')

        super(Markup, self).__init__(children=children, **args)

setattr(Markup, "__init__", _explicitize_args(Markup.__init__))
