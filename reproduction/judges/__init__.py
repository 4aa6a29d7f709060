"""From the numbers of a set of seeds to evidence on a claim; the rules in `verdicts` do the rest.

    theory    the model and the theorems on stages
    descent   gradient descent: patterns, full training, parameters at rest
    examples  ranges of epochs, five points, the explicit network
    methods   ANLS and its rivals on f1 and sin 5πx
    jump      the discontinuous target f2

A judge reads its thresholds from `limits` alone, so that a verdict can be asked for at other ones.
"""

from reproduction.judges import descent, examples, jump, methods, theory
from reproduction.judges.table import Judge, Table

__all__ = ["JUDGES", "Judge", "Table"]

JUDGES: dict[str, Judge] = {
    "relative-error": descent.relative_error,
    "ranges": examples.ranges,
    "ranges-again": examples.ranges_again,
    "ranges-third": examples.ranges_third,
    "sin5-race": methods.race_sin5,
    "patterns": descent.patterns,
    "unit-weights": theory.unit_weights,
    "dead": theory.dead,
    "sets": theory.sets,
    "floors": theory.floors,
    "decay": theory.decay,
    "rates-positive": theory.rates_positive,
    "floor-falls": theory.floor_falls,
    "staircase": theory.staircase,
    "trapped": descent.trapped,
    "convergence": descent.convergence,
    "stationarity": descent.stationarity,
    "interpolates": descent.interpolates,
    "averages": descent.averages,
    "eigenvalues": theory.eigenvalues,
    "lines": descent.lines,
    "five": examples.five,
    "five-dead": examples.five_dead,
    "five-rest": examples.five_rest,
    "five-coefficients": descent.coefficients_stay,
    "five-formula": examples.five_formula,
    "explicit": examples.explicit,
    "explicit-spikes": examples.explicit_spikes,
    "seven": theory.seven,
    "cod": theory.cod,
    "anls-monotone": theory.anls_monotone,
    "f1-plateaus": descent.plateaus,
    "slow": descent.slow,
    "settles": descent.settles,
    "coefficients-follow": descent.coefficients_follow,
    "coefficients-stay": descent.coefficients_stay,
    "anls-lsq": methods.anls_lsq,
    "anls-f1": methods.anls_f1,
    "others-f1": methods.others_f1,
    "f1-faster": methods.faster_f1,
    "f1-stagnation": methods.stagnation,
    "f1-anls-stagnation": methods.anls_stagnation,
    "f1-fits": methods.fits,
    "f2-faster": jump.faster,
    "f2-lsq": jump.value,
    "f2-anls": jump.anls,
    "f2-gd": jump.gd,
    "f2-adam": jump.value,
    "f2-ls-gd": jump.ls_gd,
    "f2-plateaus": methods.stagnation,
    "f2-anls-plateaus": methods.anls_stagnation,
    "f2-ls-adam": jump.unstable,
    "f2-fits": methods.fits,
    "f2-misfits": methods.misfits,
    "f2-spike": jump.spike,
    "f2-errors-fall": jump.errors_fall,
    "f2-errors": jump.errors,
    "f2-error-rise": jump.error_rise,
    "f2-generalises": jump.generalises,
    "f2-error-jumps": jump.unstable,
}
