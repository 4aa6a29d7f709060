"""Numbers, counts and places as sentences write them; the browser writes them by the same rules."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from ..model.pattern.gaps import hopped_datum, is_hopping
from ..problem.data import TrainingData
from ..problem.tables.dates import format_days
from ..types import IntArray

NEGLIGIBLE = 1e-5
"""An excess below this part of the floor is called less than 0.001 %."""

FAR = 10.0
"""An excess above so many times the floor is called far."""

DIGITS = range(3, 7)
"""A change is written with as many significant digits, of these, as show it."""

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


def count(epochs: float) -> str:
    """A number of epochs: whole and in full up to a million."""
    return f"{epochs:,.0f}" if epochs < 1e6 and epochs == int(epochs) else number(epochs)


def roughly(epochs: float) -> str:
    """A number of epochs that nobody needs exactly: two digits, in full up to a million."""
    rounded = float(f"{epochs:.1e}")
    return f"{rounded:,.0f}" if 10 <= rounded < 1e6 else number(rounded, 2)


def position(data: TrainingData, k: int) -> str:
    """The datum as sentences name it, such as "x = 0.31" or "year = 1871"."""
    return f"{data.scale.x_name or ('date' if data.scale.dates else 'x')} = {place_of_datum(data, k)}"


def place_of_datum(data: TrainingData, k: int) -> str:
    """x_k in the data's own units, with as many digits, three at least, as tell it from its neighbours."""
    scale = data.scale
    beside = [float(scale.x(data.x[i])) for i in (k - 1, k + 1) if 0 <= i < data.x.size]
    x = float(scale.x(data.x[k]))
    if scale.dates:
        return date_text(x, beside)
    for digits in range(3, 18):
        if number(x, digits) not in [number(other, digits) for other in beside]:
            break
    return number(x, digits)


def date_text(days: float, beside: Sequence[float] = ()) -> str:
    """A date, with the time of day where that alone tells it from its neighbours."""
    text = format_days(days)
    return format_days(days, time=True) if text in map(format_days, beside) else text


def place_of_bias(data: TrainingData, b: float) -> str:
    """A trained bias in the data's own units."""
    place = float(data.scale.x(b))
    return date_text(place) if data.scale.dates else number(place)


def loss_text(data: TrainingData, loss: float, digits: int = 3) -> str:
    """A trained loss in squared units of y."""
    return number(float(data.scale.loss(loss)), digits)


def percentage(loss: float, floor: float) -> str:
    """How far the loss is above the floor: in per cent, or 'far'; as it is where the floor is 0."""
    above = loss - floor
    if floor > 0 and above <= NEGLIGIBLE * floor:
        return "less than 0.001 %"
    if floor > 0:
        return f"{number(100 * above / floor, 2)} %" if above <= FAR * floor else "far"
    return number(max(above, 0.0))


def texts(before: float, now: float) -> tuple[str, str]:
    """Both with the fewest digits that tell them apart, if any of DIGITS do."""
    for digits in DIGITS:
        pair = number(before, digits), number(now, digits)
        if pair[0] != pair[1]:
            break
    return pair


def changed(before: float, now: float) -> str:
    """'falls from A to B', 'rises from A to B' or, where no digits that are shown differ, 'stays at A'."""
    old, new = texts(before, now)
    if old == new:
        return f"stays at {number(now)}"
    return f"{'falls' if now < before else 'rises'} from {old} to {new}"


def fill(template: str, loss: float, floor: float) -> str:
    """Put a moment's numbers in the template of a stage or a plateau."""
    filled = template.replace("{loss}", number(loss)).replace("{floor}", number(floor))
    return filled.replace("{excess}", percentage(loss, floor))


def hoppers(data: TrainingData, pin: IntArray) -> str:
    """'neuron 1 hops over x = 0.5, as do 2 more'."""
    hopping = np.flatnonzero(is_hopping(pin)).tolist()
    others = len(hopping) - 1
    more = f", as {'does' if others == 1 else 'do'} {others} more" if others else ""
    where = position(data, hopped_datum(int(pin[hopping[0]])))
    return f"neuron {hopping[0] + 1} hops over {where}{more}"
