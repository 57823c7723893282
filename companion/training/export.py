"""Export checkpoints to ONNX and write `models/manifest.toml`.

`python -m companion.training.export values runs/readers/values.pt`. The `teacher` is the detector that the fast one imitates.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import click


def export_detector(checkpoint: Path, target: Path) -> None:
    """YOLO checkpoint to ONNX with free height and width."""
    from companion.training.train_detector import quiet_ultralytics

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "detector.pt"
        shutil.copy(checkpoint, copy)
        model = quiet_ultralytics(Path(folder) / "settings", 1)(str(copy))
        exported = model.export(format="onnx", imgsz=640, dynamic=True, simplify=True, opset=17, batch=1)
        shutil.copy(exported, target)
    leave_boxes_open(target)
    _without_metadata(target)


def leave_boxes_open(target: Path) -> None:
    """Cut off what works out the boxes of all cells: `companion.vision.boxes` does it for those that are believed.

    The outputs are then `sides` (1, 64, n), `scores` (1, 2, n) and `angles` (1, 1, n); a file that is cut already is left alone.
    """
    import onnx
    from onnx.utils import Extractor

    model = onnx.load(str(target))
    if len(model.graph.output) > 1:
        return
    made = {name: node for node in model.graph.node for name in node.output}
    _, scores, angle = made[model.graph.output[0].name].input  # middles and sizes, scores, angles
    before_angle = made[made[made[angle].input[0]].input[0]].input[0]  # (sigmoid - 0.25) * pi
    (softmax,) = (node for node in model.graph.node if node.op_type == "Softmax" and "/dfl/" in node.name)
    sides = made[made[softmax.input[0]].input[0]].input[0]  # transposed and reshaped
    cut = Extractor(model).extract_model([model.graph.input[0].name], [sides, scores, before_angle])
    names = {sides: "sides", scores: "scores", before_angle: "angles"}
    for node in cut.graph.node:
        for row in (node.input, node.output):
            for place, name in enumerate(row):
                row[place] = names.get(name, name)
    for output in cut.graph.output:
        output.name = names[output.name]
    onnx.checker.check_model(cut)
    onnx.save(cut, str(target))


def _without_metadata(target: Path) -> None:
    """Take out what ultralytics writes into the file: names of folders of this computer, dates."""
    import onnx

    model = onnx.load(str(target))
    del model.metadata_props[:]
    model.doc_string = ""
    onnx.save(model, str(target))


def export_reader(network: str, checkpoint: Path, target: Path) -> None:
    """A small network's averaged weights to ONNX with a free batch size."""
    import torch

    from companion.training.nets import CoarseNet, CornerNet, MarkerNet, PipNet, ValueNet

    made, shape, outputs = {
        "corners": (CornerNet, (2, 3, 144, 80), ["moves"]),
        "coarse": (CoarseNet, (2, 3, 72, 40), ["moves"]),
        "values": (ValueNet, (4, 3, 48, 48), ["values", "kinds"]),
        "pips": (PipNet, (2, 1, 136, 72), ["maps"]),
        "markers": (MarkerNet, (2, 4, 112, 112), ["maps"]),
    }[network]
    net: Any = made()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(shape),),
        str(target),
        input_names=["crops"],
        output_names=outputs,
        opset_version=17,
        dynamo=False,
        dynamic_axes={"crops": {0: "n"}, **{name: {0: "n"} for name in outputs}},
    )
    if network == "values":
        expose_features(target)


def expose_features(target: Path) -> None:
    """Give a values network a third output, `features` (2n, 160): what its last layer sees, on which a family's set is learned.

    The graph and its numbers stay as they are; a network that has the output already is left alone.
    """
    import onnx

    model = onnx.load(str(target))
    if any(output.name == "features" for output in model.graph.output):
        return
    last = next(node for node in model.graph.node if node.output[0] == "values")
    seen = last.input[0]
    width = next(w.dims[1] for w in model.graph.initializer if w.name == last.input[1])
    for node in model.graph.node:
        for names in (node.input, node.output):
            for place, name in enumerate(names):
                if name == seen:
                    names[place] = "features"
    model.graph.output.append(onnx.helper.make_tensor_value_info("features", onnx.TensorProto.FLOAT, ["n", width]))
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def record(models: Path, network: str, file: str, facts: dict[str, str]) -> None:
    """Write the network's entry of the manifest: file, sha256 and the facts."""
    path = models / "manifest.toml"
    manifest = tomllib.loads(path.read_text()) if path.exists() else {}
    networks = manifest.setdefault("networks", {})
    data = (models / file).read_bytes()
    networks[network] = {"file": file, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), **facts}
    lines = ["# The weights that ship: what each file is, how it was made, what it measured.\n"]
    for name in sorted(networks):
        lines.append(f"\n[networks.{name}]\n")
        for key, value in networks[name].items():
            shown = (
                value if isinstance(value, int) else '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
            )
            lines.append(f"{key} = {shown}\n")
    path.write_text("".join(lines))


@click.command()
@click.argument("network", type=click.Choice(["detector", "teacher", "coarse", "corners", "values", "pips", "markers"]))
@click.argument("checkpoint", type=click.Path(path_type=Path, exists=True))
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--command", default="", help="how it was trained; goes into the manifest")
@click.option("--data", default="", help="what it was trained on")
@click.option("--measured", default="", help="what it measured, and with which command")
def main(network: str, checkpoint: Path, models: Path, command: str, data: str, measured: str) -> None:
    """Export one network."""
    models.mkdir(parents=True, exist_ok=True)
    target = models / f"{network}.onnx"
    (
        export_detector(checkpoint, target)
        if network in ("detector", "teacher")
        else export_reader(network, checkpoint, target)
    )
    record(models, network, target.name, {"command": command, "data": data, "measured": measured})
    click.echo(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
