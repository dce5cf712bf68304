"""The programs of this folder read requests and write answers, a line of JSON each."""

import hashlib
import json
import sys
import time


def sha256(*arrays):
    """The hash of the bytes of arrays, one after another."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()


def serve(versions, prepare):
    """Answers requests to their end: an empty one with the versions, one of a call with the milliseconds of its count.

    `prepare` gets any other one, and gives calls by name, and the result that they have, which is compared. A call of
    the same name takes its place, so that only the current workload is kept: its data are large.
    """
    current = {}
    for line in sys.stdin:
        request = json.loads(line)
        if not request:
            answer = versions
        elif "call" in request:
            run = current[request["call"]]
            start = time.perf_counter()
            for _ in range(request["count"]):
                run()
            answer = {"ms": (time.perf_counter() - start) * 1e3}
        else:
            calls, result = prepare(request)
            current.update(calls)
            answer = {"calls": list(calls), "result": result}
        print(json.dumps(answer), flush=True)
