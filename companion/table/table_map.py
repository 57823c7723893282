"""The map of the table: every tile that was ever seen and not taken away, in one plane, whatever the camera does.

Believe slowly, forget slowly. A tile that a hand covers, or that lies outside the picture, stays; one that was looked for in
its place and not found is given up only after several looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.sightings import Quad
from companion.table.plane import fit_plane
from companion.table.registration import (
    KnownTiles,
    Pair,
    Registration,
    RegistrationParameters,
    likeness_of,
    match,
    register,
    to_map,
    to_picture,
)
from companion.table.seen import Array, Points
from companion.table.sighting import Outline, TableSighting, TileSighting
from companion.table.tracks import Mask, TileTrack, TrackParameters, log_readings

BELIEVED = 1.4
"""Log of odds from which a tile is believed to lie there: one look of 0.8, or several weaker ones."""


@dataclass(frozen=True, slots=True)
class MapParameters:
    """When tiles come and go. Lengths in tile widths."""

    tracks: TrackParameters = field(default_factory=TrackParameters)
    registration: RegistrationParameters = field(default_factory=RegistrationParameters)
    give_up: int = 3
    """Looks in vain after which a tile is taken to be gone."""
    same_tile: float = 0.5
    """Likeness from which a tile that is missed in one place and new in another is one that was moved."""
    other_tile: float = 0.02
    """Likeness below which two sure readings are of two tiles; `sure_half` is how sure each half must be."""
    sure_half: float = 0.8
    believed: float = BELIEVED
    """Log of odds below which a track was no tile yet: where its place changes, what is seen then has come then."""
    repeated_reach: float = 1.2
    """Where tiles may repeat, only one that was moved by less than this is the same."""
    overlap: float = 0.4
    """Quads that share more than this of the smaller one are one tile seen twice."""
    rim_px: float = 1.0
    """Tiles nearer to the picture's edge may be cut, and are not missed."""


@dataclass(frozen=True, slots=True)
class MapChange:
    """What a frame changed: numbers of tracks. `located` is False when the frame could not be put on the map."""

    located: bool
    appeared: tuple[int, ...] = ()
    vanished: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    reread: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.appeared or self.vanished or self.moved or self.reread)


