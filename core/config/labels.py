"""How numbers are told to people: what the data, their x and their y are called, and their units."""

from ..problem.scale import Scale
from ..problem.units import Units
from ..spelling import FieldError, shorten

LONGEST_LABEL = 60


def read_labels(text: str) -> tuple[str, str, str]:
    """What the data, their x and their y are called; empty where nothing is said."""
    parts = text.split("|")
    if len(parts) > 3 or any(len(part) > LONGEST_LABEL or not part.isprintable() for part in parts):
        raise FieldError(
            "labels",
            f"{shorten(text)!r} is not allowed; allowed are up to three names of {LONGEST_LABEL} characters, "
            "as in nile|year|flow",
        )
    title, x_name, y_name = (*(part.strip() for part in parts), "", "")[:3]
    return title, x_name, y_name


def scale_of(units: tuple[float, ...], labels: str, calendar: str) -> Scale:
    """How numbers are told to people: these fields of a problem together."""
    title, x_name, y_name = read_labels(labels)
    origins = Units(*units) if units else Units(0.0, 1.0, 0.0, 1.0)
    return Scale(*origins, title, x_name, y_name, calendar == "yes")


def write_labels(*names: str) -> str:
    """The names of data as a link holds them, without what cannot be printed or would part them.

    Parameters
    ----------
    names
        What the data, their x and their y are called.

    Returns
    -------
    str
        The names, with a bar between them.

    Examples
    --------
    >>> from core.config import write_labels
    >>> write_labels("nile", "year", "flow|m")
    'nile|year|flow m'
    """
    clean = ["".join(sign if sign.isprintable() and sign != "|" else " " for sign in name) for name in names]
    return "|".join(shorten(" ".join(name.split()), LONGEST_LABEL) for name in clean).rstrip("|")
