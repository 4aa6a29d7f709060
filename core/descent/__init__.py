"""Gradient descent, Adam and the hybrids as compiled loops, O(n) an epoch (paper, sections 2 and 4.1).

Neurons stand sorted by gap (sorted_neurons), the gradient is two scans over them (gradient), a crossing
is judged by Filippov's condition (pinning). It may import least_squares, the model and below; what a state or
an outcome is, it does not know.
"""
