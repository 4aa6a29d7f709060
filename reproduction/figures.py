"""The paper's figures: which runs each shows, which panels draw it, and what part of them is seen.

A figure is a race (a link into the Lab) and a few pictures of it. Runs of small networks
ship whole and open in the Lab at once; of the large ones only the curves and the
final network ship, and the Lab computes the rest on demand.
"""

from dataclasses import dataclass, field, replace
from urllib.parse import quote

from core.config import RunConfig, race_from_query, race_to_query
from core.theory import fully_trained_network
from reproduction.criteria import claims_under

F1_SEED, SIN5_SEED, FIVE_SEED, F2_SEED = 11, 2, 9, 17
"""Seeds whose runs resemble the paper's; the claims are judged over all seeds."""


@dataclass(frozen=True)
class Picture:
    """One panel of the Lab, at a moment and over a range of epochs."""

    panel: str
    caption: str
    window: tuple[float, float] | None = None
    """Epochs shown by a history; None shows all."""
    moment: float | None = None
    """Epoch shown by the other panels; None is the end."""
    focus: str = ""
    """The method that one-run panels show; the first of the race if empty."""
    methods: tuple[str, ...] = ()
    """Methods drawn; all if empty."""
    wide: bool = False


@dataclass(frozen=True)
class PaperFigure:
    """A figure of the paper, and how we show it."""

    name: str
    label: str
    title: str
    text: str
    query: str
    pictures: tuple[Picture, ...]
    claims: tuple[str, ...]
    curves_only: tuple[str, ...] = ()
    """Methods whose runs are too large to ship whole."""
    view: dict[str, str] = field(default_factory=dict)
    """How the Lab shows it."""
    sets: bool = False
    """Whether the sets Uₗ are listed beside it."""

    def race(self) -> tuple[RunConfig, ...]:
        """Its runs."""
        return race_from_query(self.query)

    @property
    def link(self) -> str:
        """The Lab on exactly these runs."""
        pairs = [
            race_to_query(self.race()),
            *(f"{key}={quote(text, safe=',')}" for key, text in self.view.items()),
        ]
        return "/?" + "&".join(pairs)


def _explicit_query() -> str:
    """The network of Prop. fullyNN as a starting point.

    Its coefficients are in the hundreds, so that with the paper's learning rate rounding errors would grow
    until it explodes; at 1e-7 gradient descent sees that there is nothing to do.
    """
    config = RunConfig.from_query(f"target=sin5&method=gd&seed={SIN5_SEED}")
    b, c = fully_trained_network(config.training_data(), config.initial()[0])
    listed = "&".join(
        f"{name}={','.join(repr(float(value)) for value in values)}"
        for name, values in (("biases", b), ("coefficients", c))
    )
    return f"target=sin5&method=gd&learning_rate=1e-7&epochs=1e4&{listed}"


SIX = "method=gd,adam,lsq,ls_gd,ls_adam,anls"

