"""The paper's figures and claims, computed again by this code.

    criteria    what the paper says and how it is judged: criteria.toml, written before the runs
    measures    numbers read off a run
    measuring   which of them are taken of which sample
    samples     which runs over which seeds: the unit of work
    judges      from numbers to evidence on a claim
    verdicts    from evidence to a verdict, by rule; statistics has the intervals
    claims      both sets of seeds, and the verdicts at other thresholds
    ablations   choices that the paper leaves open
    runs        one row per run, as CSV
    figures     the paper's figures: runs, panels, and the part of them that is shown
    shipping    figures' runs and thinned curves, written for the app to ship
    report      docs/reproduction.md

`python -m reproduction` does all of it and writes `data/` and `library/`, which the
app reads: `/paper` shows what the last such run found, and says which code found it.
"""
