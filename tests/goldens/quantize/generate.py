"""Makes the goldens of weight packing and of the quantization operators: python generate.py OUT [--seed N].

Packing: small models, before and after onnxruntime's own MatMulNBitsQuantizer; checked against packing_reference.py.
Operators: models of one node, their inputs, and outputs from the exact rules below. Each case is also run on
onnxruntime where its CPU provider has the kernel, and the outputs must be the same bytes.
"""

import argparse, base64, json, logging, os, sys, warnings
import numpy as np, ml_dtypes, onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh
import onnxruntime as ort
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer, DefaultWeightOnlyQuantConfig
from onnxruntime.quantization.quant_utils import QuantFormat
import packing_reference as ref

warnings.simplefilter("ignore")
logging.disable(logging.INFO)
ort.set_default_logger_severity(4)
f32, f16, bf16 = np.float32, np.float16, ml_dtypes.bfloat16
NP = {
    "float32": f32,
    "float16": f16,
    "bfloat16": bf16,
    "int32": np.int32,
    "uint8": np.uint8,
    "int8": np.int8,
    "uint16": np.uint16,
    "int16": np.int16,
    "uint4": ml_dtypes.uint4,
    "int4": ml_dtypes.int4,
    "uint2": ml_dtypes.uint2,
    "int2": ml_dtypes.int2,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float4e2m1": ml_dtypes.float4_e2m1fn,
    "float8e8m0": ml_dtypes.float8_e8m0fnu,
}
CODE = {name: h.np_dtype_to_tensor_dtype(np.dtype(t)) for name, t in NP.items()}
RANGE = {
    "uint8": (0, 255),
    "int8": (-128, 127),
    "uint16": (0, 65535),
    "int16": (-32768, 32767),
    "uint4": (0, 15),
    "int4": (-8, 7),
    "uint2": (0, 3),
    "int2": (-2, 1),
}
IR = {10: 5, 11: 6, 13: 7, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13}
name_of = {v: k for k, v in CODE.items()}
typename = lambda a: name_of[h.np_dtype_to_tensor_dtype(a.dtype)]


# ---------- packing ----------
def weight(rng, kind, K, N, dt):
    top = 6e4 if dt == f16 else 1e30
    w = {
        "normal": lambda: rng.standard_normal((K, N)) * 0.04,
        "constant": lambda: np.full((K, N), 0.37),
        "negative": lambda: -rng.random((K, N)) - 0.1,
        "positive": lambda: rng.random((K, N)) + 0.1,
        "zero": lambda: np.zeros((K, N)),
        "minuszero": lambda: np.where(rng.random((K, N)) < 0.5, -0.0, 0.0),
        "ties": lambda: (
            np.concatenate([np.full((1, N), -8.0), rng.integers(-16, 15, (max(K - 1, 0), N)) * 0.5])
            if K
            else np.zeros((K, N))
        ),
        "ties8": lambda: np.concatenate([np.full((1, N), 8.0), rng.integers(-15, 17, (max(K - 1, 0), N)) * 0.5]),
        "equal": lambda: np.where(rng.random((K, N)) < 0.5, 1, -1) * 3.0,
        "sparse": lambda: rng.standard_normal((K, N)) * (rng.random((K, N)) < 0.05),
        "large": lambda: rng.standard_normal((K, N)) * top / 8,
        "outlier": lambda: np.where(rng.random((K, N)) < 0.02, 50, 1) * rng.standard_normal((K, N)) * 0.02,
    }[kind]()
    return np.ascontiguousarray(w.astype(dt))


