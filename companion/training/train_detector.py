"""Train the detector: `python -m companion.training.train_detector --data data/views --name base`.

Everything of ultralytics that calls out or installs is off, whatever its settings say. `--resume` goes on from the last
checkpoint of that name.
"""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path
from typing import Any

import click

MODEL = Path(__file__).with_name("detector.yaml")


def quiet_ultralytics(folder: Path, threads: int) -> Any:
    """Import ultralytics so that it neither calls out nor looks for fonts on the net; returns its YOLO class."""
    os.environ.update(YOLO_OFFLINE="1", YOLO_AUTOINSTALL="0", OMP_NUM_THREADS=str(threads), WANDB_MODE="disabled")
    os.environ["YOLO_CONFIG_DIR"] = str(folder.resolve())
    fonts = folder / "Ultralytics"
    fonts.mkdir(parents=True, exist_ok=True)
    import matplotlib

    if not (fonts / "Arial.ttf").exists():
        shutil.copy(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", fonts / "Arial.ttf")
    import torch
    from ultralytics import YOLO, settings
    from ultralytics.utils import torch_utils

    settings.update({"sync": False})
    torch_utils.NUM_THREADS = threads
    torch.set_num_threads(threads)
    return YOLO


def cosine_by_batch(rate: float, last_share: float = 0.03) -> Any:
    """A callback that lowers the rate batch by batch: ultralytics does it by epoch, of which a training here has one or two."""
    done = 0

    def lower(trainer: Any) -> None:
        nonlocal done
        done += 1
        share = min(1.0, done / max(1, trainer.epochs * len(trainer.train_loader)))
        factor = last_share + (1 - last_share) * 0.5 * (1 + math.cos(math.pi * share))
        for group in trainer.optimizer.param_groups:
            group["lr"] = rate * factor

    return lower


def write_data_yaml(folders: tuple[Path, ...], check: Path | None, target: Path, thin: int) -> Path:
    """The data file that ultralytics reads, and the lists of pictures that it names: every `thin`-th of each folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    pictures = [str(p.resolve()) for folder in folders for p in sorted((folder / "images").glob("*.jpg"))[::thin]]
    chosen = target.with_suffix(".txt")
    chosen.write_text("\n".join(pictures) + "\n")
    checked = target.with_name(target.stem + "_check.txt")
    checks = sorted(((check or folders[-1]) / "images").glob("*.jpg"))
    checked.write_text("\n".join(str(p.resolve()) for p in checks[:: max(1, len(checks) // 60)]) + "\n")
    target.write_text(f"train: {chosen.resolve()}\nval: {checked.resolve()}\nnc: 2\nnames: [tile, back]\n")
    return target


@click.command()
@click.option(
    "--data",
    "folders",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    help="folders of detector_data; may be repeated",
)
@click.option("--check", type=click.Path(path_type=Path), help="folder to validate on (else the last of --data)")
@click.option("--name", required=True)
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs/detector"), show_default=True)
@click.option("--start", type=click.Path(path_type=Path), help="weights to start from (else random)")
@click.option("--epochs", default=3, show_default=True)
@click.option("--side", default=416, show_default=True)
@click.option("--batch", default=8, show_default=True)
@click.option("--rate", default=2e-3, show_default=True)
@click.option("--warmup", default=0.3, show_default=True, help="epochs")
@click.option("--thin", default=1, show_default=True, help="train on every so manyth picture only")
@click.option("--threads", default=2, show_default=True)
@click.option("--resume", is_flag=True)
def main(
    folders: tuple[Path, ...],
    check: Path | None,
    name: str,
    runs: Path,
    start: Path | None,
    epochs: int,
    side: int,
    batch: int,
    rate: float,
    warmup: float,
    thin: int,
    threads: int,
    resume: bool,
) -> None:
    """Train, with a checkpoint after every epoch."""
    yolo = quiet_ultralytics(runs / "settings", threads)
    last = runs / name / "weights" / "last.pt"
    if resume and last.exists():
        yolo(str(last)).train(resume=True)
        return
    model = yolo(str(MODEL), task="obb")
    if start:
        model = model.load(str(start))
    model.add_callback("on_train_batch_start", cosine_by_batch(rate))
    model.train(
        data=str(write_data_yaml(folders, check, runs / f"{name}.yaml", thin)),
        epochs=epochs,
        imgsz=side,
        batch=batch,
        device="cpu",
        workers=0,
        project=str(runs.resolve()),
        name=name,
        exist_ok=True,
        amp=False,
        optimizer="AdamW",
        lr0=rate,
        nbs=batch,
        warmup_epochs=warmup,
        warmup_bias_lr=0.0,  # the default of 0.1 is meant for SGD and wrecks the biases under AdamW
        mosaic=0.0,
        fliplr=0.5,
        flipud=0.5,
        hsv_h=0.05,
        hsv_s=0.6,
        hsv_v=0.3,
        scale=0.2,
        translate=0.05,
        erasing=0.0,
        auto_augment=None,
        plots=False,
        seed=0,
        cache=False,
        close_mosaic=0,
        max_det=300,
    )


if __name__ == "__main__":
    main()
