"""Eight bits: what goes in is bytes, and what comes out is nearly the same."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs the [train] extra")

import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from companion.training.quantize import _rounded_weights, correct_biases, quantize
from companion.vision.rectify import as_input, stack

RNG = np.random.default_rng(0)
CHANNELS = (3, 16, 16, 4)
WEIGHTS = [
    RNG.lognormal(-2, 1, (o, i, 3, 3)).astype(np.float32) * RNG.choice([-0.5, 1], (o, i, 3, 3)).astype(np.float32)
    for i, o in pairwise(CHANNELS)
]


def network(path: Path, outputs: tuple[str, ...], *, less_half: bool) -> None:
    """Three convolutions with ReLU between them, the last one for each output of its own."""
    nodes, known = [], [numpy_helper.from_array(np.array(0.5, np.float32), "half")]
    seen = "images"
    if less_half:
        nodes.append(helper.make_node("Sub", ["images", "half"], ["centred"], "less"))
        seen = "centred"
    for k, weight in enumerate(WEIGHTS):
        for name in outputs if k == 2 else (f"seen{k}",):
            known.append(numpy_helper.from_array(weight, f"w{k}{name}"))
            known.append(numpy_helper.from_array(np.full(len(weight), 0.1, np.float32), f"b{k}{name}"))
            inputs = [seen, f"w{k}{name}", f"b{k}{name}"]
            nodes.append(helper.make_node("Conv", inputs, [f"raw{k}{name}"], f"conv{k}{name}", pads=[1] * 4))
            nodes.append(helper.make_node("Relu", [f"raw{k}{name}"], [name], f"relu{k}{name}"))
        seen = f"seen{k}"
    size = ["n", 3, "h", "w"]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, size)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", CHANNELS[-1], "h", "w"]) for name in outputs],
        known,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))


def answers(path: Path, inputs: np.ndarray) -> list[np.ndarray]:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    outputs: list[np.ndarray] = session.run(None, {session.get_inputs()[0].name: inputs})
    return outputs


def pictures(count: int) -> np.ndarray:
    return RNG.integers(40, 256, (count, 32, 48, 3)).astype(np.uint8)


def test_crops_go_in_as_bytes_and_answers_stay_what_they_were(tmp_path: Path) -> None:
    network(tmp_path / "exact.onnx", ("out",), less_half=True)
    quantize(tmp_path / "exact.onnx", tmp_path / "small.onnx", [stack(pictures(4)) for _ in range(8)])
    crops = pictures(4)
    (exact,), (small,) = answers(tmp_path / "exact.onnx", stack(crops)), answers(tmp_path / "small.onnx", crops)
    assert np.abs(small - exact).mean() < 0.03 * exact.std()


def test_a_picture_goes_into_a_detector_with_blue_first(tmp_path: Path) -> None:
    outputs = ("sides", "scores", "angles")
    network(tmp_path / "exact.onnx", outputs, less_half=False)
    quantize(
        tmp_path / "exact.onnx", tmp_path / "small.onnx", [as_input(pictures(1)[0]) for _ in range(8)], is_detector=True
    )
    picture = pictures(1)[0]
    exact, small = answers(tmp_path / "exact.onnx", as_input(picture)), answers(tmp_path / "small.onnx", picture[None])
    for a, b in zip(exact, small, strict=True):
        assert np.abs(b - a).mean() < 0.03 * a.std()
    counts = {node.name for node in onnx.load(str(tmp_path / "small.onnx")).graph.node if node.op_type == "Conv"}
    weights = _rounded_weights(tmp_path / "small.onnx")
    assert set(weights) == {"w1seen1", "w2sides", "w2angles"}, "the first layer and the branch that scores stay floats"
    assert len(counts) == 5


def test_biases_make_up_for_what_rounding_adds_on_average(tmp_path: Path) -> None:
    network(tmp_path / "exact.onnx", ("out",), less_half=True)
    batches = [stack(pictures(4)) for _ in range(8)]
    quantize(tmp_path / "exact.onnx", tmp_path / "small.onnx", batches)
    prepared = tmp_path / "prepared.onnx"
    prepared.write_bytes((tmp_path / "exact.onnx").read_bytes())
    correct_biases(prepared, tmp_path / "small.onnx", batches)
    rounded = _rounded_weights(tmp_path / "small.onnx")

    def with_rounded_weights(source: Path) -> np.ndarray:
        model = onnx.load(str(source))
        for row in model.graph.initializer:
            if row.name in rounded:
                row.CopyFrom(numpy_helper.from_array(rounded[row.name].astype(np.float32), row.name))
        onnx.save(model, str(tmp_path / "rounded.onnx"))
        (out,) = answers(tmp_path / "rounded.onnx", inputs)
        return out.mean((0, 2, 3))

    inputs = stack(pictures(8))
    (true,) = answers(tmp_path / "exact.onnx", inputs)
    off = np.abs(with_rounded_weights(tmp_path / "exact.onnx") - true.mean((0, 2, 3))).max()
    corrected = np.abs(with_rounded_weights(prepared) - true.mean((0, 2, 3))).max()
    assert corrected < 0.35 * off