_ALL = (
    PaperFigure(
        "ranges",
        "fig:motivation",
        "Plateaus on every scale",
        "The loss of gradient descent on sin 5πx, width 100, 500 points, in three ranges of epochs. After "
        "10³ epochs it seems to have converged. Then it falls a hundredfold, and seems to have converged "
        "again.",
        f"target=sin5&method=gd&epochs=1e8&seed={SIN5_SEED}",
        (
            Picture("loss", "Epochs 1 to 10³", window=(1.0, 1e3)),
            Picture("loss", "Epochs 10³ to 10⁷", window=(1e3, 1e7)),
            Picture("loss", "Epochs 10⁷ to 10⁸", window=(1e7, 1e8)),
        ),
        ("ranges",),
        curves_only=("gd",),
        view={"panels": "loss,fit,biases"},
    ),
    PaperFigure(
        "sin5-race",
        "fig:motivation2",
        "Gradient descent against ANLS",
        "The same task: a few hundred iterations of ANLS against a hundred million epochs of gradient "
        "descent, and both "
        "networks at the end.",
        f"target=sin5&method=gd,anls&epochs=1e8,2000&seed={SIN5_SEED}",
        (
            Picture("loss", "Loss of GD and ANLS"),
            Picture("fit", "The network of GD at the end", methods=("gd",)),
            Picture("fit", "The network of ANLS at the end", methods=("anls",), focus="anls"),
        ),
        ("sin5-race",),
        curves_only=("gd",),
        view={"panels": "loss,fit,biases"},
    ),
    PaperFigure(
        "sets",
        "fig:set-Uk",
        "The sets Uₗ",
        "Five biases cut ten data points into the sets U₀ to U₅: Uₗ holds the points that activate "
        "exactly l neurons. "
        "As long as no bias passes a point, the sets stay the same.",
        "target=seven&method=anls&epochs=100",
        (
            Picture(
                "fit",
                "Ten points and five biases (crosses): Uₗ lies between the l-th and the next",
                moment=0.0,
            ),
        ),
        (),
        view={"panels": "fit,pattern", "at": "0"},
        sets=True,
    ),
    PaperFigure(
        "five",
        "fig:motivation-graph",
        "Five points, eight neurons",
        "A run that ends with loss 0: every inner data point holds pinned biases (◆), and two neurons "
        "beyond the data are "
        "dead from the start.",
        f"target=five&method=gd&epochs=1e7&seed={FIVE_SEED}",
        (
            Picture("fit", "The trained network"),
            Picture("biases", "Bias trajectories, data as dashed lines"),
            Picture("coefficients", "Coefficient trajectories"),
        ),
        ("five",),
        view={"panels": "fit,biases,coefficients,loss"},
    ),
    PaperFigure(
        "explicit",
        "fig:FullyTrained",
        "A fully trained network, built by hand",
        "Regression lines over the sets Uₗ of the initial biases, glued by two neurons a gap. No "
        "parameter of it wants to "
        "move, and it is full of spikes: fully trained does not mean good.",
        _explicit_query(),
        (Picture("fit", "The glued network, its lines and the target (dotted)", moment=0.0, wide=True),),
        ("explicit",),
        view={"panels": "fit,loss", "at": "0"},
    ),
    PaperFigure(
        "candidates",
        "fig:candidate-ex",
        "Seven candidates",
        "Where the five neurons of the illustration may move: over one data point, to either side. The "
        "height is the loss "
        "after solving for all coefficients; the filled one is taken.",
        "target=seven&method=anls&epochs=100",
        (Picture("candidates", "Candidates at the first iteration", moment=0.0, wide=True),),
        ("seven",),
        view={"panels": "candidates,fit", "at": "0"},
    ),
    PaperFigure(
        "f1",
        "fig:SinPI_W10N100",
        "sin πx by gradient descent, 10⁸ epochs",
        "Ten neurons, a hundred points. The staircase with the floor of every stage (dashed), its late "
        "phase, how far the "
        "network is from stationary, and the fully trained network through its macroscopic data (filled "
        "circles).",
        f"target=f1&method=gd&epochs=1e8&seed={F1_SEED}",
        (
            Picture("loss", "The whole run"),
            Picture("loss", "The late phase", window=(1e5, 1e8)),
            Picture("stationarity", "Mean squared error of the stationarity equations"),
            Picture("fit", "The fully trained network"),
        ),
        ("patterns", "floors", "slow", "stationarity", "interpolates"),
        view={"panels": "loss,fit,biases,stationarity"},
    ),
    PaperFigure(
        "f1-trajectories",
        "fig:SinPI_W10N100-BC",
        "Everything comes to rest",
        "The same run: biases, coefficients and the numbers uₗ of data points that activate l neurons. "
        "Coefficients settle "
        "once the biases have.",
        f"target=f1&method=gd&epochs=1e8&seed={F1_SEED}",
        (
            Picture("biases", "Biases: ○ crossed a data point, ◆ was pinned to one"),
            Picture("coefficients", "Coefficients"),
            Picture("pattern", "The activation pattern uₗ"),
        ),
        ("settles",),
        view={"panels": "biases,coefficients,pattern,loss"},
    ),
    PaperFigure(
        "rates",
        "thm:conti-loss-n",
        "Decay within a stage",
        "The last stage of the same run: the loss above its floor (coloured) between the envelopes of "
        "the theorem with its "
        "exact rates (dashed) and with the closed-form bounds (dotted). The paper has no figure of this.",
        f"target=f1&method=gd&epochs=1e8&seed={F1_SEED}",
        (Picture("rates", "L − Q₀ in the last stage", wide=True),),
        ("decay", "floor-falls"),
        view={"panels": "rates,loss,fit"},
    ),
    PaperFigure(
        "f1-race",
        "fig:SinPI_W10N100-ANLS",
        "sin πx by six methods",
        "All start from the same network. ANLS is done after 21 iterations, lower than gradient descent "
        "ever gets.",
        f"target=f1&{SIX}&epochs=1e8,1e6,1,1e5,1e5,1000&seed={F1_SEED}",
        (
            Picture("loss", "Loss against iterations", focus="anls"),
            Picture("fit", "The trained networks", focus="anls"),
        ),
        ("anls-f1", "anls-lsq", "others-f1"),
        view={"panels": "loss,fit", "focus": "anls"},
    ),
    PaperFigure(
        "f2-race",
        "fig:TEST11",
        "A discontinuous target by six methods",
        "f₂ jumps at 0 and oscillates at two frequencies; 300 neurons, a thousand random points. Loss, "
        "trained networks and "
        "prediction errors.",
        f"target=f2&{SIX}&epochs=5e6,1e6,1,1e4,1e4,2000&seed={F2_SEED}",
        (
            Picture("loss", "Loss against iterations", focus="anls", wide=True),
            Picture("fit", "ANLS and GD at the end", methods=("anls", "gd"), focus="anls"),
            Picture("fit", "LS/GD and LS/Adam at the end", methods=("ls_gd", "ls_adam"), focus="ls_gd"),
            Picture("prediction", "Discrete L² prediction error", focus="anls", wide=True),
        ),
        (
            "f2-lsq",
            "f2-anls",
            "f2-gd",
            "f2-adam",
            "f2-ls-gd",
            "f2-ls-adam",
            "f2-plateaus",
            "f2-spike",
            "f2-errors",
            "f2-error-rise",
            "f2-error-jumps",
        ),
        curves_only=("gd", "adam"),
        view={"panels": "loss,fit,prediction", "focus": "anls"},
    ),
)

FIGURES: dict[str, PaperFigure] = {
    figure.name: replace(figure, claims=claims_under(figure.name)) for figure in _ALL
}
