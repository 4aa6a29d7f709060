"""A problem of four data and two neurons, for the examples in docstrings.

The data zigzag; each neuron sees two of them more than the one right of it, and none is pinned.
"""

import numpy as np

from ..problem.data import TrainingData
from .pattern import pattern_of

data = TrainingData(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0, 1.0]))
b, c = np.array([-0.5, 1.5]), np.array([0.5, -0.2])
pattern = pattern_of(data.x, b)
