"""Makes models whose weights lie in branches of If and bodies of Loop and Scan, and what onnxruntime's quantizer packs
of them: python subgraphs.py OUT [--seed N] [--count N]. Up to IR version 3 all initializers are inputs.
"""

import argparse, base64, hashlib, json, logging, random, warnings
import numpy as np, onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer, DefaultWeightOnlyQuantConfig
from onnxruntime.quantization.quant_utils import QuantFormat

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
D = 16


class Maker:
    def __init__(self, seed, ir):
        self.random, self.numbers, self.ir, self.count = random.Random(seed), np.random.RandomState(seed), ir, 0

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def info(self, name, type=T.FLOAT, dims=(3, D)):
        return h.make_tensor_value_info(name, type, dims)

    def listed(self, inits):
        return [self.info(t.name, t.data_type, list(t.dims)) for t in inits] if self.ir == 3 else []

    def weights(self, inits, visible, kind):
        """An initializer that is visible, or a new one, whose name a graph beside this one may have too."""
        seen = [name for name, of in visible if of == kind]
        if seen and self.random.random() < 0.4:
            return self.random.choice(seen)
        name = f"{kind}{self.random.randint(0, 3)}"
        if any(name == taken for taken, _ in visible):
            name = self.name(f"{kind}_")
        dims = (D, D) if kind == "w" else (7, D)
        inits.append(nh.from_array((self.numbers.randn(*dims) * 0.3).astype(np.float32), name))
        visible.append((name, kind))
        return name

    def body(self, x, depth, outer, nodes, inits):
        visible = list(outer)
        for _ in range(self.random.randint(1, 2)):
            out, name, choice = self.name("y"), self.name("n"), self.random.random()
            if choice < 0.4 or depth >= 3:
                nodes.append(h.make_node("MatMul", [x, self.weights(inits, visible, "w")], [out], name=name))
            elif choice < 0.5:
                rows = self.name("g")
                nodes.append(h.make_node("Gather", [self.weights(inits, visible, "g"), "rows"], [rows], name=name))
                nodes.append(h.make_node("Add", [x, rows], [out]))
            elif choice < 0.55:
                copy = self.name("c")
                nodes.append(h.make_node("Identity", [self.weights(inits, visible, "w")], [copy]))
                nodes.append(h.make_node("MatMul", [x, copy], [out], name=name))
            else:
                getattr(self, self.random.choice(["branches", "branches", "loop", "scan"]))(
                    x, depth, visible, nodes, out, name
                )
            x = out
        return x

    def inner(self, x, depth, visible, result):
        nodes, inits = [], []
        nodes.append(h.make_node("Identity", [self.body(x, depth + 1, visible, nodes, inits)], [result]))
        return nodes, inits

    def branches(self, x, depth, visible, nodes, out, name):
        graphs = []
        for label in ("then_branch", "else_branch"):
            result = self.name("r")
            inside, inits = self.inner(x, depth, visible, result)
            graphs.append(h.make_graph(inside, label, self.listed(inits), [self.info(result)], inits))
        nodes.append(h.make_node("If", ["c"], [out], name=name, then_branch=graphs[0], else_branch=graphs[1]))

    def loop(self, x, depth, visible, nodes, out, name):
        i, c, state, again, result = [self.name(p) for p in ("i", "c", "s", "a", "r")]
        inside, inits = self.inner(state, depth, visible, result)
        inside.append(h.make_node("Identity", [c], [again]))
        ins = [self.info(i, T.INT64, []), self.info(c, T.BOOL, []), self.info(state), *self.listed(inits)]
        graph = h.make_graph(inside, "body", ins, [self.info(again, T.BOOL, []), self.info(result)], inits)
        nodes.append(h.make_node("Loop", ["two", "yes", x], [out], name=name, body=graph))

    def scan(self, x, depth, visible, nodes, out, name):
        state, row, result, same = [self.name(p) for p in ("s", "e", "r", "f")]
        inside, inits = self.inner(state, depth, visible, result)
        inside.append(h.make_node("Identity", [row], [same]))
        ins = [self.info(state), self.info(row, dims=[1]), *self.listed(inits)]
        graph = h.make_graph(inside, "scan", ins, [self.info(result), self.info(same, dims=[1])], inits)
        outs = [out, self.name("o")]
        nodes.append(h.make_node("Scan", [x, "series"], outs, name=name, body=graph, num_scan_inputs=1))

    def model(self):
        nodes, inits = [], []
        nodes.append(h.make_node("Identity", [self.body("x", 0, [], nodes, inits)], ["out"]))
        constants = {"two": np.array(2), "yes": np.array(True), "rows": np.array([1, 5, 0])}
        inits += [nh.from_array(value, name) for name, value in constants.items()]
        inits.append(nh.from_array(np.ones((2, 1), np.float32), "series"))
        ins = [self.info("x"), self.info("c", T.BOOL, []), *self.listed(inits)]
        graph = h.make_graph(nodes, "graph", ins, [self.info("out")], inits)
        return h.make_model(graph, opset_imports=[h.make_opsetid("", 21)], ir_version=self.ir)


def packed_in(graph, scopes, found):
    """The operators of nodes by their names, and hashes of their initializers, the graph's own or those around it."""
    inits = {t.name: t for t in graph.initializer}
    scopes = [*scopes, inits]
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                packed_in(attribute.g, scopes, found)
        if node.op_type in ("MatMulNBits", "GatherBlockQuantized", "DequantizeLinear"):
            tensors = [next((s[name] for s in reversed(scopes) if name in s), None) for name in node.input]
            hashes = [hashlib.sha256(t.raw_data).hexdigest()[:16] for t in tensors if t is not None]
            # A weight that two nodes of a graph share has two nodes DequantizeLinear there.
            found[node.name] = [node.op_type, *hashes]
    return found


parser = argparse.ArgumentParser()
parser.add_argument("out")
parser.add_argument("--seed", type=int, default=5)
parser.add_argument("--count", type=int, default=12)
arguments = parser.parse_args()
cases, seed = [], arguments.seed * 1000
while len(cases) < arguments.count:
    seed += 1
    i = len(cases)
    form, bits = [("matmulnbits", 4), ("matmulnbits", 8), ("qdq", 4)][i % 3]
    ops = ["MatMul", "Gather"] if form == "matmulnbits" and bits == 4 else ["MatMul"]
    model = Maker(seed, 3 if i % 4 == 3 else 10).model()
    before = model.SerializeToString()
    config = DefaultWeightOnlyQuantConfig(
        block_size=16,
        is_symmetric=i % 2 == 0,
        bits=bits,
        op_types_to_quantize=tuple(ops),
        quant_format=QuantFormat.QDQ if form == "qdq" else QuantFormat.QOperator,
    )
    quantizer = MatMulNBitsQuantizer(model, algo_config=config)
    quantizer.process()
    nodes = packed_in(quantizer.model.model.graph, [], {})
    if not 2 <= len(nodes) <= 12:
        continue
    row = {"form": form, "bits": bits, "ops": ops, "symmetric": i % 2 == 0, "nodes": nodes}
    cases.append({**row, "model": base64.b64encode(before).decode()})
lines = ",\n".join(json.dumps(case) for case in cases)
open(f"{arguments.out}/subgraphs.json", "w").write(f"[\n{lines}\n]\n")
print(len(cases), "models")
