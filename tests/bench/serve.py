"""What the programs of this folder share: they read requests and write answers, a line of JSON each."""

import hashlib
import json
import sys
import time


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def serve(versions, prepare):
    """Answers requests to their end: an empty one with the versions, one that has `calls` with their milliseconds.

    `prepare` gets any other one, and gives calls by name, and the answer, which gets their names too. A call of the
    same name takes its place, so that only the current workload is kept: its data are large.
    """
    current = {}
    for line in sys.stdin:
        request = json.loads(line)
        if not request:
            answer = versions
        elif "calls" in request:
            run = current[request.get("time", "run")]
            start = time.perf_counter()
            for _ in range(request["calls"]):
                run()
            answer = {"ms": (time.perf_counter() - start) * 1e3}
        else:
            calls, answer = prepare(request)
            current.update(calls)
            answer = {**answer, "calls": list(calls)}
        print(json.dumps(answer), flush=True)
