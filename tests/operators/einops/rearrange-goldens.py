"""Prints what einops makes of 500 patterns, of rearrange and of repeat, as JSON: one line each.

rearrange-goldens.json is its output:

    pip install -c tests/goldens/constraints.txt einops numpy
    python3 tests/operators/einops/rearrange-goldens.py > tests/operators/einops/rearrange-goldens.json

The tensor has the numbers 0, 1, 2, ... as int32. A row is [call, pattern, lengths, dims, result]. The result is the
name of the error's class, or [dims, numbers] with up to 48 numbers, or [dims, the first 16 digits of the SHA-256 of the
little-endian numbers].
"""

import hashlib
import json
import random
import sys
import warnings

import einops
import numpy as np

warnings.simplefilter("ignore")
chosen = random.Random(20)

fixed = [
    ("b c h w -> b h w c", {}, [2, 3, 4, 5]),
    ("b h w c -> b c h w", {}, [2, 4, 5, 3]),
    ("h w c -> w h c", {}, [4, 5, 3]),
    ("b c h w -> (b h) w c", {}, [2, 3, 4, 5]),
    ("b c h w -> b (c h w)", {}, [2, 3, 4, 5]),
    ("b h w c -> (b w) h c", {}, [2, 3, 4, 1]),
    ("(b1 b2) h w c -> b1 b2 h w c", {"b1": 2}, [6, 2, 2, 3]),
    ("b (h w) c -> b c h w", {"h": 4}, [2, 16, 3]),
    ("b c (h p) (w q) -> b (h w) (p q c)", {"p": 2, "q": 2}, [1, 3, 4, 6]),
    ("b (h h1) (w w1) c -> b h w (c h1 w1)", {"h1": 2, "w1": 2}, [1, 4, 6, 3]),
    ("b (c r s) h w -> b c (h r) (w s)", {"r": 2, "s": 2}, [1, 8, 2, 3]),
    ("b (r s c) h w -> b c (h r) (w s)", {"r": 2, "s": 2}, [1, 8, 2, 3]),
    ("b t (head d) -> b head t d", {"head": 4}, [2, 3, 8]),
    ("b t (qkv head d) -> qkv b head t d", {"qkv": 3, "head": 2}, [2, 3, 12]),
    ("b (g c) t -> (b g) c t", {"g": 3}, [2, 6, 3]),
    ("... c -> c ...", {}, [2, 3, 4]),
    ("... c -> c ...", {}, [4]),
    ("... c -> c ...", {}, []),
    ("b ... -> b (...)", {}, [2, 3, 4]),
    ("b ... -> b (...)", {}, [2]),
    ("... -> (...)", {}, [2, 3, 4]),
    ("... -> (...)", {}, []),
    ("... -> ...", {}, [2, 3]),
    ("b c ... -> b ... c", {}, [2, 3]),
    ("a ... b -> (b ... a)", {}, [2, 3, 4, 5]),
    ("a ... b -> b (... a)", {}, [2, 3]),
    ("b c h w -> b c h w 1", {}, [1, 2, 2, 2]),
    ("b () h w -> b h w", {}, [2, 1, 3, 4]),
    ("b 1 h w -> b h w", {}, [2, 2, 3, 4]),
    ("(a b c) -> c b a", {"a": 2, "b": 3}, [24]),
    ("(a 1 b) -> b 1 (a)", {"a": 2}, [6]),
    ("(a 01 b) -> b 01 (a ())", {"a": 2}, [6]),
    ("->", {}, []),
    (" -> 1", {}, []),
    ("1 -> ", {}, [1]),
    ("() () -> ", {}, [1, 1]),
    ("(h w) -> h w", {"h": 3}, [0]),
    ("(h w) -> h w", {"h": 0}, [0]),
    ("(h w) -> h w", {"h": 0, "w": 3}, [0]),
    ("a b -> b a", {}, [0, 3]),
    ("a b -> (a b)", {}, [3, 0]),
    ("a(b c)d->d a b c", {"b": 2}, [2, 4, 3]),
    ("a   b ->   b  a", {}, [2, 3]),
    ("( a b )c -> c ( b a )", {"b": 2}, [6, 2]),
    ("if for -> for if", {}, [2, 3]),
    ("axis b -> b axis", {}, [2, 3]),
    ("A a -> a A", {}, [2, 3]),
    ("é λ -> λ é", {}, [2, 3]),
    ("a1 b_2 -> b_2 a1", {}, [2, 3]),
    ("constructor toString -> toString constructor", {}, [2, 3]),
    ("(__proto x) -> x __proto", {"x": 2}, [4]),
    ("a b", {}, [2, 3]),
    ("a -> b -> a", {}, [2]),
    ("a b -> a", {}, [2, 3]),
    ("a -> a b", {}, [2]),
    ("a a -> a", {}, [2, 2]),
    ("a b -> a a b", {}, [2, 2]),
    ("a -> a ...", {}, [2]),
    ("... a -> a", {}, [2]),
    ("(...) a -> ... a", {}, [2, 3]),
    ("... ... a -> a ...", {}, [2, 3]),
    (".. a -> a ..", {}, [2, 3]),
    (".... a -> a ....", {}, [2, 3]),
    ("a... -> a ...", {}, [2, 3]),
    ("...a -> a ...", {}, [2, 3]),
    ("a (b (c d)) -> a b c d", {"b": 2, "c": 2}, [2, 8]),
    ("a (b c -> a b c", {"b": 2}, [2, 4]),
    ("a b c) -> a b c", {}, [2, 4, 2]),
    ("a 2 -> 2 a", {}, [3, 2]),
    ("a 0 -> 0 a", {}, [3, 0]),
    ("_a b -> b _a", {}, [2, 3]),
    ("a_ b -> b a_", {}, [2, 3]),
    ("_ b -> b _", {}, [2, 3]),
    ("a.b -> b a", {}, [2, 3]),
    ("a, b -> b a", {}, [2, 3]),
    ("a\tb -> b a", {}, [2, 3]),
    ("a b ->\nb a", {}, [2, 3]),
    ("1a b -> b 1a", {}, [2, 3]),
    ("a-b c -> c a-b", {}, [2, 3]),
    ("a b - > b a", {}, [2, 3]),
    ("a b => b a", {}, [2, 3]),
    ("", {}, []),
    ("(a b) -> a b", {}, [6]),
    ("(a b) -> a b", {"a": 4}, [6]),
    ("(a b) -> a b", {"a": 2, "b": 2}, [6]),
    ("(a b) -> a b", {"a": 2, "b": 3}, [6]),
    ("(a b) -> a b", {"a": 2, "c": 3}, [6]),
    ("(a b) -> a b", {"_a": 2, "b": 3}, [6]),
    ("a b -> b a", {"a": 2}, [2, 3]),
    ("a b -> b a", {"a": 3}, [2, 3]),
    ("a b c -> c b a", {}, [2, 3]),
    ("a -> a", {}, [2, 3]),
    ("a b ... -> ... b a", {}, [2]),
]

