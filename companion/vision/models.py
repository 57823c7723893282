"""The networks of `models/`: found by the manifest, checked, loaded into onnxruntime with as many threads as pay."""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from companion.errors import ModelMissing
from companion.vision.rectify import as_input, stack

Tensor = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Network:
    """One loaded ONNX network; `sha256` is that of its file."""

    name: str
    _session: Any
    _input: str
    sha256: str = ""
    takes_bytes: bool = False
    """Whether it takes pictures and crops as they are, and not as floats in 0..1."""

    def read_crops(self, crops: NDArray[np.uint8]) -> list[Tensor]:
        """All outputs for crops (n, h, w, channels)."""
        return self.run(crops if self.takes_bytes else stack(crops))

    def read_picture(self, image_bgr: NDArray[np.uint8]) -> list[Tensor]:
        """All outputs for one whole picture (h, w, 3)."""
        return self.run(image_bgr[None] if self.takes_bytes else as_input(image_bgr))

    def run(self, batch: Tensor | NDArray[np.uint8]) -> list[Tensor]:
        """All outputs for one input batch."""
        outputs: list[Tensor] = self._session.run(None, {self._input: batch})
        return outputs


def threads_for(cores: int | None) -> int:
    """Threads of one network: more than four do not pay for networks this small."""
    return max(1, min(4, cores or 1))


def load_network(models: Path, name: str) -> Network:
    """Load `name` as the manifest of the folder lists it.

    Raises:
        ModelMissing: the manifest or the file is not there, or is not the file that the manifest means.
    """
    entry = _entry(models, name)
    path = models / str(entry["file"])
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelMissing(f"The weights {path.name} are missing: install the companion again.") from error
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise ModelMissing(
            f"The weights {path.name} are not those that the manifest names: install the companion again."
        )
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads_for(os.cpu_count())
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # threads that wait by spinning start sooner, but would take a core of two from what runs between the networks
    options.add_session_config_entry("session.force_spinning_stop", "1")
    session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    (inputs,) = session.get_inputs()
    return Network(name, session, inputs.name, str(entry["sha256"]), inputs.type == "tensor(uint8)")


def _entry(models: Path, name: str) -> dict[str, Any]:
    try:
        manifest = tomllib.loads((models / "manifest.toml").read_text())
    except OSError as error:
        raise ModelMissing(f"No weights in {models}: install the companion again.") from error
    entry = manifest.get("networks", {}).get(name)
    if not isinstance(entry, dict):
        raise ModelMissing(f"The manifest of the weights does not name '{name}': install the companion again.")
    return entry
