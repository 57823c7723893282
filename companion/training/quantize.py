"""Make a network small and fast: `python -m companion.training.quantize corners models/full/corners.onnx --scenes data/scenes`.

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
import numpy as np
from numpy.typing import NDArray

from companion.training import tile_crops
from companion.training.examples import Example, held_back, read_folder, read_shared
from companion.training.export import record
from companion.vision.rectify import stack

Batch = NDArray[np.float32]

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


def quantize(source: Path, target: Path, batches: Iterator[Batch]) -> None:
    """Write `target`, an ONNX file whose convolutions count in 8 bits, from `source` and inputs that are like those to come."""
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    (name,) = (node.name for node in onnx.load(str(source)).graph.input)

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def get_next(self) -> dict[str, Batch] | None:
            batch = next(batches, None)
            return None if batch is None else {name: batch}

    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared), str(target), Reader(),
            quant_format=QuantFormat.QDQ, per_channel=True, reduce_range=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            op_types_to_quantize=["Conv", "MaxPool"],
        )  # fmt: skip


@click.command()
@click.argument("network", type=click.Choice(["coarse", "corners", "values"]))
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--scenes", type=click.Path(path_type=Path), required=True)
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
    scenes: Path,
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
    found = read_folder(scenes / "truth", scenes / "pictures")[-400:]
    if rendered:
        found += read_folder(rendered / "truth", rendered / "pictures")
    if shared:
        found += list(held_back(read_shared(shared, parts), skip_from))
    target = models / f"{network}.onnx"
    quantize(source, target, batches_of(network, found, batches))
    record(models, network, target.name, {"command": command, "data": data, "measured": measured})
    click.echo(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
