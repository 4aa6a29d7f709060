"""Methods that use curvature: damped Gauss-Newton in three forms, and L-BFGS. An iteration costs O(m + n).

They are rivals of the paper's methods, which they leave behind wherever a slow rate holds training up, and
not where the pattern does. They may import the descent, the flow's linear algebra, the squares and the model.
"""
