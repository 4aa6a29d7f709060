"""How trained numbers are told: in the units and by the names of the data that people brought.

Training works on data of size one (core.problem.units), and nobody wants to read about those. A network
f(x) = sum_j c_j max(x - b_j, 0) of mapped data is the function y_origin + y_unit f((x - x_origin) / x_unit)
of the data's own x: its bends stand at x_origin + x_unit b_j, its slopes change by c_j y_unit / x_unit, and
its mean squared loss is y_unit^2 times the trained one, in squared units of y.
"""

from typing import Any, NamedTuple


class Scale(NamedTuple):
    """Origin, unit and name of x and of y; by default numbers are told as they are."""

    x_origin: float = 0.0
    x_unit: float = 1.0
    y_origin: float = 0.0
    y_unit: float = 1.0
    title: str = ""
    """What the data are called; empty where they have no name."""
    x_name: str = ""
    y_name: str = ""
    dates: bool = False
    """Whether x counts days since 1 January 1970."""

    @property
    def is_plain(self) -> bool:
        """Whether numbers are told as they are trained."""
        return self[:4] == (0.0, 1.0, 0.0, 1.0)

    def x(self, value: Any) -> Any:
        """A trained x, or an array of them, in the data's units."""
        return self.x_origin + self.x_unit * value

    def y(self, value: Any) -> Any:
        """A trained y, or an array of them, in the data's units."""
        return self.y_origin + self.y_unit * value

    def slope(self, value: Any) -> Any:
        """A trained slope or coefficient in the data's units."""
        return self.y_unit / self.x_unit * value

    def loss(self, value: Any) -> Any:
        """A trained loss in squared units of y."""
        return self.y_unit * self.y_unit * value


PLAIN = Scale()
