"""Studies: hundreds of runs as one question, computed in portions beside the single runs.

`plan` makes portions of a query with lists, `work` computes the row of one run, `PortionWorkers` (processes
of this machine, or Celery's) do portions, the `StudyScheduler` hands them out in turns, `Studies` is the one
door. It may import everything in core.
"""
