"""A worker of runs whose runs with seed 13 enter compiled code that does not come back."""

import re
from typing import Any

from core.run.train import Training
from core.service import worker

_step = Training.step


def step(training: Training, *arguments: Any, **options: Any) -> Any:
    if training.config.seed == 13:
        re.match("(a+)+$", "a" * 60 + "b")  # for centuries, with the interpreter held
    return _step(training, *arguments, **options)


def main() -> None:
    Training.step = step  # type: ignore[method-assign, assignment]
    worker.main()
