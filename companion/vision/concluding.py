"""Decode all tiles of a picture together, and say what to doubt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.sightings import Alternative, Doubt, DoubtKind, PhotoReading, Quad, ReadTile
from companion.vision.candidates import FACE_DOWN
from companion.vision.decode import Decoded, DecodeParameters, choose_set, combine, decode, within_set
from companion.vision.inks import told_by_inks
from companion.vision.neighbours import settled_by_neighbours
from companion.vision.read_parameters import ReadParameters
from companion.vision.rectify import width_of
from companion.vision.seen import SeenTile
from companion.vision.values import log_softmax

Array = NDArray[np.float64]


def conclude(
    tiles: list[SeenTile],
    face_down: list[Array],
    size_wh: tuple[int, int],
    set_highest: int | None,
    parameters: ReadParameters,
    *,
    neighbours: bool = True,
) -> PhotoReading:
    """Decode all tiles of a picture together and say what to doubt; without `neighbours` no tile is read by its train."""
    halves = halves_of(tiles, parameters.decode)
    highest = choose_set(halves.reshape(-1, 19), parameters.decode) if set_highest is None else set_highest
    decoded = decode(halves, highest, parameters.decode)
    if neighbours:
        logs = within_set(halves, highest, parameters.decode)
        decoded = settled_by_neighbours(tiles, face_down, logs, decoded, size_wh=size_wh, highest=highest)
    bright = pips_outshine_the_light(tiles, decoded, parameters)
    read, doubts = [], []
    for k, (tile, found) in enumerate(zip(tiles, decoded, strict=True)):
        read.append(ReadTile(found.ends, _as_quad(tile.quad), found.confidence * tile.belief))
        kinds = _doubts_of(tile, found, highest, size_wh, parameters, bright=bright)
        if kinds:
            alternatives = tuple(Alternative(ends, p) for ends, p in found.alternatives if p > 0.002)
            doubts.append(Doubt(k, kinds, explain(found, kinds, highest), alternatives))
    return PhotoReading(size_wh, highest, tuple(read), len(face_down), tuple(doubts))


def pips_outshine_the_light(tiles: list[SeenTile], decoded: list[Decoded], parameters: ReadParameters) -> bool:
    """Whether a picture is bright all over, and yet every pip in it is dark: then a half that looks blank is blank."""
    shown = [
        (burnt, darkest)
        for tile, found in zip(tiles, decoded, strict=True)
        for value, burnt, darkest in zip(found.ends, tile.values.burnt, tile.values.darkest, strict=True)
        if value
    ]
    if len(shown) < parameters.least_dark:
        return False
    burnt, darkest = np.array(shown).T
    return bool(np.median(burnt) > parameters.burnt / 2 and darkest.max() < parameters.pale)


def halves_of(tiles: list[SeenTile], parameters: DecodeParameters) -> Array:
    """What both readers say of every half together, and the colours of the picture's tiles: log probabilities (n, 2, 19)."""
    cnn = np.array([tile.values.values for tile in tiles]).reshape(-1, 2, 19)
    pips = np.array([[count.values for count in tile.pips] for tile in tiles]).reshape(-1, 2, 19)
    halves = combine(cnn, pips, parameters)
    inks = [tile.inks for tile in tiles if tile.inks is not None]
    if len(inks) < len(tiles) or not tiles:
        return halves
    rows = halves.reshape(-1, 19)
    return log_softmax(rows + told_by_inks(np.concatenate(inks), rows, parameters.inks)).reshape(halves.shape)


def _as_quad(quad: Array) -> Quad:
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in quad)
    return (a, b, c, d)


def _doubts_of(
    tile: SeenTile, found: Decoded, highest: int, size_wh: tuple[int, int], parameters: ReadParameters, *, bright: bool
) -> tuple[DoubtKind, ...]:
    kinds = []
    if width_of(tile.quad) < parameters.small_px:
        kinds.append(DoubtKind.TOO_SMALL)
    elif found.confidence < parameters.sure_value:
        kinds.append(DoubtKind.VALUE)
    if not bright and _light_may_hide_pips(tile, found, parameters):
        kinds.append(DoubtKind.BURNT_OUT)
    for value, count in zip(found.ends, tile.pips, strict=True):
        other = int(count.values.argmax())
        if other != value and np.exp(count.values[other]) > parameters.contrary and found.confidence < 0.995:
            kinds.append(DoubtKind.READERS_DISAGREE)
            break
    if found.duplicate:
        kinds.append(DoubtKind.DUPLICATE)
    if max(found.ends) > highest:
        kinds.append(DoubtKind.NOT_IN_SET)
    if tile.belief < (parameters.sure_belief if any(found.ends) else parameters.sure_plain):
        kinds.append(DoubtKind.MAYBE_NOT_A_TILE)
    if tile.kind[FACE_DOWN] > parameters.perhaps_back and not _shows_pips(tile, found, parameters):
        kinds.append(DoubtKind.MAYBE_FACE_DOWN)
    if (tile.quad < -2).any() or (tile.quad > np.array(size_wh) + 1).any():
        kinds.append(DoubtKind.CUT)
    return tuple(kinds)


def _shows_pips(tile: SeenTile, found: Decoded, parameters: ReadParameters) -> bool:
    """Whether a half surely has pips, or a numeral: then it is no back."""
    values = np.exp(tile.values.values)
    return any(value and values[half, value] >= parameters.sure_pips for half, value in enumerate(found.ends))


def _light_may_hide_pips(tile: SeenTile, found: Decoded, parameters: ReadParameters) -> bool:
    """Whether a half looks blank in light that burns it out; not where as much light left the other half's pip dark."""
    for half, other in ((0, 1), (1, 0)):
        if found.ends[half] or tile.values.burnt[half] <= parameters.burnt:
            continue
        beside_dark = found.ends[other] > 0 and tile.values.darkest[other] < parameters.dark_beside
        if not (beside_dark and tile.values.burnt[other] > parameters.burnt_beside):
            return True
    return False


def explain(found: Decoded, kinds: tuple[DoubtKind, ...], highest: int) -> str:
    """The doubts of a tile in a sentence."""
    a, b = found.ends
    name = f"{a}-{b}"
    said = []
    if DoubtKind.TOO_SMALL in kinds:
        said.append(f"the {name} is too small in the photo to be read: go nearer")
    if DoubtKind.VALUE in kinds or DoubtKind.READERS_DISAGREE in kinds:
        said.append(_other_values(found))
    if DoubtKind.BURNT_OUT in kinds:
        said.append(f"light may hide pips of the {name}: look at it")
    if DoubtKind.DUPLICATE in kinds:
        said.append(f"DUPLICATE: two tiles read as {max(a, b)}-{min(a, b)}")
    if DoubtKind.NOT_IN_SET in kinds:
        said.append(f"the {name} is not in a double-{highest} set")
    if DoubtKind.MAYBE_NOT_A_TILE in kinds:
        said.append(f"what was read as {name} may be no tile")
    if DoubtKind.MAYBE_FACE_DOWN in kinds:
        said.append(f"the {name} may lie face down")
    if DoubtKind.CUT in kinds:
        said.append(f"the {name} is cut by the edge of the photo")
    return "; ".join(said)


def _other_values(found: Decoded) -> str:
    a, b = found.ends
    for (c, d), _ in found.alternatives:
        if c != a and d == b:
            return f"the {a} of {a}-{b} could be a {c}: look at it"
        if d != b and c == a:
            return f"the {b} of {a}-{b} could be a {d}: look at it"
        return f"the {a}-{b} could be {c}-{d}: look at it"
    return f"the {a}-{b} is hard to read: look at it"
