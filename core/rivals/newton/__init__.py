"""Linear algebra of the methods that use curvature: damped Gauss-Newton in three forms, and L-BFGS. An
iteration costs O(m + n).

They leave the paper's methods behind wherever a slow rate holds training up, and not where the pattern does.
"""