class TableMap:
    """Tracks and the way from the last frame's pixels to the map."""

    def __init__(self, parameters: MapParameters | None = None, *, repeats: bool = False) -> None:
        """An empty map; `repeats` where the same tile may lie on the table more than once."""
        self.parameters = parameters or MapParameters()
        self.repeats = repeats
        self.matrix: Array | None = None
        self.size_wh = (0, 0)
        self._tracks: dict[int, TileTrack] = {}
        self._next = 0

    @property
    def tracks(self) -> tuple[TileTrack, ...]:
        """All tiles, oldest first."""
        return tuple(self._tracks.values())

    def track(self, number: int) -> TileTrack:
        """The track of that number; a `KeyError` if there is none."""
        return self._tracks[number]

    def __contains__(self, number: object) -> bool:
        return number in self._tracks

    def tell(self, track: TileTrack) -> None:
        """Replace a track by what a person made of it."""
        self._tracks[track.number] = track

    def rebase(self, matrix: Array) -> None:
        """Move the map itself: `matrix` (3, 3) takes it to a better plane, in which tiles are 1 wide and 2 long."""
        if self.matrix is None:
            return
        self.matrix = np.asarray(matrix @ self.matrix)
        for number, track in self._tracks.items():
            points = np.stack([track.corners.real, track.corners.imag], axis=-1)
            self._tracks[number] = replace(track, corners=to_map(matrix, points[None])[0])

    def quads_px(self, tracks: Sequence[TileTrack]) -> tuple[Quad, ...]:
        """Where tiles lie in the last frame that was put on the map, in its pixels."""
        if self.matrix is None or not tracks:
            return ()
        points = to_picture(self.matrix, np.array([track.corners for track in tracks]))
        return tuple(_as_quad(quad) for quad in points.tolist())

    def observe(self, sighting: TableSighting) -> MapChange:
        """Take in one frame."""
        self.size_wh = sighting.size_wh
        quads = np.array([tile.detection.quad_px for tile in sighting.tiles], dtype=np.float64).reshape(-1, 4, 2)
        if self.matrix is None:
            if not len(quads) or sighting.passing:
                return MapChange(located=False)
            self.matrix = fit_plane(
                [tile.detection.quad_px for tile in sighting.tiles] + list(sighting.face_down)
            ).matrix
        if self._tracks and len(quads):
            found = self._register(sighting, quads)
            if found is None:
                return MapChange(located=False)
            self.matrix = found.matrix
        return self._update(sighting, to_map(self.matrix, quads))

    def _register(self, sighting: TableSighting, quads: Array) -> Registration | None:
        known = KnownTiles(
            np.array([track.corners for track in self.tracks]),
            np.array([track.values(self.parameters.tracks) for track in self.tracks]),
        )
        values = np.exp(np.array([log_readings(tile.detection) for tile in sighting.tiles]))
        return register(
            quads, values, known, last=self.matrix, in_view=self._visible(self.tracks, sighting),
            steady=sighting.steady, parameters=self.parameters.registration,
        )  # fmt: skip

    def _update(self, sighting: TableSighting, corners: Points) -> MapChange:
        tracks = self.tracks
        p = self.parameters
        known = np.array([track.corners for track in tracks]).reshape(-1, 4)
        pairs = match(corners, known, near=p.registration.near, heading=p.registration.heading)
        reread = [self._see(sighting, corners, pair, tracks) for pair in pairs]
        replaced = [tracks[j].number for _, j in pairs if tracks[j].number not in self]
        pairs = [(i, j) for i, j in pairs if tracks[j].number in self]
        left = sorted(set(range(len(corners))) - {i for i, _ in pairs})
        visible = self._visible(tracks, sighting, looked=True)
        met = {j for _, j in pairs}
        missing = [track for k, track in enumerate(tracks) if visible[k] and k not in met and track.number in self]
        moved = self._follow_moves(sighting, corners, left, missing)
        left = [i for i in left if i not in {seen for seen, _ in moved}]
        missing = [track for track in missing if track.number not in {number for _, number in moved}]
        vanished = [] if sighting.passing else self._miss(missing)
        appeared = [] if sighting.passing else [self._begin(sighting, corners, i) for i in left]
        return MapChange(
            located=True,
            appeared=tuple(number for number in appeared if number is not None),
            vanished=(*replaced, *vanished),
            moved=tuple(number for _, number in moved),
            reread=tuple(number for number in reread if number is not None),
        )

    def _see(self, sighting: TableSighting, corners: Points, pair: Pair, tracks: Sequence[TileTrack]) -> int | None:
        """A known tile is seen again; its number if it was read anew."""
        tile, track = sighting.tiles[pair[0]], tracks[pair[1]]
        if self._is_another(tile, track):
            del self._tracks[track.number]
            return None
        self._tracks[track.number] = track.seen(
            corners[pair[0]], tile.detection, frame=sighting.frame, fresh=tile.fresh, parameters=self.parameters.tracks
        )
        return track.number if tile.fresh else None

    def _is_another(self, tile: TileSighting, track: TileTrack) -> bool:
        """Whether a place that has changed since the track began surely shows another tile now, or the first one."""
        p = self.parameters
        if not tile.fresh or track.told is not None or tile.since is None or tile.since <= track.since:
            return False
        if track.odds < p.believed:
            return True
        if min(reading.confidence for reading in tile.detection.readings) < p.sure_half:
            return False
        seen = np.exp(log_readings(tile.detection))[None]
        likeness, _ = likeness_of(seen, track.values(p.tracks)[None])
        return float(likeness[0, 0]) < p.other_tile

    def _follow_moves(
        self, sighting: TableSighting, corners: Points, left: Sequence[int], missing: Sequence[TileTrack]
    ) -> list[Pair]:
        """Tiles that lie elsewhere now: (seen, number of the track)."""
        if not left or not missing:
            return []
        p = self.parameters
        seen = np.exp(np.array([log_readings(sighting.tiles[i].detection) for i in left]))
        likeness, _ = likeness_of(seen, np.array([track.values(p.tracks) for track in missing]))
        if self.repeats:
            there = np.array([track.centre for track in missing])
            likeness = likeness * (np.abs(corners[list(left)].mean(1)[:, None] - there[None]) < p.repeated_reach)
        moved = []
        for row, column in zip(*np.nonzero(likeness >= p.same_tile), strict=True):
            alone = likeness[row].argmax() == column and likeness[:, column].argmax() == row
            if alone:
                tile, track = sighting.tiles[left[row]], missing[column]
                shifted = track.moved_to(corners[left[row]], since=track.since)
                self._tracks[track.number] = shifted.seen(
                    shifted.corners, tile.detection, frame=sighting.frame, fresh=False, parameters=p.tracks
                )
                moved.append((left[row], track.number))
        return moved

    def _miss(self, missing: Iterable[TileTrack]) -> list[int]:
        vanished = []
        for track in missing:
            after = track.missed()
            if after.misses >= self.parameters.give_up or after.odds < 0:
                del self._tracks[track.number]
                vanished.append(track.number)
            else:
                self._tracks[track.number] = after
        return vanished

    def _begin(self, sighting: TableSighting, corners: Points, index: int) -> int | None:
        """A new track, unless it lies on a tile that is known."""
        tile = sighting.tiles[index]
        for track in self.tracks:
            if shared_share(track.corners, corners[index]) > self.parameters.overlap:
                return None
        number, self._next = self._next, self._next + 1
        self._tracks[number] = TileTrack.begin(
            number,
            corners[index],
            tile.detection,
            since=sighting.frame if tile.since is None else tile.since,
            frame=sighting.frame,
        )
        return number

    def _visible(self, tracks: Sequence[TileTrack], sighting: TableSighting, *, looked: bool = False) -> Mask:
        """Which tiles (m,) this frame would show: inside the picture, covered by nothing; `looked` at, if that is asked."""
        if not tracks or self.matrix is None:
            return np.zeros(len(tracks), dtype=bool)
        quads = to_picture(self.matrix, np.array([track.corners for track in tracks]))
        rim, size = self.parameters.rim_px, np.array(sighting.size_wh)
        visible = ((quads >= rim) & (quads <= size - 1 - rim)).all((1, 2))
        for outline in sighting.covered:
            visible &= ~_any_inside(quads, outline)
        if looked and sighting.looked is not None:
            middles = quads.mean(1)[:, None]
            inside = [_any_inside(middles, outline) for outline in sighting.looked]
            visible &= np.any(inside, axis=0) if inside else False
        return np.asarray(visible)


