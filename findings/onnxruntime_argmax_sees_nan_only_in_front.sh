#!/usr/bin/env bash
# A good guess: `ArgMax` of an exported network is that of PyTorch, JAX and numpy, where NaN counts as the greatest:
# values with a NaN give its action, wherever it is.
#
# What happens: only where NaN is the first action. Elsewhere it is passed over, and the action is the best of the
# others, so an exported policy chooses another action than the trained one. `ArgMin` does so too. `TopK` of the same
# model puts NaN first, wherever it is. Look for NaN by `IsNaN`.
#
# numpy 2.4.6, onnx 1.23.2, onnxruntime 1.32.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import onnxruntime
from onnx import TensorProto, helper

NODES = [
    helper.make_node("ArgMax", ["values"], ["best"], axis=1, keepdims=0),
    helper.make_node("ArgMin", ["values"], ["worst"], axis=1, keepdims=0),
    helper.make_node("TopK", ["values", "one"], ["top", "top_action"], axis=1),
]
OUTPUTS = [helper.make_tensor_value_info(name, TensorProto.INT64, None) for name in ("best", "worst", "top_action")]
graph = helper.make_graph(
    NODES,
    "policy",
    [helper.make_tensor_value_info("values", TensorProto.FLOAT, ["games", 4])],
    OUTPUTS,
    [helper.make_tensor("one", TensorProto.INT64, [1], [1])],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
values = np.array([[np.nan, 1, 3, 2], [1, np.nan, 3, 2], [1, 3, 2, np.nan]], np.float32)
best, worst, top = (output.ravel().tolist() for output in session.run(None, {"values": values}))
print("NaN as action 0, 1, 3: ArgMax", best, "ArgMin", worst, "TopK", top, "numpy", values.argmax(1).tolist())
assert best == [0, 2, 1] and worst == [0, 0, 0] and top == [0, 1, 3]
assert values.argmax(1).tolist() == values.argmin(1).tolist() == [0, 1, 3]
PYTHON