def matmul_model(weights, dt, batched=False):
    nodes, inits, ins, outs = [], [], [], []
    for i, w in enumerate(weights):
        code = h.np_dtype_to_tensor_dtype(w.dtype)
        value = w[None] if batched else w
        inits.append(nh.from_array(value, f"W{i}"))
        nodes.append(h.make_node("MatMul", [f"A{i}", f"W{i}"], [f"Y{i}"], name=f"matmul{i}"))
        ins.append(h.make_tensor_value_info(f"A{i}", code, [1, 2, w.shape[0]]))
        outs.append(h.make_tensor_value_info(f"Y{i}", code, [1, 2, w.shape[1]]))
    return h.make_model(
        h.make_graph(nodes, "weights", ins, outs, inits),
        opset_imports=[h.make_opsetid("", 21)],
        ir_version=10,
        producer_name="goldens",
    )


def gather_model(weights):
    nodes, inits, ins, outs = [], [], [], []
    for i, w in enumerate(weights):
        inits.append(nh.from_array(w, f"W{i}"))
        nodes.append(h.make_node("Gather", [f"W{i}", f"I{i}"], [f"Y{i}"], name=f"gather{i}", axis=0))
        ins.append(h.make_tensor_value_info(f"I{i}", T.INT64, [3]))
        outs.append(h.make_tensor_value_info(f"Y{i}", h.np_dtype_to_tensor_dtype(w.dtype), [3, w.shape[1]]))
    return h.make_model(
        h.make_graph(nodes, "weights", ins, outs, inits),
        opset_imports=[h.make_opsetid("", 21)],
        ir_version=10,
        producer_name="goldens",
    )


def tensors(model):
    return {t.name: t for t in model.graph.initializer}


def raw(t):
    return np.frombuffer(t.raw_data, np.uint8)


def check(before, after, bits, block, sym, form, op):
    """onnxruntime's bytes against packing_reference.py; returns the number of tensors compared"""
    b, a, n = tensors(before), tensors(after), 0
    for name, t in b.items():
        w = nh.to_array(t)
        w = w.reshape(w.shape[-2:]) if op == "MatMul" else w
        wide = w.astype(f32) if w.dtype == bf16 else w
        if op == "Gather":
            q, s, z = ref.gather(wide, block, sym)
            got = [a[name + "_Q4"], a[name + "_scales"]] + ([] if sym else [a[name + "_zero_points"]])
            want = [q, s, z]
        elif form == "matmulnbits":
            q, s, z = ref.matmulnbits(wide, bits, block, sym, True)
            got = [a[f"{name}_Q{bits}"], a[name + "_scales"]] + ([] if sym else [a[name + "_zero_points"]])
            want = [q, s.astype(w.dtype), z]
        else:
            q, s, z = ref.qdq(wide, block, sym)
            got = [a[f"{name}_DQ_Q{bits}"], a[name + "_DQ_scales"]] + ([] if sym else [a[name + "_DQ_zero_points"]])
            want = [q, s.astype(w.dtype), z]
        for g, x in zip(got, want):
            assert raw(g).tobytes() == np.ascontiguousarray(x).tobytes(), (name, bits, block, sym, form, op)
            n += 1
    return n


