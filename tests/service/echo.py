"""A process that says one thing after another, for tests of whoever listens."""

import itertools
import json
import sys
import time


def main() -> None:
    for number in itertools.count():
        print(json.dumps({"event": "echo", "number": number}), flush=True)
        if number > 10_000:
            sys.exit(1)
        time.sleep(0.001)
