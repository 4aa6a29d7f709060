"""What the methods that step against the gradient share: O(n) an epoch (paper, section 2).

Neurons stand sorted by gap (`slots`), the gradient is two scans over them (`gradient`), a crossing is judged
by Filippov's condition (`pinning`); `epochs` says what every compiled loop promises, `state` what such a
method keeps between two calls and how it ends. No method is named here.
"""
