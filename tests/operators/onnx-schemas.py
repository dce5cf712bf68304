"""Prints what ONNX registers of some operators, and of its element types, as JSON.

onnx-schemas.json is its output, for the operators of js/operators/table.js and those of
surgery.reference.js:

    pip install -c tests/goldens/constraints.txt onnx
    python3 tests/operators/onnx-schemas.py Flatten Reshape ... > tests/operators/onnx-schemas.json
    npx prettier --write tests/operators/onnx-schemas.json
"""

import json
import sys

import onnx


type_lists = []


def value_of(attribute):
    """The default of an attribute: a number, a text, or nothing."""
    value = onnx.helper.get_attribute_value(attribute) if attribute.name else None
    return value.decode() if isinstance(value, bytes) else value


def types_of(schema, name):
    """The element types that a constraint allows for tensors, or for sequences of them where it allows no tensor, by
    their place in type_lists. An input of one fixed type has no constraint."""
    allowed = [name]
    for constraint in schema.type_constraints:
        if constraint.type_param_str == name:
            allowed = constraint.allowed_type_strs
    names = sorted(text[len("tensor(") : -1] for text in allowed if text.startswith("tensor("))
    if not names:
        names = sorted(text[len("seq(tensor(") : -2] for text in allowed if text.startswith("seq(tensor("))
    if names not in type_lists:
        type_lists.append(names)
    return type_lists.index(names)


def version_of(schema):
    optional = onnx.defs.OpSchema.FormalParameterOption.Optional
    return {
        "since": schema.since_version,
        "attributes": {
            name: {"type": attribute.type.name, "required": attribute.required}
            | ({} if (default := value_of(attribute.default_value)) is None else {"default": default})
            for name, attribute in sorted(schema.attributes.items())
        },
        "inputs": [
            {"name": given.name, "types": types_of(schema, given.type_str)}
            | ({"optional": True} if given.option == optional else {})
            for given in schema.inputs
        ],
        "outputs": [types_of(schema, made.type_str) for made in schema.outputs],
    }


schemas = sorted(onnx.defs.get_all_schemas_with_history(), key=lambda schema: schema.since_version)
json.dump(
    {
        "onnx": onnx.__version__,
        "opset": onnx.defs.onnx_opset_version(),
        "types": {name: code for name, code in onnx.TensorProto.DataType.items() if code > 0},
        "operators": {
            name: [version_of(schema) for schema in schemas if (schema.domain, schema.name) == ("", name)]
            for name in sys.argv[1:]
        },
        "typeLists": type_lists,
    },
    sys.stdout,
)
