"""What is stored of a result."""

import hashlib

import numpy as np


def sha(b):
    return hashlib.sha256(b).hexdigest()


def record(a):
    """What is stored of a result: its hash, and its first values, which show what is wrong."""
    a = np.ascontiguousarray(a)
    return dict(dtype=str(a.dtype), dims=list(a.shape), sha256=sha(a.tobytes()), first=a.reshape(-1)[:4].tolist())
