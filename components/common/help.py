"""Texts of the in-page help that belong to no single field or panel."""

ABOUT = (
    "Gradient descent on a ReLU network often seems to stop: the loss stands still for millions of "
    "epochs, then drops at once. Plateau Lab shows why. On a plateau the loss has either reached its floor, "
    "or it still creeps towards it.",
    "The floor is the best loss that the network can reach while no neuron crosses a data point. At the "
    "floor, only a crossing, or a pinned neuron that comes free, can lower the loss. A creeping loss just "
    "needs time, or a crossing that opens a faster way.",
    "Move along the timeline: every panel follows. A stage is a stretch in which no neuron enters or "
    "leaves a gap between two data points. The dashed line in the loss panel is the floor of the stage.",
    "Active neuron least squares (ANLS) pushes one neuron over one data point at a time. It takes the push "
    "that lowers the loss most, and so leaves plateaus that hold gradient descent for good.",
    "One start may be lucky. Study, in the header, runs the present settings for twenty seeds. It shows how "
    "often they stand still, for how long, and where they end.",
    "After M. Ainsworth and Y. Shin, Plateau Phenomenon in Gradient Descent Training of ReLU Networks, "
    "SIAM J. Sci. Comput. 43(5), 2021. Preprint: arXiv:2007.07213.",
)

KEYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("space",), "play or pause"),
    (("←", "→"), "one frame back or on"),
    (("shift ←", "shift →"), "previous or next stage"),
    (("j", "k"), "previous or next plateau"),
    (("u", "i"), "previous or next drop of the loss"),
    (("Home", "End"), "start; latest frame"),
    (("f",), "enlarge the panel under the pointer or in focus, and back"),
    (("1", "…", "9", "0", "-"), "show the panel of that number, 0 the tenth, - the eleventh"),
    (("s",), "tables of plateaus, forecasts and stages"),
    (("r",), "run"),
    (("c",), "copy the link to this moment"),
    (("q",), "QR code"),
    (("p",), "present mode and back"),
    (("n", "b"), "next or previous step of a lesson"),
    (("page down", "page up"), "next or previous step of a lesson, or stage of a run"),
    (("m",), "in present mode: the next method of a race"),
    (("t",), "light or dark"),
    (("?",), "this help"),
    (("Esc",), "close, go back"),
)

TERMS: dict[str, str] = {
    "plateau": "A long stretch of log epochs on which the loss hardly drops: it has reached its floor, or "
    "still creeps towards it. Crossings that change little may lie within.",
    "stage": "A stretch in which no neuron enters or leaves a gap between two data points.",
    "floor": "Q₀, the least loss that the network can reach while no neuron crosses a data point or comes "
    "free of one. It is reached when less than a tenth of the loss lies above it.",
    "creeping": "The loss still falls, but so slowly that it seems to stand: the descent is slow in some "
    "direction.",
    "pinned": "Held at a data point: the gradient pushes the bias back from both sides.",
    "dead": "Right of all data: such a neuron feels no gradient and never moves again.",
    "crosses": "Its bias passes a data point, which it then sees or no longer sees. A new stage begins.",
    "released": "Free again: at its data point the gradient no longer pushes back from both sides.",
}
"""Words of the sentences that are explained under the pointer, and in the help for everybody."""

STANDSTILLS: dict[str, str] = {
    "floor": "at its floor",
    "slow": "still creeping",
    "pinned": "held by pinned neurons",
    "dead": "every neuron is dead",
    "step": "steps are too large",
}
"""Why the loss stands still (core.narrative.plateaus), short enough for a chart and a table."""

GROUPS: dict[str, str] = {
    "Target": "What the network is to learn.",
    "Method": "Choose several to race.",
    "Data": "The points it is shown.",
    "Network": "Its width and where it starts.",
}
"""The folds of the settings, in order, and what each is about. Budgets stand with the methods."""

BUDGET_HELP = (
    "How many epochs (iterations for the least-squares methods) at most. A longer budget continues the "
    "same run; a run that has nothing left to gain ends sooner."
)

DATA_HELP = (
    "Paste a table, or drop a file anywhere on this page. You see what was recognised before anything runs."
)
POINTS_EXAMPLE = "-1, 0.2\n0, 0.9\n1, 0.4"
"""Stands in the text field while it is empty."""
