"""What pages draw: tiles with their pips. Shapes are worked out here, templates only write them down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.faces import pip_places
from companion.sightings import HIGHEST_PIPS

PIP_COLOURS = (
    "#000000", "#2a78b5", "#2b8551", "#c5342e", "#7a4a24", "#1d3f8f", "#a87900", "#bb3f78", "#0f7f80", "#6b3fa0",
    "#c25a12", "#981b49", "#59616a", "#7c7600", "#3a6ea5", "#1f6b3a", "#a8432c", "#474b9c", "#26262b",
)  # fmt: skip
"""Colour of the pips of each value, as coloured sets have them, dark enough on ivory."""

SPREAD = 0.66
"""How far from the middle of a half its outermost pips lie; the half reaches from -1 to 1."""


@dataclass(frozen=True, slots=True)
class HalfDrawing:
    """One half, seen with its outer edge up, in a square from -1 to 1."""

    value: int
    colour: str
    radius: float
    pips: tuple[tuple[float, float], ...]


@cache
def half_drawings() -> tuple[HalfDrawing, ...]:
    """Every value from 0 to 18."""
    return tuple(_half(value) for value in range(HIGHEST_PIPS + 1))


def _half(value: int) -> HalfDrawing:
    radius = 0.2 if value < 10 else 0.165 if value < 13 else 0.14
    spread = SPREAD if value < 10 else SPREAD + 0.06
    pips = tuple((round(x * spread, 3), round(y * spread, 3)) for x, y in pip_places(value))
    return HalfDrawing(value, PIP_COLOURS[value], radius, pips)
