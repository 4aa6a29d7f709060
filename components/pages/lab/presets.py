"""Starting points worth a click: the experiments of the paper and the gallery of targets.

A preset is a query and nothing else, so each is at the same time a link. Queries are written in canonical
spelling, so that the page knows them again in a link; a test holds them to it, and a start reads none.
"""

from dataclasses import dataclass

from components.pages.lab.first_visit import RACE
from core.problem import TARGETS


@dataclass(frozen=True)
class Preset:
    """A named link into the Lab."""

    name: str
    title: str
    query: str
    note: str
    group: str


PAPER = "Figures of the paper"
GALLERY = "Gallery"
MEASURED = "Measured"

_PAPER: tuple[tuple[str, str, str, str], ...] = (
    (
        "f1-anls",
        "f₁: GD stuck, ANLS out",
        "epochs=1e8,500&method=gd,anls&seed=11",
        "Gradient descent needs millions of epochs to leave a plateau. ANLS begins with the least-squares "
        "coefficients and is past it within 21 steps.",
    ),
    (
        "sin5",
        "sin(5πx): plateaus of GD",
        "target=sin5",
        "Look at the loss in three ranges: it stands, falls, stands again, on every scale.",
    ),
    (
        "sin5-race",
        "sin(5πx): GD beside ANLS",
        "epochs=1e6,500&method=gd,anls&target=sin5",
        "A few hundred least-squares steps go where a million gradient steps do not.",
    ),
    (
        "five",
        "Five data points",
        "epochs=1e7&seed=9&target=five",
        "Every inner bias ends exactly on a data point: pinned neurons.",
    ),
    (
        "candidates",
        "The seven candidates of ANLS",
        "method=anls&target=seven",
        "Each live neuron may cross one point on each side; the best of them is taken.",
    ),
    (
        "f1",
        "f₁: a fully trained network",
        "epochs=1e8&seed=11",
        "After 10⁸ epochs the network interpolates the macroscopic data.",
    ),
    (
        "f1-race",
        "f₁: six methods",
        "epochs=1e8,1e6,1,1e5,1e5,1000&method=gd,adam,lsq,ls_gd,ls_adam,anls&seed=11",
        "All start from the same network.",
    ),
    (
        "f2-race",
        "f₂: six methods, width 300",
        "epochs=2e5,2e5,1,1e4,1e4,2000&method=gd,adam,lsq,ls_gd,ls_adam,anls&seed=17&target=f2",
        "A thousand random points and a jump in scale: prediction errors differ by orders of magnitude.",
    ),
    (
        "flow",
        "f₁: the gradient flow itself",
        "epochs=1e8&method=gd,flow",
        "The limit of small steps, computed from event to event: the same stages as GD.",
    ),
)


def _race_on(target: str) -> str:
    """The race of the gallery; the usual target is left out of a link."""
    return "method=gd,anls" if target == "f1" else f"method=gd,anls&target={target}"


PRESETS: tuple[Preset, ...] = (
    *(Preset(name, title, query, note, PAPER) for name, title, query, note in _PAPER),
    *(
        Preset(f"target-{target.name}", target.title, _race_on(target.name), target.watch, GALLERY)
        for target in TARGETS.values()
        if not target.source
    ),
    Preset(
        "first",
        "One plateau, and two ways out",
        RACE,
        "Gradient descent stands still at its floor until neuron 3 crosses a data point. ANLS moves one "
        "neuron over one data point per step, and is past the plateau at once.",
        GALLERY,
    ),
    Preset(
        "stairs",
        "A staircase, stair by stair",
        "epochs=1e7&learning_rate=0.01&seed=2&target=stairs",
        "The loss falls, stands for a decade and more, and falls again: a stair a dozen times steeper takes "
        "a hundred times as long.",
        GALLERY,
    ),
    Preset(
        "nile-race",
        "Nile: GD beside ANLS",
        "epochs=1e5,500&method=gd,anls&target=nile",
        "After 100,000 epochs gradient descent has a loss of 17,800. ANLS has 13,700 after 30 moves, but "
        "spends two bends on a jump between single years.",
        MEASURED,
    ),
    *(
        Preset(
            f"target-{target.name}",
            target.title,
            _race_on(target.name),
            f"{target.watch} {target.source}",
            MEASURED,
        )
        for target in TARGETS.values()
        if target.source
    ),
)
