"""Times NumPy and einops.

A workload's expression has the inputs as x, and out, an array for the result, which it may write to instead of giving
one.
"""

import einops
import numpy as np

from serve import serve, sha256


def prepare(request):
    x = [np.fromfile(given["file"], given["type"]).reshape(given["dims"]) for given in request["inputs"]]
    out = np.empty(request["out"]["dims"], request["out"]["type"])
    run = eval(f"lambda: {request['expression']}", {"np": np, "einops": einops, "x": x, "out": out})
    made = run()
    result = np.ascontiguousarray(out if made is None else made)
    return {request["library"]: run}, {"sha256": sha256(result.tobytes())}


serve({"NumPy": np.__version__, "einops": einops.__version__}, prepare)
