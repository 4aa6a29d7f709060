"""Numbers, counts and places as sentences write them; the browser writes them by the same rules."""

from math import isfinite

from core.model.loss import mean_square
from core.problem.data import TrainingData

NEGLIGIBLE = 1e-5
"""An excess below this part of the floor is called less than 0.001 %."""

ROUNDING = 1e-28
"""A loss below this part of the mean of y^2 is rounding, and is told as 0."""

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(x: float, digits: int = 3) -> str:
    """So many significant digits; 2.71·10⁻⁴ style below 0.001 and from 10,000 on."""
    if not isfinite(x):
        return "undefined" if x != x else "∞" if x > 0 else "−∞"
    if x == 0:
        return "0"
    mantissa, exponent = f"{abs(x):.{digits - 1}e}".split("e")
    power = int(exponent)
    sign = "−" if x < 0 else ""
    if -3 <= power < 4:
        plain = f"{float(f'{mantissa}e{power}'):.{max(0, digits - 1 - power)}f}"
        return sign + (plain.rstrip("0").rstrip(".") if "." in plain else plain)
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    factor = "" if mantissa == "1" else mantissa + "·"
    return f"{sign}{factor}10{str(power).translate(_SUPERSCRIPTS)}"


def rounding_of(data: TrainingData) -> float:
    """The loss below which all is rounding."""
    return ROUNDING * mean_square(data, data.y)


def known(data: TrainingData, loss: float) -> float:
    """A loss or a floor as sentences tell it: what is rounding beside the data is 0."""
    return loss if loss > rounding_of(data) else 0.0


def count(epochs: float) -> str:
    """A number of epochs: whole and in full up to a million."""
    return f"{epochs:,.0f}" if epochs < 1e6 and epochs == int(epochs) else number(epochs)


def position(data: TrainingData, k: int) -> str:
    """x_k with as many digits, three at least, as tell it from its neighbours."""
    beside = [float(data.x[i]) for i in (k - 1, k + 1) if 0 <= i < data.x.size]
    x = float(data.x[k])
    for digits in range(3, 18):
        if number(x, digits) not in [number(other, digits) for other in beside]:
            break
    return f"x = {number(x, digits)}"


def percentage(loss: float, floor: float) -> str:
    """How far the loss is above the floor: in per cent, or as it is where the floor is far below it."""
    above = loss - floor
    if floor > 0 and above <= NEGLIGIBLE * floor:
        return "less than 0.001 %"
    if floor > 0 and above <= 10 * floor:
        return f"{number(100 * above / floor, 2)} %"
    return number(max(above, 0.0))


def fill(template: str, loss: float, floor: float) -> str:
    """Put a moment's numbers in a stage's template."""
    return template.replace("{loss}", number(loss)).replace("{excess}", percentage(loss, floor))
