"""Prints a package's table: what of it this project follows. python tables.py PACKAGE FOLDER

FOLDER holds an unpacked wheel. Its sources are read as syntax trees, so nothing of it runs and its dependencies may be
missing; `onnx` alone is imported. A body counts as its syntax tree without docstrings: a comment changes nothing.
"""

import ast
import hashlib
import json
import pathlib
import re
import sys

# The files whose classes are followed, by kind.
TRANSFORMERS_KINDS = {
    "image": "models/*/image_processing_*.py",
    "video": "models/*/video_processing_*.py",
    "audio": "models/*/feature_extraction_*.py",
}

# The files that these classes stand on.
SHARED = {
    "transformers": [
        "audio_utils.py",
        "feature_extraction_*.py",
        "image_processing_*.py",
        "image_transforms.py",
        "image_utils.py",
        "video_processing_utils.py",
        "video_utils.py",
    ],
    "timm": ["data/config.py", "data/constants.py", "data/transforms.py", "data/transforms_factory.py"],
    "ultralytics": ["data/augment.py", "utils/nms.py", "utils/ops.py"],
    "rapidocr": ["cal_rec_boxes/*.py", "ch_ppocr_*/*.py", "utils/process_img.py"],
}

# The settings that all classes of a kind take.
KWARGS = ("AudioKwargs", "ImagesKwargs", "VideosKwargs")

# Methods that read and write files or fetch: a processor's numbers do not depend on them.
FILES = re.compile(r"\w*(pretrained|_dict|_json|_hub|_file|auto_class)\w*$|(load|fetch|download)_(image|video|audio)")

MODEL_TYPES = {
    "IMAGE_PROCESSOR_MAPPING_NAMES": "image",
    "MISSING_IMAGE_PROCESSOR_MAPPING_NAMES": "image",
    "VIDEO_PROCESSOR_MAPPING_NAMES": "video",
    "MISSING_VIDEO_PROCESSOR_MAPPING_NAMES": "video",
    "FEATURE_EXTRACTOR_MAPPING_NAMES": "audio",
    "MISSING_FEATURE_EXTRACTOR_MAPPING_NAMES": "audio",
}


def without_docstrings(node):
    """The node, with the docstrings of it and of what it holds taken out."""
    for inner in ast.walk(node):
        body = getattr(inner, "body", None)
        if not isinstance(body, list) or not body or not isinstance(body[0], ast.Expr):
            continue
        if isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
            inner.body = body[1:] or [ast.Pass()]
    return node


def digest(node):
    return hashlib.sha256(ast.unparse(node).encode()).hexdigest()[:8]


def assignments(body):
    """Names and values of a body's plain and annotated assignments, and of its annotations alone."""
    for node in body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield ast.unparse(target), ast.unparse(node.value)
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target), ast.unparse(node.value) if node.value else ""


def parameters(function):
    """The defaults of a function's parameters, by name."""
    arguments = function.args
    by_place = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(by_place) - len(arguments.defaults)) + arguments.defaults
    pairs = [*zip(by_place, defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return {name.arg: ast.unparse(value) for name, value in pairs if value is not None}


def functions_of(body):
    functions = [node for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return [node for node in functions if not FILES.match(node.name)]


def class_row(node, classes):
    """A class: its bases, the defaults of its settings, the names of its valid_kwargs, and digests of its methods."""
    values = dict(assignments(node.body))
    kwargs = classes.get(values.pop("valid_kwargs", None))
    row = {"bases": [ast.unparse(base) for base in node.bases], "defaults": values, "methods": {}}
    if kwargs:
        row["kwargs"] = sorted(name for name, _ in assignments(kwargs.body))
    for function in functions_of(node.body):
        if function.name == "__init__":
            row["defaults"].update(parameters(function))
        row["methods"][function.name] = digest(function)
    return row


def parse(path):
    return without_docstrings(ast.parse(path.read_text(encoding="utf-8")))


def kind_rows(root, pattern):
    rows = {}
    for path in sorted(root.glob(pattern)):
        body = parse(path).body
        classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
        for name, node in classes.items():
            bases = " ".join(ast.unparse(base) for base in node.bases)
            if not bases.endswith(("Kwargs", "total=False")) and "Kwargs" not in name:
                rows[name] = class_row(node, classes)
        for function in functions_of(body):
            rows[f"{path.stem}.{function.name}"] = {"methods": {function.name: digest(function)}}
    return rows


def shared_rows(root, patterns):
    """Digests of the functions and methods of files, and of what their modules assign."""
    rows = {}
    for path in sorted(file for pattern in patterns for file in root.glob(pattern)):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        body = parse(path).body
        for function in functions_of(body):
            rows[f"{name}.{function.name}"] = digest(function)
        for node in body:
            if isinstance(node, ast.ClassDef):
                for function in functions_of(node.body):
                    rows[f"{name}.{node.name}.{function.name}"] = digest(function)
                node.body = [inner for inner in node.body if not isinstance(inner, ast.FunctionDef)]
                rows[f"{name}.{node.name}"] = digest(node)
            elif isinstance(node, ast.Assign):
                rows[f"{name}.{ast.unparse(node.targets[0])}"] = digest(node)
    return rows


def model_types(root):
    """The class of each model type, by kind, as the automatic classes choose it."""
    types = {kind: {} for kind in TRANSFORMERS_KINDS}
    for path in sorted(root.glob("models/auto/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not isinstance(node.value, ast.Call):
                continue
            kind = MODEL_TYPES.get(getattr(target, "id", None))
            if kind and node.value.args:
                for entry in node.value.args[0].elts:
                    key, value = (ast.literal_eval(part) for part in entry.elts)
                    types[kind][key] = value
    return types


def answer_rows(root):
    """The methods of processors that read a model's outputs: those of image processors are in their own rows."""
    rows = {}
    for path in sorted(root.glob("models/*/processing_*.py")):
        for node in parse(path).body:
            methods = functions_of(node.body) if isinstance(node, ast.ClassDef) else []
            answers = {method.name: digest(method) for method in methods if method.name.startswith("post_process_")}
            if answers:
                rows[node.name] = {"methods": answers}
    return rows


def kwargs_rows(root):
    body = parse(root / "processing_utils.py").body
    kwargs = [node for node in body if isinstance(node, ast.ClassDef) and node.name in KWARGS]
    return {node.name: {"kwargs": sorted(name for name, _ in assignments(node.body))} for node in kwargs}


def transformers_table(root):
    return {
        **{kind: kind_rows(root, pattern) for kind, pattern in TRANSFORMERS_KINDS.items()},
        "answers": answer_rows(root),
        "settings of all": kwargs_rows(root),
        "model types": model_types(root),
        "shared code": shared_rows(root, SHARED["transformers"]),
    }


def onnx_table(folder):
    sys.path.insert(0, str(folder))
    import onnx

    schemas = onnx.defs.get_all_schemas_with_history()
    operators = {}
    for schema in sorted(schemas, key=lambda schema: schema.since_version):
        if schema.domain == "":
            operators.setdefault(schema.name, []).append(schema.since_version)
    return {"operators": operators, "types": dict(onnx.TensorProto.DataType.items())}


def main():
    package, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if package == "transformers":
        table = transformers_table(folder / package)
    elif package == "onnx":
        table = onnx_table(folder)
    else:
        table = {"shared code": shared_rows(folder / package, SHARED[package])}
    json.dump(table, sys.stdout, indent=0, sort_keys=True)


main()
