"""Times NumPy and einops.

A workload's expression has the inputs as x, and out, an array for the result, which it may write to instead of giving
one.
"""

import einops
import numpy as np

from serve import serve, sha256


def prepare(request):
    inputs = zip(request["files"], request["inputs"])
    x = [np.fromfile(file, tensor["type"]).reshape(tensor["dims"]) for file, tensor in inputs]
    out = np.empty(request["out"]["dims"], request["out"]["type"])
    run = eval(f"lambda: {request['expression']}", {"np": np, "einops": einops, "x": x, "out": out})
    returned = run()
    return {request["library"]: run}, sha256(out if returned is None else returned)


serve({"NumPy": np.__version__, "einops": einops.__version__}, prepare)
