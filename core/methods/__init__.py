"""The training methods, by their query value. A new method is one new file and one line here."""

from core.methods.adam import Adam
from core.methods.anls import ActiveNeuronLeastSquares
from core.methods.anls_plus import ActiveNeuronLeastSquaresPlus
from core.methods.base import Method
from core.methods.flow import GradientFlow
from core.methods.gd import GradientDescent
from core.methods.ls_adam import LeastSquaresAdam
from core.methods.ls_gd import LeastSquaresGradientDescent
from core.methods.lsq import LeastSquares

METHODS: dict[str, type[Method]] = {
    "gd": GradientDescent,
    "adam": Adam,
    "flow": GradientFlow,
    "lsq": LeastSquares,
    "ls_gd": LeastSquaresGradientDescent,
    "ls_adam": LeastSquaresAdam,
    "anls": ActiveNeuronLeastSquares,
    "anls_plus": ActiveNeuronLeastSquaresPlus,
}