fixed_repeats = [
    ("h w -> h w c", {"c": 3}, [2, 3]),
    ("h w -> (h 2) (w 3)", {}, [2, 3]),
    ("h w -> (2 h) (3 w)", {}, [2, 3]),
    ("h w -> h (w repeat)", {"repeat": 2}, [2, 3]),
    ("h w -> h (repeat w)", {"repeat": 2}, [2, 3]),
    ("h w -> 1 h () w", {}, [2, 3]),
    ("h w -> 0 h w", {}, [2, 3]),
    ("h w -> 02 h w", {}, [2, 3]),
    ("h w -> c h w", {"c": 0}, [2, 3]),
    ("h w -> c h w", {"c": 1}, [2, 3]),
    ("h w -> c h w", {}, [2, 3]),
    ("h w -> h", {}, [2, 3]),
    ("h 2 -> h 2", {}, [2, 2]),
    ("2 h -> h", {}, [2, 2]),
    ("h w -> h w w", {}, [2, 2]),
    ("h w -> h w 2 2", {}, [2, 2]),
    ("h w -> h w (2 2 2)", {}, [1, 2]),
    ("-> 3", {}, []),
    ("-> a b", {"a": 2, "b": 3}, []),
    ("... -> ... 2", {}, [2, 3]),
    ("... -> (... 2)", {}, [2, 3]),
    ("... a -> 2 a (... k)", {"k": 3}, [2, 3]),
    ("a ... -> a 2", {}, [2, 3]),
    ("a -> a ... 2", {}, [2]),
    ("(a b) -> b (a 2)", {"a": 2}, [6]),
    ("(a b) -> b (a c)", {"a": 2, "c": 2}, [6]),
    ("(a b) -> b (a c)", {"b": 2, "c": 2, "d": 4}, [6]),
    ("a -> 3a", {}, [2]),
    ("a -> a -1", {}, [2]),
    ("a -> (a (2))", {}, [2]),
    ("a -> (a 2", {}, [2]),
    ("a b", {}, [2, 2]),
]

names = ["a", "b", "c", "d", "e", "h", "w", "p1", "p2", "head"]
extents = [1, 1, 2, 2, 3, 3, 4, 5, 7, 0]


