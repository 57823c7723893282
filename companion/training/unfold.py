"""Make a checkpoint again out of the weights that ship: `python -m companion.training.unfold detector --data data/views/scenes`.

An exported network has its batch normalisation folded into the convolutions, so it cannot be trained on as it is. This takes the
folded weights, measures the mean and spread of every convolution's output on some pictures, and sets up normalisation layers that
undo themselves on them: the network computes the same as before (which is checked), and training can go on from it.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch import Tensor, nn

from companion.training.quantize import pictures_of
from companion.vision.boxes import grid_cells, oriented_boxes

PAIRS = list[tuple[nn.Conv2d, "nn.BatchNorm2d | None"]]
FOLDED = tuple[Tensor, "Tensor | None"]


def followers(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """The normalisation that follows a convolution in its block."""
    found: dict[nn.Module, nn.BatchNorm2d] = {}
    for block in net.modules():
        children = list(block.children())
        for first, second in pairwise(children):
            if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                found[first] = second
    return found


def folded_weights(path: Path) -> list[tuple[str, FOLDED]]:
    """Name, weight and bias of every convolution and fully connected layer of an ONNX file, in the order of its graph."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    known = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    return [
        (
            node.input[1].removesuffix(".weight"),
            (known[node.input[1]], known[node.input[2]] if len(node.input) > 2 else None),
        )
        for node in graph.node
        if node.op_type in ("Conv", "Gemm") and node.input[1] in known
    ]


def matched(net: nn.Module, path: Path) -> list[tuple[nn.Module, FOLDED]]:
    """The layers of `net` with their folded weights: by name where the file kept the names, else in order.

    Raises:
        ValueError: the file holds another network.
    """
    layers = {name: m for name, m in net.named_modules() if isinstance(m, (nn.Conv2d, nn.Linear))}
    weights = folded_weights(path)
    if all(name in layers for name, _ in weights):
        pairs = [(layers[name], folded) for name, folded in weights]
    else:
        pairs = list(zip(layers.values(), (folded for _, folded in weights), strict=False))
        if len(layers) != len(weights):
            raise ValueError(f"{path} holds another network: {len(weights)} layers, not {len(layers)}")
    for layer, (weight, _) in pairs:
        if layer.weight.shape != weight.shape:
            raise ValueError(
                f"{path} holds another network: a layer of {tuple(weight.shape)}, not {tuple(layer.weight.shape)}"
            )
    return pairs


def unfold(net: nn.Module, path: Path, batches: list[Tensor]) -> None:
    """Fill `net` with the folded weights of `path`; `batches` are inputs (n, c, h, w) to measure on.

    Raises:
        ValueError: the file holds another network.
    """
    norms = followers(net)
    folded: PAIRS = []
    with torch.no_grad():
        for layer, (weight, bias) in matched(net, path):
            assert isinstance(layer, (nn.Conv2d, nn.Linear))
            layer.weight.copy_(weight)
            if bias is not None and isinstance(layer, nn.Conv2d) and layer in norms:
                folded.append((layer, norms[layer]))
                _let_through(norms[layer], torch.zeros_like(bias), torch.ones_like(bias), bias)
            elif bias is not None and layer.bias is not None:
                layer.bias.copy_(bias)
        _settle(net, folded, batches)


def _let_through(norm: nn.BatchNorm2d, mean: Tensor, spread: Tensor, bias: Tensor) -> None:
    """Set a normalisation so that with these statistics it adds `bias` and nothing else."""
    assert norm.running_mean is not None and norm.running_var is not None
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)
    norm.weight.copy_((spread + norm.eps).sqrt())
    norm.bias.copy_(bias + mean)


def _settle(net: nn.Module, pairs: PAIRS, batches: list[Tensor]) -> None:
    """Measure every convolution's output and set its normalisation by that."""
    sums: dict[nn.Conv2d, list[Tensor]] = {conv: [] for conv, _ in pairs}

    def keep(conv: nn.Module, _inputs: Any, out: Tensor) -> None:
        assert isinstance(conv, nn.Conv2d)
        sums[conv].append(torch.stack([out.mean((0, 2, 3)), (out * out).mean((0, 2, 3))]))

    hooks = [conv.register_forward_hook(keep) for conv, _ in pairs]
    net.eval()
    for batch in batches:
        net(batch)
    for hook in hooks:
        hook.remove()
    for conv, norm in pairs:
        assert norm is not None and norm.running_mean is not None
        mean, square = torch.stack(sums[conv]).mean(0)
        bias = norm.bias - norm.running_mean  # what it added so far
        _let_through(norm, mean, (square - mean * mean).clamp(min=1e-6), bias.clone())


def difference(net: nn.Module, path: Path, batch: Tensor) -> float:
    """Largest difference of the first output between the network and the file, over one batch."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    outputs = session.run(None, {session.get_inputs()[0].name: batch.numpy()})
    there = _worked_out(outputs, batch) if session.get_outputs()[0].name == "sides" else outputs[0]
    net.eval()
    with torch.no_grad():
        here = net(batch)
    while isinstance(here, (tuple, list)):
        here = here[0]
    return float(np.abs(here.numpy() - there).max())


def _worked_out(outputs: list[Any], batch: Tensor) -> Any:
    """A detector's open outputs as the network itself gives them, (1, 7, n)."""
    (sides,), (scores,), ((angles,),) = outputs
    boxes = oriented_boxes(sides, angles, grid_cells(*batch.shape[2:]))
    return np.concatenate([boxes[:, :4].T, scores, boxes[:, 4:].T])[None]


def unfold_detector(path: Path, folder: Path, target: Path) -> float:
    """Write a checkpoint of the detector; returns the largest difference of its outputs."""
    from companion.training.train_detector import MODEL, quiet_ultralytics

    yolo = quiet_ultralytics(target.parent / "settings", 2)(str(MODEL), task="obb")
    batches = [torch.from_numpy(batch) for batch in pictures_of((folder,), 64)]
    unfold(yolo.model, path, batches)
    off = difference(yolo.model, path, batches[0])
    yolo.model.train()
    yolo.save(str(target))
    return off


def unfold_reader(network: str, path: Path, scenes: Path, target: Path) -> float:
    """Write a checkpoint of a small network; returns the largest difference of its outputs."""
    from companion.training import tile_crops
    from companion.training.examples import read_folder
    from companion.training.train_readers import NETWORKS

    made, cut, make, _ = NETWORKS[network]
    examples = read_folder(scenes / "truth", scenes / "pictures")
    some = examples[:: max(1, len(examples) // 200)]  # of all kinds: the first may have no tile at all
    samples = tile_crops.shuffled(some, cut, np.random.default_rng(0), hold=500)
    batches = [next(iter(make([next(samples) for _ in range(48)]).values())) for _ in range(20)]
    net = made()
    unfold(net, path, batches)
    state = {k: v.clone() for k, v in net.state_dict().items()}
    torch.save({"net": state, "average": state, "step": 0}, target)
    return difference(net, path, batches[0])


@click.command()
@click.argument("network", type=click.Choice(["detector", "coarse", "corners", "values", "pips", "markers"]))
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    help="views (detector) or scenes (the others) to measure on",
)
def main(network: str, weights: Path, target: Path, data: Path) -> None:
    """Turn exported WEIGHTS back into a checkpoint TARGET that training can start from."""
    target.parent.mkdir(parents=True, exist_ok=True)
    is_detector = network == "detector"
    off = unfold_detector(weights, data, target) if is_detector else unfold_reader(network, weights, data, target)
    click.echo(f"{target}: outputs differ by at most {off:.2e}")


if __name__ == "__main__":
    main()
