"""The inks of components.common.theme as a style sheet, for every page and for files that are taken away."""

from components.common.theme import THEME_NAMES, css_variables, method_colour, method_dash
from core.methods import METHODS


def theme_styles() -> str:
    """The inks of both themes and a variable for every method's colour, from common.theme alone."""
    rules = []
    for theme in THEME_NAMES:
        inks = {
            **css_variables(theme),
            **{f"--method-{name}": method_colour(theme, name) for name in METHODS},
        }
        # Dash declares its own variables on :root in a later sheet: name the element and the state as well.
        rules.append(
            f'html[data-theme="{theme}"]:root{{{";".join(f"{key}:{value}" for key, value in inks.items())}}}'
        )
        strong = css_variables(theme, present=True)
        rules.append(
            f'html[data-present][data-theme="{theme}"]:root{{'
            f"{';'.join(f'{key}:{value}' for key, value in strong.items())}}}"
        )
    rules += [
        f'[data-method="{name}"]{{--chip:var(--method-{name});--dash:{swatch(method_dash(name))}}}'
        for name in METHODS
    ]
    return "\n".join(rules)


def swatch(dash: str, ink: str = "var(--chip)") -> str:
    """A line style as the background of a swatch."""
    at, stops = 0, []
    for i, length in enumerate([] if dash == "solid" else dash.split(",")):
        begin, at = at, at + int(length.removesuffix("px"))
        stops.append(f"{'transparent' if i % 2 else ink} {begin}px {at}px")
    return f"repeating-linear-gradient(90deg,{','.join(stops) or f'{ink} 0 1px'})"
