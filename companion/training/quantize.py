"""Make a network small and fast: `python -m companion.training.quantize corners models/full/corners.onnx --scenes data/scenes`.

The detector takes `--views` instead, folders of `detector_data`.

Weights and activations of the convolutions become 8 bits wide, with a scale for each channel of weights; what a layer's values
range over is measured on crops of labelled pictures. Processors with instructions for it (AVX-512 VNNI and AVX-VNNI, ARM's dot
product) need half the time then. Weights keep to 7 bits: without those instructions, sums of 8-bit products overflow on x86.
The fully connected layers stay as they are: they cost nothing, and decide.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from companion.training import tile_crops
from companion.training.examples import Example, held_back, read_folder, read_shared
from companion.training.export import record
from companion.vision.rectify import as_input, stack

Batch = NDArray[np.float32]
Array = NDArray[np.float64]

BATCH = 8


def batches_of(network: str, examples: list[Example], count: int) -> Iterator[Batch]:
    """Inputs of a network (8 samples each), `count` of them, cut from labelled pictures as it is trained on them."""
    cut: Any = {
        "coarse": tile_crops.coarse_samples,
        "corners": tile_crops.corner_samples,
        "values": tile_crops.value_samples,
    }[network]
    samples = tile_crops.shuffled(examples, cut, np.random.default_rng(0), hold=4 * BATCH * count)
    for _ in range(count):
        crops = [s.halves if network == "values" else s.crop[None] for s in islice(samples, BATCH)]
        yield stack(np.concatenate(crops))


def pictures_of(folders: tuple[Path, ...], count: int) -> Iterator[Batch]:
    """Inputs of the detector, `count` pictures from all of these folders."""
    files = [path for folder in folders for path in sorted((folder / "images").glob("*.jpg"))]
    for path in files[:: max(1, len(files) // count)][:count]:
        image = cv2.imread(str(path))
        assert image is not None
        yield as_input(np.asarray(image, np.uint8))


def kept_float(source: Path) -> list[str]:
    """The nodes of a detector that stay floats: its first layer (quicker so), the branch that scores, the last layers."""
    import onnx

    graph = onnx.load(str(source)).graph
    users = {name: node for node in graph.node for name in node.input}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    first = convolutions[0]
    last = [
        node.name for node in convolutions if users[node.output[0]].op_type not in ("Relu", "Split", "Add", "Concat")
    ]
    scoring = _before(graph, "scores") - _before(graph, "sides")
    return sorted({first.name, users[first.output[0]].name, *last, *scoring})


def _before(graph: Any, output: str) -> set[str]:
    """Names of all nodes from which an output is made."""
    makers = {name: node for node in graph.node for name in node.output}
    open_ends, found = [output], set()
    while open_ends:
        node = makers.get(open_ends.pop())
        if node is not None and node.name not in found:
            found.add(node.name)
            open_ends.extend(node.input)
    return found


def quantize(source: Path, target: Path, batches: list[Batch], *, is_detector: bool = False) -> None:
    """Write `target`, an ONNX file whose convolutions count in 8 bits, from `source` and inputs that are like those to come."""
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        _round(prepared, target, batches, is_detector=is_detector)
        correct_biases(prepared, target, batches[::4])
        _round(prepared, target, batches, is_detector=is_detector)
    (take_pictures if is_detector else take_bytes)(target)


def _round(prepared: Path, target: Path, batches: list[Batch], *, is_detector: bool) -> None:
    """Write `target` with its convolutions in 8 bits, by what the values of `prepared` range over on some inputs."""
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    (name,) = (node.name for node in onnx.load(str(prepared)).graph.input)
    left = iter(batches)

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def get_next(self) -> dict[str, Batch] | None:
            batch = next(left, None)
            return None if batch is None else {name: batch}

    quantize_static(
        str(prepared), str(target), Reader(),
        quant_format=QuantFormat.QDQ, per_channel=True, reduce_range=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        # with what follows a convolution at once, which then is a part of it
        op_types_to_quantize=["Conv", "Relu", "MaxPool", *(("Add", "Concat", "Resize", "Split") if is_detector else ())],
        nodes_to_exclude=kept_float(prepared) if is_detector else [],
    )  # fmt: skip


def correct_biases(prepared: Path, rounded: Path, batches: list[Batch]) -> None:
    """Change the biases of `prepared` by what its convolutions are off on average once their weights are rounded as in `rounded`.

    A rounded weight is off by the same at every place, times what it meets there: the mean of that is known (bias correction,
    Nagel and others, 2019, arXiv 1906.04721).
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(prepared))
    known = {row.name: row for row in model.graph.initializer}
    exact = {name: numpy_helper.to_array(row) for name, row in known.items()}
    means = _mean_inputs(prepared, batches)
    weights = _rounded_weights(rounded)
    for node in model.graph.node:
        if node.op_type != "Conv" or node.input[1] not in weights:
            continue
        off = (weights[node.input[1]] - exact[node.input[1]]).sum((2, 3))
        each = means[node.input[0]].reshape(-1, off.shape[1])  # of each group of channels
        group = np.arange(len(off)) * len(each) // len(off)
        bias = exact[node.input[2]] - (off * each[group]).sum(1)
        known[node.input[2]].CopyFrom(numpy_helper.from_array(bias.astype(np.float32), node.input[2]))
    onnx.save(model, str(prepared))


