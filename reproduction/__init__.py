"""The paper's figures and numerical claims, computed again by this code.

    measures   numbers read off the frames of one run
    samples    which runs over which seeds, and what is measured of each: the unit of work
    claims     what the paper says, what was measured, and the verdict that follows
    figures    the paper's figures: runs, panels, and the part of them that is shown
    shelf      figures' runs and thinned curves, written for the app to ship
    report     docs/reproduction.md

`python -m reproduction` does all of it and writes `data/` and `library/`, which the
app reads: `/paper` shows what the last such run found, and says which code found it.
"""
