"""The small networks: corners, values, pips. Sizes are chosen for two CPU cores; all inputs are crops of `vision.rectify`."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def _conv(into: int, out: int, *, stride: int = 1, kernel: int = 3, dilation: int = 1) -> nn.Sequential:
    pad = dilation * (kernel - 1) // 2
    return nn.Sequential(
        nn.Conv2d(into, out, kernel, stride, pad, dilation=dilation, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )


class CornerNet(nn.Module):
    """Where the corners really are: (n, 3, 144, 80) to (n, 9).

    Eight moves of the rough corners in tile widths (x0, y0, ... x3, y3), and the logit that the tile lies crosswise in the rough
    quad (a foreshortened tile may look wider than long).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, stride=2),
            _conv(16, 24),
            _conv(24, 32, stride=2),
            _conv(32, 48),
            _conv(48, 64, stride=2),
            _conv(64, 64),
            _conv(64, 96, stride=2),
            nn.Conv2d(96, 32, 1),
            nn.ReLU(inplace=True),
            nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Linear(32 * 9 * 5, 128), nn.ReLU(inplace=True), nn.Linear(128, 9))

    def forward(self, crops: Tensor) -> Tensor:
        """Corner moves and the crosswise logit."""
        out: Tensor = self.head(self.body(crops - 0.5))
        return out


class CoarseNet(nn.Module):
    """Roughly where the corners are, and whether there is a tile at all: (n, 3, 72, 40) to (n, 11).

    As `CornerNet` at half its size and a quarter of its cost, for places of which few are tiles. The tenth number is the logit of
    a tile about there, face up or down; the last one that of a tile which lies just there, and not half in it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, stride=2),
            _conv(16, 24),
            _conv(24, 40, stride=2),
            _conv(40, 48),
            _conv(48, 72, stride=2),
            _conv(72, 72),
            nn.Conv2d(72, 32, 1),
            nn.ReLU(inplace=True),
            nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Linear(32 * 9 * 5, 128), nn.ReLU(inplace=True), nn.Linear(128, 10))
        self.just_there = nn.Linear(128, 1)

    def forward(self, crops: Tensor) -> Tensor:
        """Corner moves, the crosswise logit, the tile's, and that of one just there."""
        seen = self.head[:2](self.body(crops - 0.5))
        return torch.cat([self.head[2](seen), self.just_there(seen)], 1)


class ValueNet(nn.Module):
    """What a half shows: half crops (2n, 3, 48, 48), a then b of each tile, to logits.

    Gives (2n, 19) logits of the values, and (n, 3) logits of the kind: face-up tile, face-down tile, no tile.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 20, stride=2),
            _conv(20, 32),
            nn.MaxPool2d(2),
            _conv(32, 56),
            _conv(56, 56),
            nn.MaxPool2d(2),
            _conv(56, 96),
            _conv(96, 96),
        )
        self.places = nn.Sequential(nn.Conv2d(96, 20, 1), nn.ReLU(inplace=True), nn.Flatten())
        self.feature = nn.Sequential(nn.Linear(96 * 2 + 20 * 36, 160), nn.ReLU(inplace=True), nn.Dropout(0.2))
        self.value = nn.Linear(160, 19)
        self.kind = nn.Linear(320, 3)

    def forward(self, halves: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of values and kinds."""
        maps = self.body(halves - 0.5)
        pooled = torch.cat([maps.mean((2, 3)), maps.amax((2, 3)), self.places(maps)], 1)
        feature = self.feature(pooled)
        pair = feature.view(-1, 2, feature.shape[1])
        both = torch.cat([pair.amax(1), pair.mean(1)], 1)
        return self.value(feature), self.kind(both)


class PipNet(nn.Module):
    """Where pips are: grey tile crops (n, 1, 136, 72) to logits (n, 2, 68, 36): a pip's centre here; print that is no pip."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_conv(1, 16, stride=2, kernel=5), _conv(16, 24))
        self.coarse = nn.Sequential(
            _conv(24, 32, stride=2), _conv(32, 32), _conv(32, 32, dilation=2), _conv(32, 32), nn.Conv2d(32, 16, 1)
        )
        self.head = nn.Sequential(_conv(40, 16), nn.Conv2d(16, 2, 1))

    def forward(self, grey: Tensor) -> Tensor:
        """Logit maps at half the crop's size."""
        mean = grey.mean((2, 3), keepdim=True)
        spread = ((grey - mean) ** 2).mean((2, 3), keepdim=True).sqrt()
        fine = self.fine((grey - mean) / (spread + 0.02))
        coarse = nn.functional.interpolate(self.coarse(fine), scale_factor=2.0, mode="nearest")
        out: Tensor = self.head(torch.cat([fine, coarse], 1))
        return out


class MarkerNet(nn.Module):
    """Where markers stand about a train's end: crops (n, 4, 112, 112), colours and where tiles lie, to logits (n, 1, 28, 28)."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_conv(4, 16, stride=2), _conv(16, 24), _conv(24, 32, stride=2), _conv(32, 32))
        self.coarse = nn.Sequential(
            _conv(32, 48, stride=2), _conv(48, 48), _conv(48, 48, dilation=2), _conv(48, 48, dilation=3), _conv(48, 32)
        )
        self.head = nn.Sequential(_conv(64, 32), nn.Conv2d(32, 1, 1))

    def forward(self, crops: Tensor) -> Tensor:
        """Logits at a quarter of the crop's size."""
        fine = self.fine(crops - 0.5)
        coarse = nn.functional.interpolate(self.coarse(fine), scale_factor=2.0, mode="bilinear", align_corners=False)
        out: Tensor = self.head(torch.cat([fine, coarse], 1))
        return out