def packing(out, rng, shapes):
    index, compared = [], 0
    kinds = [
        "normal",
        "ties",
        "ties8",
        "constant",
        "zero",
        "sparse",
        "negative",
        "positive",
        "equal",
        "outlier",
        "minuszero",
        "large",
    ]
    befores = {}
    for label, dt in (("float32", f32), ("float16", f16), ("bfloat16", bf16)):
        some = kinds if label != "bfloat16" else kinds[:5]
        befores[f"matmul-{label}"] = (
            "MatMul",
            matmul_model([weight(rng, k, *shapes[i % len(shapes)], dt) for i, k in enumerate(some)], dt),
        )
    befores["matmul-float32-batched"] = (
        "MatMul",
        matmul_model([weight(rng, "normal", *shapes[0], f32)], f32, batched=True),
    )
    for label, dt in (("float32", f32), ("float16", f16)):
        befores[f"gather-{label}"] = (
            "Gather",
            gather_model(
                [
                    weight(rng, k, *shapes[i % len(shapes)], dt)
                    for i, k in enumerate(["normal", "ties", "zero", "sparse", "positive"])
                ]
            ),
        )
    for d in ("before", "after"):
        os.makedirs(f"{out}/{d}", exist_ok=True)
    for label, (op, model) in befores.items():
        open(f"{out}/before/{label}.onnx", "wb").write(model.SerializeToString())
        forms = (
            [("matmulnbits", b) for b in (2, 4, 8)] + [("qdq", 4)] if op == "MatMul" else [("gatherblockquantized", 4)]
        )
        for form, bits in forms:
            for block in (16, 32, 64, 128):
                for sym in (True, False):
                    config = DefaultWeightOnlyQuantConfig(
                        block_size=block,
                        is_symmetric=sym,
                        bits=bits,
                        op_types_to_quantize=(op,),
                        quant_format=QuantFormat.QDQ if form == "qdq" else QuantFormat.QOperator,
                    )
                    copy = onnx.ModelProto()
                    copy.CopyFrom(model)
                    q = MatMulNBitsQuantizer(copy, algo_config=config)
                    q.process()
                    after = q.model.model
                    compared += check(model, after, bits, block, sym, form, op)
                    name = f"{label}-{form}-{bits}-{block}-{'sym' if sym else 'asym'}"
                    open(f"{out}/after/{name}.onnx", "wb").write(after.SerializeToString())
                    index.append(
                        {
                            "before": f"before/{label}.onnx",
                            "after": f"after/{name}.onnx",
                            "op": op,
                            "form": form,
                            "bits": bits,
                            "block": block,
                            "symmetric": sym,
                        }
                    )
    return index, compared


# ---------- operators ----------
def spread(p, shape, axis, block):
    """scale or zero point as an array of the input's shape"""
    if p.size == 1:
        return np.broadcast_to(p.reshape(()), shape)
    if block == 0 and p.ndim == 1:
        v = [1] * len(shape)
        v[axis] = -1
        return np.broadcast_to(p.reshape(v), shape)
    return np.take(np.repeat(p, block, axis), np.arange(shape[axis]), axis)


def quantize(x, s, z, to, axis=1, block=0, saturate=1, precision=None, opset=25):
    P = (
        f32
        if opset < 23 and s.dtype != np.int32
        else precision or (x.dtype.type if s.dtype == NP["float8e8m0"] else s.dtype.type)
    )
    S = spread(s, x.shape, axis, block)
    if P is np.int32:
        quotient = x.astype(np.float64) / S.astype(np.float64)
    else:
        with np.errstate(all="ignore"):
            quotient = (x.astype(P).astype(f32) / S.astype(P).astype(f32)).astype(P).astype(f32)
    Z = None if z is None else spread(z, x.shape, axis, block)
    if to in RANGE:
        lo, hi = RANGE[to]
        v = np.rint(quotient.astype(np.float64)) + (0 if Z is None else Z.astype(np.float64))
        return np.where(np.isnan(v), lo, np.clip(v, lo, hi)).astype(np.int64).astype(NP[to])
    if to == "float4e2m1":
        v = (quotient + Z.astype(f32)).astype(P).astype(f32) if Z is not None else quotient
        return np.where(np.isnan(v), f32(-0.0), v).astype(NP[to])
    if saturate:
        top = float(ml_dtypes.finfo(NP[to]).max)
        v = np.where(np.isnan(quotient), quotient, np.clip(quotient, -top, top))
        return v.astype(f32).astype(NP[to])
    return quotient.astype(f32).astype(NP[to])


def dequantize(x, s, z, to, axis=1, block=0):
    S = spread(s, x.shape, axis, block).astype(f32)
    if typename(x).startswith("float"):
        d = x.astype(f32)
    else:
        d = (x.astype(np.int64) - (0 if z is None else spread(z, x.shape, axis, block).astype(np.int64))).astype(f32)
    with np.errstate(all="ignore"):
        return (d * S).astype(f32).astype(NP[to])


