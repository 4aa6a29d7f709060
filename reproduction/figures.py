"""The paper's figures: which runs each shows, which panels draw it, and what part of them is seen.

A figure is a race (a link into the Lab) and a few pictures of it. Runs of small networks
ship whole and open in the Lab at once; of the large ones only the curves and the
final network ship, and the Lab computes the rest on demand.
"""

from dataclasses import dataclass, field
from urllib.parse import quote

from core.config import RunConfig, race_from_query, race_to_query
from core.theory import fully_trained_network
from reproduction.criteria import claims_under

F1_SEED, SIN5_SEED, FIVE_SEED, F2_SEED = 11, 2, 9, 17
"""Seeds whose runs resemble the paper's; the claims are judged over all seeds."""

FROM_CURVES = frozenset({"race", "errors", "range", "loss", "stationarity", "fit", "fits"})
"""Panels of curves, and of the network at the end."""

UNPICKED_SEED = 7000
"""Shown beside them: the first of the seeds from 7000 on, settled before any of its runs was seen."""

UNPICKED_WHOLE = frozenset({"five", "f1", "f1-trajectories", "rates"})
"""Figures whose runs from that seed ship whole too, since trajectories and stages are drawn from them."""


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
    domain: tuple[float, float] | None = None
    """The stretch of x shown by a network; None shows all."""
    wide: bool = False

    @property
    def from_curve(self) -> bool:
        """Whether a thinned run can fill it: it has its curves and its last network, no other."""
        return self.panel in FROM_CURVES and self.moment is None


@dataclass(frozen=True)
class PaperFigure:
    """A figure of the paper, and how we show it."""

    name: str
    label: str
    title: str
    text: str
    query: str
    pictures: tuple[Picture, ...]
    curves_only: tuple[str, ...] = ()
    """Methods whose runs are too large to ship whole."""
    view: dict[str, str] = field(default_factory=dict)
    """How the Lab shows it."""
    sets: bool = False
    """Whether the sets Uₗ are listed beside it."""

    @property
    def claims(self) -> tuple[str, ...]:
        """Names of the claims that the criteria put under it."""
        return claims_under(self.name)

    def race(self) -> tuple[RunConfig, ...]:
        """Its runs."""
        return race_from_query(self.query)

    @property
    def unpicked(self) -> tuple[Picture, ...]:
        """The pictures drawn once more, of the seed that nobody picked: those that what ships can fill."""
        seeded = "seed=" in self.query
        whole = self.name in UNPICKED_WHOLE
        return tuple(picture for picture in self.pictures if seeded and (whole or picture.from_curve))

    def unpicked_race(self) -> tuple[RunConfig, ...]:
        """The same runs from that seed; none if no picture shows them."""
        pairs = [pair for pair in self.query.split("&") if not pair.startswith("seed=")]
        return race_from_query("&".join([*pairs, f"seed={UNPICKED_SEED}"])) if self.unpicked else ()

    @property
    def unpicked_curves(self) -> tuple[str, ...]:
        """Methods whose runs from that seed ship as curves only."""
        whole = {config.run_id for name in UNPICKED_WHOLE for config in FIGURES[name].unpicked_race()}
        return tuple(config.method.name for config in self.unpicked_race() if config.run_id not in whole)

    @property
    def unpicked_link(self) -> str:
        """The Lab on the runs of that seed."""
        return self._link(self.unpicked_race())

    @property
    def link(self) -> str:
        """The Lab on exactly these runs."""
        return self._link(self.race())

    def _link(self, race: tuple[RunConfig, ...]) -> str:
        view = [f"{key}={quote(text, safe=',')}" for key, text in self.view.items()]
        return "/?" + "&".join([race_to_query(race), *view])


def _explicit_query() -> str:
    """The network of Prop. fullyNN as a starting point.

    Its coefficients are in the hundreds, so that with the paper's learning rate rounding errors would grow
    until it explodes; at 1e-7 gradient descent sees that there is nothing to do.
    """
    config = RunConfig.from_query(f"target=sin5&method=gd&seed={SIN5_SEED}")
    b, c = fully_trained_network(config.training_data(), config.initial()[0])
    biases, coefficients = (",".join(map(repr, values.tolist())) for values in (b, c))
    start = f"biases={biases}&coefficients={coefficients}"
    return f"target=sin5&method=gd&learning_rate=1e-7&epochs=1e4&{start}"


