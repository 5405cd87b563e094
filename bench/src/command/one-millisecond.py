"""Works for a millisecond per line: reads {"id": …, "candidate": …} and prints {"id": …, "value": …}."""

import json
import sys
import time

for line in sys.stdin:
    task = json.loads(line)
    until = time.perf_counter() + 0.001
    while time.perf_counter() < until:
        pass
    print(json.dumps({"id": task["id"], "value": task["candidate"] * 2}), flush=True)
