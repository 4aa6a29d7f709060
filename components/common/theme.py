"""Colours and type, one place for light and dark.

Data are in colour, everything else is ink on paper. Methods wear the Okabe–Ito
colours, which stay apart under every common colour blindness, and a line style
each, so that a print in grey still reads. Neurons wear a perceptual sequence by
initial position: neighbours look alike, and the sequence is cut at the end that
would vanish against the page.
"""

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from core.types import FloatArray

ThemeName = Literal["light", "dark"]
THEME_NAMES: tuple[ThemeName, ...] = ("light", "dark")

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Theme:
    """The inks of one theme; every field is a CSS variable of the same name too."""

    paper: str
    panel: str
    ink: str
    muted: str
    faint: str
    line: str
    accent: str
    accent_ink: str
    error: str
    tint: str


THEMES: dict[str, Theme] = {
    "light": Theme(
        paper="#f7f4ee",
        panel="#fffdf9",
        ink="#1c1b19",
        muted="#5c5850",
        faint="#8b867b",
        line="#ddd7cb",
        accent="#0b6b63",
        accent_ink="#ffffff",
        error="#b3261e",
        tint="rgba(74, 62, 38, 0.055)",
    ),
    "dark": Theme(
        paper="#15171c",
        panel="#1c1f26",
        ink="#ece9e2",
        muted="#aeaaa1",
        faint="#7f7d78",
        line="#363b46",
        accent="#63c8ba",
        accent_ink="#0c1f1d",
        error="#ff8a80",
        tint="rgba(236, 233, 226, 0.055)",
    ),
}

PRESENT_THEMES: dict[str, Theme] = {
    "light": replace(
        THEMES["light"],
        paper="#ffffff",
        panel="#ffffff",
        ink="#000000",
        muted="#2b2a27",
        faint="#55524b",
        line="#c4beb1",
    ),
    "dark": replace(
        THEMES["dark"],
        paper="#000000",
        panel="#07090c",
        ink="#ffffff",
        muted="#dedbd4",
        faint="#aba8a1",
        line="#4a505d",
    ),
}
"""For a projector, which washes out whatever is faint: black on white, white on black."""

LABEL_FONT_SIZE = 12
"""Of all that is written in a figure, as `--type-label` on the page."""
POWER_FONT_SIZE = 10
"""Of ticks such as 10³, which Plotly writes a quarter larger than it is told: 12 with the axis titles."""

METHOD_COLOURS: dict[str, dict[str, str]] = {
    "light": {
        "gd": "#0072b2",
        "anls": "#d55e00",
        "anls_plus": "#b8598d",
        "adaptive_width": "#785a37",
        "adam": "#c98a00",
        "ls_gd": "#009e73",
        "ls_adam": "#3d9fd6",
        "flow": "#1c1b19",
        "lsq": "#7d7d7d",
        "momentum": "#7800ff",
        "nesterov": "#b44bff",
        "gauss_newton": "#870000",
        "sggn": "#691e5a",
        "varpro": "#6900b4",
        "lbfgs": "#003c87",
        "sgd": "#a5874b",
    },
    "dark": {
        "gd": "#3f97d3",
        "anls": "#f0803c",
        "anls_plus": "#d98bb7",
        "adaptive_width": "#b4f0a5",
        "adam": "#e69f00",
        "ls_gd": "#1fb98d",
        "ls_adam": "#7cc8f2",
        "flow": "#ece9e2",
        "lsq": "#9a9a9a",
        "momentum": "#c32d96",
        "nesterov": "#8787ff",
        "gauss_newton": "#a55a0f",
        "sggn": "#d2005a",
        "varpro": "#a50ff0",
        "lbfgs": "#695ac3",
        "sgd": "#ffd269",
    },
}
"""Okabe–Ito, darkened on white and lightened on black until each stands 3:1 against its panel. Those
of the rivals were searched for: each is at least 15 from any other in CIELAB, to every kind of eye."""

OVERLAY_COLOURS: dict[str, tuple[str, ...]] = {
    "light": ("#0072b2", "#c44b00", "#009e73", "#b8598d", "#c98a00", "#3d9fd6", "#1c1b19", "#4b0082"),
    "dark": ("#3f97d3", "#f0803c", "#1fb98d", "#d98bb7", "#e69f00", "#7cc8f2", "#ece9e2", "#f0e442"),
}
"""For runs that differ in more than the method: eight that stay apart under every common colour blindness."""