def dynamic(x):
    v = x[~np.isnan(x)]
    hi = f32(max(0.0, v.max() if v.size else 0))
    lo = f32(min(0.0, v.min() if v.size else 0))
    with np.errstate(all="ignore"):
        s = f32(1) if hi == lo else f32(f32(hi - lo) / f32(255))
        z = f32(0) - lo / s if hi != lo else f32(0)
    z = np.uint8(np.rint(np.clip(np.nan_to_num(z, nan=0.0), 0, 255)))
    return quantize(x, np.array(s), np.array(z), "uint8"), np.array(s), np.array(z)


def one_node(op, inputs, outputs, attrs, opset):
    node = h.make_node(op, [n for n, a in inputs], [n for n, a in outputs], **attrs)
    info = lambda n, a: h.make_tensor_value_info(n, h.np_dtype_to_tensor_dtype(a.dtype), list(a.shape))
    graph = h.make_graph(
        [node], "g", [info(n, a) for n, a in inputs if a is not None], [info(n, a) for n, a in outputs]
    )
    return h.make_model(graph, opset_imports=[h.make_opsetid("", opset)], ir_version=IR[opset])


def on_onnxruntime(model, inputs):
    """outputs as bytes, or None where the CPU provider has no kernel"""
    m = onnx.ModelProto()
    m.CopyFrom(model)
    g = m.graph
    for n, a in inputs:
        g.initializer.append(nh.from_array(a, n))
    del g.input[:]
    small = {}
    for o in list(g.output):
        code = o.type.tensor_type.elem_type
        if code in (T.FLOAT, T.FLOAT16, T.UINT8, T.INT8, T.UINT16, T.INT16):
            continue
        g.node.append(h.make_node("Cast", [o.name], [o.name + "_wide"], to=T.FLOAT))
        small[o.name] = code
        o.name += "_wide"
        o.type.tensor_type.elem_type = T.FLOAT
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        return ort.InferenceSession(m.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, {})
    except Exception as e:
        if "NOT_IMPLEMENTED" in str(e) or "InsertedPrecisionFreeCast" in str(e):
            return None
        raise


Q_TYPES = {
    10: ["uint8", "int8"],
    13: ["uint8", "int8"],
    19: ["uint8", "int8", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"],
}
Q_TYPES[21] = Q_TYPES[19] + ["uint16", "int16", "uint4", "int4"]
Q_TYPES[23] = Q_TYPES[21] + ["float4e2m1"]
Q_TYPES[24] = Q_TYPES[23]
Q_TYPES[25] = Q_TYPES[23] + ["uint2", "int2"]
X_TYPES = {10: ["float32", "int32"], 13: ["float32", "int32"], 19: ["float32", "float16", "bfloat16", "int32"]}
for v in (21, 23, 24, 25):
    X_TYPES[v] = X_TYPES[19]


def values(rng, shape, t, s_top):
    """inputs whose quotients are often halves, sometimes far out, infinite or NaN"""
    n = int(np.prod(shape))
    v = rng.integers(-40, 41, n) * 0.5 * s_top
    far = rng.random(n)
    v = np.where(far < 0.1, v * 50, v)
    if t != "int32":
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-30 if t != "float16" else 1e-7, 3e4, -3e4])
        hit = rng.random(n) < 0.08
        v = np.where(hit, rng.choice(special, n), v)
    return v.reshape(shape).astype(NP[t])


def scales(rng, shape, t):
    if t == "int32":
        return rng.integers(1, 9, shape).astype(np.int32)
    if t == "float8e8m0":
        return (2.0 ** rng.integers(-3, 4, shape)).astype(f32).astype(NP[t])
    return (
        np.where(rng.random(shape) < 0.5, 2.0 ** rng.integers(-4, 4, shape), rng.random(shape) + 0.05)
        .astype(f32)
        .astype(NP[t])
    )