def _rounded_weights(path: Path) -> dict[str, Array]:
    """What the weights of a quantized file stand for, by the names they had."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    known = {row.name: numpy_helper.to_array(row) for row in graph.initializer}
    return {
        name.removesuffix("_quantized"): value * known[name.replace("_quantized", "_scale")].reshape(-1, 1, 1, 1)
        for name, value in known.items()
        if name.endswith("_quantized") and value.ndim == 4
    }


def _mean_inputs(path: Path, batches: list[Batch]) -> dict[str, Array]:
    """The mean (channels,) of what each convolution of a network takes in."""
    import onnx
    import onnxruntime

    model = onnx.load(str(path))
    (name,) = (node.name for node in model.graph.input)
    taken = sorted({node.input[0] for node in model.graph.node if node.op_type == "Conv"} - {name})
    del model.graph.output[:]
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(output) for output in taken)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    sums = [[values.mean((0, 2, 3)) for values in (batch, *session.run(None, {name: batch}))] for batch in batches]
    return dict(zip([name, *taken], (np.mean(rows, axis=0) for rows in zip(*sums, strict=True)), strict=True))


def take_pictures(target: Path) -> None:
    """Let a detector take a picture as it is, uint8 (1, h, w, 3) BGR, and not floats (1, 3, h, w) RGB in 0..1."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(target))
    graph = model.graph
    (picture,) = graph.input
    (first,) = (node for node in graph.node if picture.name in node.input)
    (weight,) = (row for row in graph.initializer if row.name == first.input[1])
    weight.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weight)[:, ::-1] * np.float32(1 / 255), weight.name))
    first.input[0] = "picture_floats"
    graph.node.insert(
        0, helper.make_node("Transpose", [picture.name], ["picture_by_channel"], "by_channel", perm=[0, 3, 1, 2])
    )
    graph.node.insert(
        1, helper.make_node("Cast", ["picture_by_channel"], ["picture_floats"], "floats", to=TensorProto.FLOAT)
    )
    _take(picture, [0, 2, 3, 1])
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def _take(inputs: Any, order: list[int]) -> None:
    """Make a graph's input one of bytes, its axes in another order."""
    from onnx import TensorProto, helper

    dims = inputs.type.tensor_type.shape.dim
    shape = [dims[k].dim_param or dims[k].dim_value for k in order]
    inputs.CopyFrom(helper.make_tensor_value_info(inputs.name, TensorProto.UINT8, shape))


def take_bytes(target: Path) -> None:
    """Let a quantized network take crops as they are cut, uint8 (n, h, w, 3), and not floats (n, 3, h, w) less a half.

    What its first convolution counts in is 8 bits anyway: a byte less 128, over 255, is off by half a step.
    """
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(target))
    graph = model.graph
    (crops,) = graph.input
    users = {name: node for node in graph.node for name in node.input}
    less_half = users[crops.name]
    rounded = users[less_half.output[0]]
    first = users[rounded.output[0]]
    if (less_half.op_type, rounded.op_type, first.op_type) != ("Sub", "QuantizeLinear", "DequantizeLinear"):
        raise ValueError(f"{target} does not begin by taking a half off and rounding.")
    for node in (less_half, rounded):
        graph.node.remove(node)
    first.input[:] = ["crops_by_channel", "byte_scale", "byte_middle"]
    graph.node.insert(
        0, helper.make_node("Transpose", [crops.name], ["crops_by_channel"], "by_channel", perm=[0, 3, 1, 2])
    )
    graph.initializer.append(numpy_helper.from_array(np.array(1 / 255, np.float32), "byte_scale"))
    graph.initializer.append(numpy_helper.from_array(np.array(128, np.uint8), "byte_middle"))
    _take(crops, [0, 2, 3, 1])
    used = {name for node in graph.node for name in node.input}
    for unused in [row for row in graph.initializer if row.name not in used]:
        graph.initializer.remove(unused)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


@click.command()
@click.argument("network", type=click.Choice(["coarse", "corners", "detector", "values"]))
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--scenes", type=click.Path(path_type=Path), help="folder of made scenes")
@click.option("--views", type=click.Path(path_type=Path), multiple=True, help="for the detector; may be repeated")
@click.option("--rendered", type=click.Path(path_type=Path), help="folder of rendered scenes")
@click.option("--shared", type=click.Path(path_type=Path))
@click.option("--part", "parts", multiple=True)
@click.option("--skip-from", default="", help="leave out pictures of this one's series that sort from it on")
@click.option("--batches", default=120, show_default=True)
@click.option("--command", default="", help="how the source was trained; goes into the manifest")
@click.option("--data", default="", help="what it was trained on")
@click.option("--measured", default="", help="what it measured, and with which command")
def main(
    network: str,
    source: Path,
    models: Path,
    scenes: Path | None,
    views: tuple[Path, ...],
    rendered: Path | None,
    shared: Path | None,
    parts: tuple[str, ...],
    skip_from: str,
    batches: int,
    command: str,
    data: str,
    measured: str,
) -> None:
    """Write NETWORK into the models folder, made from the ONNX file SOURCE."""
    is_detector = network == "detector"
    if not (views if is_detector else scenes):
        raise click.UsageError("Say what to measure on: --views for the detector, --scenes for the others.")
    found: list[Example] = []
    if scenes:
        found += read_folder(scenes / "truth", scenes / "pictures")[-400:]
    if rendered:
        found += read_folder(rendered / "truth", rendered / "pictures")
    if shared:
        found += list(held_back(read_shared(shared, parts), skip_from))
    target = models / f"{network}.onnx"
    inputs = pictures_of(views, batches) if is_detector else batches_of(network, found, batches)
    quantize(source, target, list(inputs), is_detector=is_detector)
    record(models, network, target.name, {"command": command, "data": data, "measured": measured})
    click.echo(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