def grouped(atoms, ones):
    """A side: the atoms in order, some of them in brackets, with ones between."""
    side = []
    atoms = list(atoms)
    while atoms:
        if chosen.random() < 0.4:
            count = chosen.randint(1, min(3, len(atoms)))
            group, atoms = atoms[:count], atoms[count:]
            if ones and chosen.random() < 0.15:
                group.insert(chosen.randint(0, len(group)), "1")
            side.append(group)
        else:
            side.append(atoms.pop(0))
        if ones and chosen.random() < 0.08:
            side.append(chosen.choice(["1", []]))
    return side


def text_of(side):
    return " ".join("(" + " ".join(item) + ")" if isinstance(item, list) else item for item in side)


def legal(repeats):
    """A pattern, the lengths that it needs and some more, and dims that fit."""
    used = chosen.sample(names, chosen.randint(0, 5))
    lengths = {name: chosen.choice(extents) for name in used}
    ellipsis = chosen.random() < 0.25
    left = grouped(used, True)
    right_names = chosen.sample(used, len(used))
    new = {}
    if repeats:
        for name in chosen.sample(["k", "m"], chosen.randint(0, 2)):
            new[name] = chosen.choice([1, 2, 3])
            right_names.insert(chosen.randint(0, len(right_names)), name)
        for _ in range(chosen.randint(0, 2)):
            right_names.insert(chosen.randint(0, len(right_names)), chosen.choice(["2", "3", "05"]))
    rest = [chosen.choice(extents) for _ in range(chosen.randint(0, 2))]
    dims, given = [], dict(new)
    at = chosen.randint(0, len(left)) if ellipsis else -1
    for i, item in enumerate(left):
        if i == at:
            dims += rest
        members = [name for name in item if name != "1"] if isinstance(item, list) else [item]
        extent = 1
        for name in members:
            extent *= lengths.get(name, 1)
        dims.append(extent)
        unknown = [name for name in members if name in lengths]
        if isinstance(item, list):
            left_out = chosen.randrange(len(unknown)) if unknown and chosen.random() < 0.8 else -1
            given |= {name: lengths[name] for k, name in enumerate(unknown) if k != left_out}
        elif unknown and chosen.random() < 0.15:
            given[item] = lengths[item]
    if at == len(left):
        dims += rest
    if ellipsis:
        left.insert(at, "...")
        right_names.insert(chosen.randint(0, len(right_names)), "...")
    right = grouped(right_names, True)
    pairs = list(given.items())
    chosen.shuffle(pairs)
    return f"{text_of(left)} -> {text_of(right)}", dict(pairs), dims


def spoiled(pattern, lengths, dims):
    """The same with one thing changed, which may make it illegal."""
    lengths, dims = dict(lengths), list(dims)
    kind = chosen.randrange(5)
    if kind == 0 and dims:
        dims[chosen.randrange(len(dims))] += chosen.choice([1, 2])
    elif kind == 1 and lengths:
        name = chosen.choice(list(lengths))
        lengths[name] += chosen.choice([1, 2])
    elif kind == 2 and lengths:
        del lengths[chosen.choice(list(lengths))]
    elif kind == 3:
        dims.append(2)
    else:
        at = chosen.randint(0, len(pattern))
        change = chosen.choice(["(", ")", " ", ".", "1", "_", "z", " a ", "..."])
        pattern = pattern[:at] + change + pattern[at + chosen.randint(0, 1) :]
    return pattern, lengths, dims


def result_of(call, pattern, lengths, dims):
    size = int(np.prod(dims))
    data = np.arange(size, dtype="<i4").reshape(dims)
    try:
        made = getattr(einops, call)(data, pattern, **lengths)
    except Exception as error:
        return type(error).__name__
    # ascontiguousarray would give a scalar an axis.
    made = np.array(made, order="C")
    if made.size <= 48:
        return [list(made.shape), made.ravel().tolist()]
    return [list(made.shape), hashlib.sha256(made.tobytes()).hexdigest()[:16]]


rows, seen = [], set()


def add(call, pattern, lengths, dims):
    key = json.dumps([call, pattern, lengths, dims])
    if key not in seen:
        seen.add(key)
        rows.append([call, pattern, lengths, dims, result_of(call, pattern, lengths, dims)])


for given in fixed:
    add("rearrange", *given)
for given in fixed_repeats:
    add("repeat", *given)
while len(rows) < 500:
    repeats = chosen.random() < 0.35
    given = legal(repeats)
    add("repeat" if repeats else "rearrange", *(spoiled(*given) if chosen.random() < 0.3 else given))

head = json.dumps({"einops": einops.__version__, "numpy": np.__version__})[1:-1]
lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
sys.stdout.write("{" + head + ', "rows": [\n' + lines + "\n]}\n")