SIX = "method=gd,adam,lsq,ls_gd,ls_adam,anls"

_ALL = (
    PaperFigure(
        "ranges",
        "fig:motivation",
        "Plateaus on every scale",
        "The loss of gradient descent on sin 5πx, over three ranges of epochs and on linear axes. The "
        "network has 100 neurons and learns 500 points. After 10³ epochs it seems to have converged. After "
        "ten thousand times as many the loss is a hundredth, and again it seems converged. And so on.",
        f"target=sin5&method=gd&epochs=1e8&seed={SIN5_SEED}",
        (
            Picture("range", "Epochs 1 to 10³", window=(1.0, 1e3)),
            Picture("range", "Epochs 10³ to 10⁷", window=(1e3, 1e7)),
            Picture("range", "Epochs 10⁷ to 10⁸", window=(1e7, 1e8)),
        ),
        view={"panels": "loss,fit,biases"},
    ),
    PaperFigure(
        "sin5-race",
        "fig:motivation2",
        "Gradient descent against ANLS",
        "The same task: a few hundred iterations of ANLS against a hundred million epochs of gradient "
        "descent, and both networks at the end.",
        f"target=sin5&method=gd,anls&epochs=1e8,2000&seed={SIN5_SEED}",
        (
            Picture("race", "Loss of GD and ANLS"),
            Picture("fits", "The network of GD at the end", methods=("gd",)),
            Picture("fits", "The network of ANLS at the end", methods=("anls",), focus="anls"),
        ),
        view={"panels": "loss,fit,biases"},
    ),
    PaperFigure(
        "sets",
        "fig:set-Uk",
        "The sets Uₗ",
        "Five biases cut ten data points into the sets U₀ to U₅: Uₗ holds the points that activate "
        "exactly l neurons. Over each set the network is one straight line, so the sets decide what it can "
        "fit. While no bias passes a point, the sets stay the same. Then the loss cannot drop below what "
        "lines over these sets leave: that is a plateau.",
        "target=seven&method=anls&epochs=100",
        (
            Picture(
                "sets",
                "Uₗ lies between the l-th bias and the next; the network bends at the biases only",
                moment=0.0,
                wide=True,
            ),
        ),
        view={"panels": "fit,pattern", "at": "0"},
        sets=True,
    ),
    PaperFigure(
        "five",
        "fig:motivation-graph",
        "Five points, eight neurons",
        "A run that ends with loss 0. Every inner data point holds pinned biases (◆). Two neurons beyond "
        "the data are dead from the start.",
        f"target=five&method=gd&epochs=1e7&seed={FIVE_SEED}",
        (
            Picture("fit", "The trained network"),
            Picture("biases", "Bias trajectories, data as dashed lines"),
            Picture("coefficients", "Coefficient trajectories"),
        ),
        view={"panels": "fit,biases,coefficients,loss"},
    ),
    PaperFigure(
        "explicit",
        "fig:FullyTrained",
        "A fully trained network, built by hand",
        "Regression lines over the sets Uₗ of the initial biases, joined by two neurons per gap. The "
        "gradient is zero, yet the network jumps from line to line: fully trained is not good.",
        _explicit_query(),
        (
            Picture("glued", "The whole network, with its lines", moment=0.0, wide=True),
            Picture("glued", "A stretch of it, enlarged", moment=0.0, domain=(0.6, 1.02), wide=True),
        ),
        view={"panels": "fit,loss", "at": "0"},
    ),
    PaperFigure(
        "candidates",
        "fig:candidate-ex",
        "Seven candidates",
        "Where the five neurons of the illustration may move: over one data point, to either side. Each "
        "neuron has its row. The number is the loss after solving for all coefficients. The filled candidate "
        "is taken.",
        "target=seven&method=anls&epochs=100",
        (Picture("moves", "Candidates at the first iteration", moment=0.0, wide=True),),
        view={"panels": "candidates,fit", "at": "0"},
    ),
    PaperFigure(
        "f1",
        "fig:SinPI_W10N100",
        "sin πx by gradient descent, 10⁸ epochs",
        "Ten neurons, a hundred points. Dashed lines are the floors of the stages. The other pictures show "
        "the late phase, and how far the network is from stationary. The last one shows the fully trained "
        "network and its macroscopic data (filled circles).",
        f"target=f1&method=gd&epochs=1e8&seed={F1_SEED}",
        (
            Picture("loss", "The whole run"),
            Picture("loss", "The late phase", window=(1e5, 1e8)),
            Picture("stationarity", "Mean squared error of the stationarity equations"),
            Picture("fit", "The fully trained network"),
        ),
        view={"panels": "loss,fit,biases,stationarity"},
    ),
    PaperFigure(
        "f1-trajectories",
        "fig:SinPI_W10N100-BC",
        "Everything comes to rest",
        "The same run: biases, coefficients and the numbers uₗ of data points that activate l neurons. "
        "Coefficients settle once the biases have.",
        f"target=f1&method=gd&epochs=1e8&seed={F1_SEED}",
        (
            Picture("biases", "Biases: ○ crossed a data point, ◆ was pinned to one"),
            Picture("coefficients", "Coefficients"),
            Picture("set_sizes", "How many data each set Uₗ holds", window=(1.0, 6e8), wide=True),
        ),
        view={"panels": "biases,coefficients,pattern,loss"},
    ),
    PaperFigure(
        "rates",
        "thm:conti-loss-n",
        "Decay within a stage",
        "The same run: the loss above its floor, between the envelopes of the theorem. One pair has the "
        "exact rates, the other the closed-form bounds. In an early stage the loss drops between the two, "
        "in the last one along the slow envelope. The paper has no figure of this.",
        f"target=f1&method=gd&epochs=1e8&seed={F1_SEED}",
        (
            Picture("both_rates", "L − Q₀ in an early stage", moment=40.0),
            Picture("rates", "L − Q₀ in the last stage"),
        ),
        view={"panels": "rates,loss,fit"},
    ),
    PaperFigure(
        "f1-race",
        "fig:SinPI_W10N100-ANLS",
        "sin πx by six methods",
        "All start from the same network. ANLS is done after 21 iterations, lower than GD ever gets.",
        f"target=f1&{SIX}&epochs=1e8,1e6,1,1e5,1e5,1000&seed={F1_SEED}",
        (
            Picture("race", "Loss against iterations", focus="anls"),
            Picture("fits", "The trained networks", focus="anls"),
        ),
        view={"panels": "loss,fit", "focus": "anls"},
    ),
    PaperFigure(
        "f2-race",
        "fig:TEST11",
        "A discontinuous target by six methods",
        "f₂ jumps at 0 and oscillates at two frequencies; 300 neurons, a thousand random points. Loss, "
        "trained networks and prediction errors.",
        f"target=f2&{SIX}&epochs=5e6,1e6,1,1e4,1e4,2000&seed={F2_SEED}",
        (
            Picture("race", "Loss against iterations", focus="anls", wide=True),
            Picture("fits", "ANLS and GD at the end", methods=("anls", "gd"), focus="anls"),
            Picture("fits", "LS/GD and LS/Adam at the end", methods=("ls_gd", "ls_adam"), focus="ls_gd"),
            Picture(
                "fits",
                "All but LSQ at the jump, enlarged",
                methods=("gd", "adam", "ls_gd", "ls_adam", "anls"),
                focus="anls",
                domain=(-0.06, 0.06),
            ),
            Picture(
                "errors",
                "Discrete L² prediction error; ANLS and the hybrids begin with LSQ's",
                methods=("gd", "adam", "ls_gd", "ls_adam", "anls"),
                focus="anls",
            ),
        ),
        curves_only=("gd", "adam"),
        view={"panels": "loss,fit,prediction", "focus": "anls"},
    ),
)

FIGURES: dict[str, PaperFigure] = {figure.name: figure for figure in _ALL}