METHOD_DASHES: dict[str, str] = {
    "gd": "solid",
    "anls": "8px,2px",
    "anls_plus": "10px,3px,2px,3px",
    "adaptive_width": "6px,2px,6px,4px",
    "adam": "5px,3px",
    "ls_gd": "6px,2px,2px,2px",
    "ls_adam": "3px,2px",
    "flow": "2px,2px",
    "lsq": "1px,3px",
    "momentum": "12px,3px",
    "nesterov": "12px,3px,4px,3px",
    "gauss_newton": "4px,2px,1px,2px",
    "sggn": "7px,2px,1px,2px,1px,2px",
    "varpro": "4px,4px",
    "lbfgs": "9px,2px,3px,2px",
    "sgd": "1px,2px,5px,2px",
}

NEURON_COLOURS: dict[str, tuple[str, ...]] = {
    "light": (
        *("#0d0887", "#300596", "#5103a1", "#6c01a7", "#860ca3", "#a01a9b"),
        *("#b42e8c", "#c7427c", "#d7566c", "#e0645d", "#e07340", "#d98218"),
    ),
    "dark": (
        *("#b968d8", "#c65cc0", "#d056a6", "#d9568d", "#df6263", "#ea7456"),
        *("#f28849", "#fa9b3c", "#fcb131", "#fdc827", "#f7e024", "#f0f921"),
    ),
}
"""Plasma without its invisible end: twelve groups, the neurons share them by rank of initial bias."""


def neuron_groups(b: FloatArray) -> list[int]:
    """The place of each neuron in `NEURON_COLOURS`: its rank by initial bias b, spread over the colours.

    `Style.group` of the player says the same.
    """
    groups = len(NEURON_COLOURS["light"])
    ranks = np.argsort(np.argsort(b, kind="stable"), kind="stable")
    return [min(groups - 1, int(rank) * groups // max(1, len(ranks) - 1)) for rank in ranks]


def css_variables(theme: str, *, present: bool = False) -> dict[str, str]:
    """The theme as CSS custom properties."""
    inks = (PRESENT_THEMES if present else THEMES)[theme]
    return {f"--{field.name.replace('_', '-')}": str(getattr(inks, field.name)) for field in fields(Theme)}


def method_colour(theme: str, method: str) -> str:
    """The colour of a method; one that is not in the table yet is drawn in muted ink."""
    return METHOD_COLOURS[theme].get(method, THEMES[theme].muted)


def method_dash(method: str) -> str:
    """The line style of a method; long dashes for one that is not in the table yet."""
    return METHOD_DASHES.get(method, "14px,4px")


def stronger_inks(theme: str) -> dict[str, str]:
    """The colour that present mode has in the place of each of the theme's."""
    usual, strong = css_variables(theme), css_variables(theme, present=True)
    return {usual[name]: strong[name] for name in usual}


def template(theme: str) -> dict[str, Any]:
    """What every figure of a theme shares, as a plain layout dictionary.

    A plain dictionary, not a Plotly template object: building one is ten times
    slower, and the page merges it into each figure only once.
    """
    inks = THEMES[theme]
    axis = {
        "gridcolor": inks.line,
        "gridwidth": 0.5,
        "linecolor": inks.faint,
        "linewidth": 1,
        "showline": True,
        "zeroline": False,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": inks.faint,
        "tickfont": {"size": LABEL_FONT_SIZE, "color": inks.muted},
        "title": {"font": {"size": LABEL_FONT_SIZE, "color": inks.muted}, "standoff": 6},
        "exponentformat": "power",
        "tickangle": 0,
        "minor": {"showgrid": False, "ticks": ""},
    }
    return {
        "font": {"family": FONT, "size": LABEL_FONT_SIZE, "color": inks.ink},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 62, "r": 14, "t": 6, "b": 40},
        "xaxis": axis,
        "yaxis": axis,
        "showlegend": False,
        "hovermode": False,
        "dragmode": "zoom",
        "autosize": True,
        "uirevision": "keep",
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": inks.faint, "activecolor": inks.ink},
    }
