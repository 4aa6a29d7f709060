"""The program of a process that computes runs for `core.study.processes`: runs come in, rows go out."""

import os
import pickle
import sys

from .study import row_or_error


def main() -> None:
    """Answer until the other side is gone. What a run prints must not get between the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            config = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(row_or_error(config), answers)
        answers.flush()