def shared_share(one: Points, two: Points) -> float:
    """Area that two convex quads (4,) share, as a share of the smaller one."""
    if abs(one.mean() - two.mean()) > np.abs(one - one.mean()).max() + np.abs(two - two.mean()).max():
        return 0.0
    shared = list(one if _area(one) > 0 else one[::-1])
    edges = two if _area(two) > 0 else two[::-1]
    for start, end in zip(edges, np.roll(edges, -1), strict=True):
        shared = _cut(shared, complex(start), complex(end))
    smaller = min(abs(_area(one)), abs(_area(two)))
    return abs(_area(np.array(shared))) / max(smaller, 1e-12) if len(shared) > 2 else 0.0


def _area(corners: Points) -> float:
    return float((corners.conj() * np.roll(corners, -1)).imag.sum() / 2)


def _cut(corners: list[complex], start: complex, end: complex) -> list[complex]:
    """The part of a polygon on the inner side of a line (Sutherland and Hodgman)."""
    kept: list[complex] = []
    way = (end - start).conjugate()
    depths = [((corner - start) * way).imag for corner in corners]
    for k, (corner, depth) in enumerate(zip(corners, depths, strict=True)):
        before, deep = corners[k - 1], depths[k - 1]
        if (depth > 0) != (deep > 0):
            kept.append(before + (corner - before) * deep / (deep - depth))
        if depth > 0:
            kept.append(corner)
    return kept


def _any_inside(quads: Array, outline: Outline) -> Mask:
    """For quads (m, k, 2): whether any of the k points, or their middle, lies inside an outline (even-odd rule)."""
    points = np.concatenate([quads, quads.mean(1, keepdims=True)], axis=1)
    x, y = points[..., 0], points[..., 1]
    inside = np.zeros(x.shape, dtype=bool)
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        crosses = (y0 > y) != (y1 > y)
        at = x0 + (y - y0) * (x1 - x0) / (y1 - y0 if y1 != y0 else 1e-12)
        inside ^= crosses & (x < at)
    return np.asarray(inside.any(1))


def _as_quad(corners: list[list[float]]) -> Quad:
    a, b, c, d = ((round(x, 2), round(y, 2)) for x, y in corners)
    return a, b, c, d
