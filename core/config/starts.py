"""The starting networks that a link can name: drawn by a law, or built to be stationary."""

from ..model.initial import INITIALISATIONS, Initialisation
from ..theory.construction import fully_trained

STARTS: dict[str, Initialisation] = {**INITIALISATIONS, "fully_trained": fully_trained}
