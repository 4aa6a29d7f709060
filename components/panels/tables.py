"""What a panel's figure may ask the browser for: tables and their columns, and what an axis can mean.

The browser's half computes the tables from the frames. The tests on both sides hold to this list, so that a
panel that asks for what is not there is found without a browser.
"""

TABLES: dict[str, tuple[str, ...]] = {
    # over all frames
    "curve": (
        *("x", "epoch", "seconds", "gradients", "solves", "stage"),
        *("loss", "floor", "stationarity", "prediction_error"),
        *("dead", "pinned", "live", "crossings"),
    ),
    "end": ("x", "loss"),
    "best": ("x", "y", "text"),
    "floors": ("x", "y"),
    "stages": ("x", "y"),
    "ticks": ("x", "y"),
    "plateaus": ("x", "y", "at", "height", "text"),
    "trained": ("x", "y", "text"),
    "neurons": ("x", "b", "c", "width", "pinned_width"),
    "pinned": ("x", "b", "c", "width", "pinned_width"),
    "dead": ("x", "b", "c"),
    "numbers": ("x", "b", "text", "colour"),
    "pins": ("x", "b", "neuron", "colour", "size"),
    "hops": ("x", "b", "neuron", "colour", "size"),
    "crossings": ("x", "b", "neuron", "colour", "size"),
    "data_lines": ("x", "y", "opacity"),
    "pattern": ("x", "y", "z", "top"),
    "set_sizes": ("x", "y", "end", "size", "text"),
    # of the frame on screen
    "data": ("x", "y", "size", "opacity"),
    "truth": ("x", "y"),
    "network": ("x", "y"),
    "lines": ("x", "y"),
    "glue": ("x", "y"),
    "macroscopic": ("x", "y", "size"),
    "set_names": ("x", "y", "text"),
    "set_edges": ("x", "y"),
    "data_posts": ("x", "y"),
    "crosses_free": ("x", "y", "colour", "neuron"),
    "crosses_pinned": ("x", "y", "colour", "neuron"),
    "crosses_dead": ("x", "y", "colour", "neuron"),
    "outside": ("x", "y", "position", "text"),
    "segments": ("level", "count", "mean_x", "mean_y", "network", "slope", "regression", "from", "to"),
    "state": ("neuron", "b", "c", "gap", "status", "datum"),
    "rates": ("x", "excess", "lower", "upper", "bound_lower", "bound_upper"),
    "rate_labels": ("x", "y", "text", "position"),
    "candidates": ("x", "loss", "neuron", "side", "colour", "text"),
    "candidate_level": ("x", "y"),
    "candidate_stems": ("x", "y", "neuron"),
    "candidate_chosen": ("x", "loss", "colour", "neuron", "text", "position"),
    # of the forecast
    "future_loss": ("x", "loss"),
    "future_neurons": ("x", "b", "c"),
    "future_events": ("x", "loss", "b", "c", "colour"),
    "future_crossings": ("x", "loss", "b", "c", "colour"),
    "future_pins": ("x", "loss", "b", "c", "colour"),
}

LOOKS = ("colour", "dash", "width", "label", "title")
"""What every table has besides: how its run, or its colour group of neurons, is drawn and called."""

AXES: dict[str, str] = {
    "time": "log epochs, seconds, gradients or solves, shared by all histories",
    "epochs": "epochs counted evenly",
    "decades": "log, decade ticks only",
    "clipped": "the same, but a curve at rounding level is cut off where it would flatten the others",
    "values": "linear, outliers left out",
    "all": "linear, nothing left out",
    "position": "the data's domain",
    "positions": "the domain and as much around it as the biases have used",
    "response": "the data's values, with room for the crosses below",
    "reach": "the same, and the networks drawn",
    "levels": "0 … n",
    "plain": "as Plotly finds it",
}
"""What an axis can mean."""

HOVERS = ("curves", "neurons", "place", "levels")
"""What can be under the pointer."""