def operators(rng, shape, block):
    cases, stats = [], {"onnxruntime equal": 0, "onnxruntime differs, noted": 0, "onnxruntime has no kernel": 0}

    def case(op, opset, inputs, outputs, attrs, label, note=None):
        model = one_node(op, inputs, outputs, attrs, opset)
        onnx.checker.check_model(model)
        got = on_onnxruntime(model, inputs)
        if got is None:
            stats["onnxruntime has no kernel"] += 1
        else:
            every = True
            for (n, w), g in zip(outputs, got):
                wide = w if g.dtype == w.dtype else w.astype(f32)
                same = (
                    np.array_equal(g, wide, equal_nan=g.dtype.kind == "f" or g.dtype.kind == "V")
                    and g.shape == wide.shape
                )
                every = every and same
                if not same and note is None:
                    raise AssertionError((label, attrs, inputs, g, wide))
            stats["onnxruntime equal" if every else "onnxruntime differs, noted"] += 1
        b64 = lambda b: base64.b64encode(b).decode()
        cases.append(
            {
                "name": label,
                "model": b64(model.SerializeToString()),
                "inputs": [b64(nh.from_array(a, n).SerializeToString()) for n, a in inputs],
                "outputs": [b64(nh.from_array(np.ascontiguousarray(a), n).SerializeToString()) for n, a in outputs],
            }
            | ({"note": note} if note else {})
        )

    blocks = list(shape)
    blocks[-1] = -(-shape[-1] // block)
    for opset in X_TYPES:
        for xt in X_TYPES[opset]:
            for qt in Q_TYPES[opset]:
                grains = (
                    [("tensor", (), {})]
                    + (
                        [("axis", (shape[1],), {"axis": 1}), ("axis-last", (shape[-1],), {"axis": -1})]
                        if opset >= 13
                        else []
                    )
                    + (
                        [("blocked", tuple(blocks), {"axis": len(shape) - 1, "block_size": block})]
                        if opset >= 21
                        else []
                    )
                )
                for grain, sshape, attrs in grains:
                    st = {10: "float32", 13: "float32"}.get(opset, xt)
                    if opset >= 23 and rng.random() < 0.25 and xt != "int32":
                        st = str(
                            rng.choice(["float32", "float16", "bfloat16"] + (["float8e8m0"] if opset >= 24 else []))
                        )
                    a = dict(attrs)
                    precision = None
                    if opset >= 23 and xt != "int32" and rng.random() < 0.2:
                        precision = str(rng.choice(["float32", "float16"]))
                        a["precision"] = CODE[precision]
                    s = scales(rng, sshape, st)
                    s_top = float(np.max(s.astype(f32)))
                    x = values(rng, shape, xt, s_top)
                    z = None
                    if qt in RANGE and rng.random() < 0.8:
                        lo, hi = RANGE[qt]
                        z = rng.integers(max(lo, -200), min(hi, 200) + 1, sshape).astype(np.int64).astype(NP[qt])
                    elif qt not in RANGE and rng.random() < 0.5:
                        z = np.zeros(sshape, f32).astype(NP[qt])
                    if z is None and qt != "uint8":
                        if opset >= 21:
                            a["output_dtype"] = CODE[qt]
                        else:
                            z = np.zeros(sshape, f32).astype(NP[qt])
                    sat = 1
                    if qt.startswith("float8") and rng.random() < 0.4:
                        sat = 0
                        a["saturate"] = 0
                    note = None
                    if sat == 0 and qt in ("float8e4m3fn", "float8e5m2"):
                        note = "onnxruntime has bugs just above the largest value when saturate is 0"
                    ax = a.get("axis", 1)
                    ax = ax + len(shape) if ax < 0 else ax
                    y = quantize(
                        x, s, z, qt, ax, a.get("block_size", 0), sat, NP[precision] if precision else None, opset
                    )
                    case(
                        "QuantizeLinear",
                        opset,
                        [("x", x), ("s", s)] + ([("z", z)] if z is not None else []),
                        [("y", y)],
                        a,
                        f"quantize-{opset}-{xt}-{st}-{qt}-{grain}",
                        note,
                    )
    for opset in X_TYPES:
        for qt in Q_TYPES[opset] + ["int32"]:
            for ot in (["float32"] if opset < 19 else ["float32", "float16", "bfloat16"]):
                grains = (
                    [("tensor", (), {})]
                    + ([("axis", (shape[1],), {"axis": 1})] if opset >= 13 else [])
                    + ([("blocked", tuple(blocks), {"axis": -1, "block_size": block})] if opset >= 21 else [])
                )
                for grain, sshape, attrs in grains:
                    a = dict(attrs)
                    st = ot
                    if opset >= 23 and rng.random() < 0.3:
                        st = str(
                            rng.choice(["float32", "float16", "bfloat16"] + (["float8e8m0"] if opset >= 24 else []))
                        )
                        a["output_dtype"] = CODE[ot]
                    s = scales(rng, sshape, st)
                    if qt in RANGE or qt == "int32":
                        lo, hi = RANGE.get(qt, (-(10**6), 10**6))
                        x = rng.integers(lo, hi + 1, shape).astype(np.int64).astype(NP[qt])
                    else:
                        x = (rng.standard_normal(shape) * 3).astype(f32).astype(NP[qt])
                    z = None
                    if qt in RANGE and rng.random() < 0.7:
                        z = rng.integers(max(lo, -99), min(hi, 99) + 1, sshape).astype(np.int64).astype(NP[qt])
                    elif rng.random() < 0.3:
                        z = np.zeros(sshape, f32).astype(NP[qt])
                    y = dequantize(x, s, z, ot, a.get("axis", 1) % len(shape), a.get("block_size", 0))
                    case(
                        "DequantizeLinear",
                        opset,
                        [("x", x), ("s", s)] + ([("z", z)] if z is not None else []),
                        [("y", y)],
                        a,
                        f"dequantize-{opset}-{qt}-{st}-{ot}-{grain}",
                    )
    for i in range(40):
        x = (
            rng.standard_normal(tuple(rng.integers(1, 6, rng.integers(0, 4)))) * 10.0 ** rng.integers(-3, 4)
            + (0, 5, -5, 100)[i % 4]
        ).astype(f32)
        if i in (3, 7):
            x = np.zeros(shape, f32)
        if i == 11:
            x = np.full(shape, 3, f32)
        if i == 12:
            x = np.full(shape, -3, f32)
        if i == 13:
            x = (rng.integers(-255, 256, shape) * 0.5).astype(f32)
            x.flat[0] = -127.5
            x.flat[1] = 127.5
        if i == 14:
            x = np.zeros((0, 3), f32)
        if i == 15:
            x = (rng.integers(-2, 508, shape) * 0.5).astype(f32)
            x.flat[0] = -1
            x.flat[1] = 254
        y, s, z = dynamic(x)
        case("DynamicQuantizeLinear", 11, [("x", x)], [("y", y), ("s", s), ("z", z)], {}, f"dynamic-{i}")
    return cases, stats


def rejects(rng):
    """models that must throw a TypeError or RangeError"""
    b64 = lambda b: base64.b64encode(b).decode()
    out = []

    def bad(label, op, opset, x, s, z, out_t, attrs):
        ins = [("x", x), ("s", s)] + ([("z", z)] if z is not None else [])
        m = one_node(op, ins, [("y", np.zeros(x.shape, NP[out_t]))], attrs, opset)
        out.append(
            {
                "name": label,
                "model": b64(m.SerializeToString()),
                "inputs": [b64(nh.from_array(a, n).SerializeToString()) for n, a in ins],
            }
        )

    x = rng.standard_normal((2, 7)).astype(f32)
    u = np.uint8
    q = rng.integers(0, 9, (2, 7)).astype(u)
    for op, v in (("QuantizeLinear", x), ("DequantizeLinear", q)):
        o = "uint8" if op[0] == "Q" else "float32"
        S = lambda *d: np.ones(d, f32)
        Z = lambda *d: np.ones(d, u)
        bad(op + " block too small", op, 21, v, S(2, 3), Z(2, 3), o, {"axis": 1, "block_size": 2})
        bad(op + " block too large", op, 21, v, S(2, 3), Z(2, 3), o, {"axis": 1, "block_size": 4})
        bad(op + " negative block", op, 21, v, S(2, 3), Z(2, 3), o, {"axis": 1, "block_size": -3})
        bad(op + " blocked scale without block_size", op, 21, v, S(2, 3), Z(2, 3), o, {"axis": 1})
        bad(op + " scale and zero point differ in shape", op, 21, v, S(2, 3), Z(2, 2), o, {"axis": 1, "block_size": 3})
        bad(op + " scale too short for the axis", op, 13, v, S(2), Z(2), o, {})
        bad(op + " axis out of range", op, 13, v, S(7), Z(7), o, {"axis": 2})
        bad(op + " axis out of range, negative", op, 13, v, S(7), Z(7), o, {"axis": -3})
        bad(op + " per axis in version 10", op, 10, v, S(7), Z(7), o, {})
        bad(
            op + " uint16 before 21",
            op,
            19,
            v if op[0] == "Q" else q.astype(np.uint16),
            S(),
            np.ones((), np.uint16),
            "uint16" if op[0] == "Q" else "float32",
            {},
        )
    bad(
        "QuantizeLinear int2 before 25", "QuantizeLinear", 24, x, np.ones((), f32), np.zeros((), NP["int2"]), "int2", {}
    )
    bad(
        "QuantizeLinear float4 before 23",
        "QuantizeLinear",
        21,
        x,
        np.ones((), f32),
        np.zeros((), NP["float4e2m1"]),
        "float4e2m1",
        {},
    )
    bad(
        "QuantizeLinear zero point and output_dtype differ",
        "QuantizeLinear",
        21,
        x,
        np.ones((), f32),
        np.zeros((), u),
        "uint8",
        {"output_dtype": CODE["int8"]},
    )
    bad(
        "QuantizeLinear float16 and float32 before 23",
        "QuantizeLinear",
        21,
        x.astype(f16),
        np.ones((), f32),
        np.zeros((), u),
        "uint8",
        {},
    )
    bad(
        "QuantizeLinear to float8, zero point not 0",
        "QuantizeLinear",
        21,
        x,
        np.ones((), f32),
        np.ones((), f32).astype(NP["float8e5m2"]),
        "float8e5m2",
        {},
    )
    bad(
        "DequantizeLinear of float8, zero point not 0",
        "DequantizeLinear",
        21,
        x.astype(NP["float8e5m2"]),
        np.ones((), f32),
        np.ones((), f32).astype(NP["float8e5m2"]),
        "float32",
        {},
    )
    bad(
        "DequantizeLinear x and zero point differ in type",
        "DequantizeLinear",
        21,
        q,
        np.ones((), f32),
        np.ones((), np.int8),
        "float32",
        {},
    )
    bad(
        "DequantizeLinear float8e8m0 scale without output_dtype",
        "DequantizeLinear",
        24,
        q,
        np.ones((), f32).astype(NP["float8e8m0"]),
        None,
        "float32",
        {},
    )
    return out


def write_lines(path, rows):
    with open(path, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=20260801)
    o = p.parse_args()
    rng = np.random.default_rng(o.seed)
    index, compared = packing(o.out, rng, [(70, 5), (64, 8), (129, 6), (33, 3), (16, 1), (257, 2)])
    cases, stats = operators(rng, (2, 3, 7), 3)
    write_lines(f"{o.out}/index.json", index)
    write_lines(f"{o.out}/operators.json", cases)
    write_lines(f"{o.out}/rejects.json", rejects(rng))
    print(f"{len(index)} packed models, {compared} tensors equal to packing_reference.py")
    print(f"{len(cases)} operator cases, {stats}")
