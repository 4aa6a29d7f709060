"""A process that says how long each command is, for tests of whoever gives them."""

import json
import sys


def main() -> None:
    for line in sys.stdin:
        print(json.dumps({"event": "heard", "length": len(line)}), flush=True)
