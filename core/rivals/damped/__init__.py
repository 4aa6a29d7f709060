"""What the three Gauss-Newton methods share: `steps` is the damped step in O(m + n), `trials` the iterations,
`method` the class that they extend."""
