"""From the frames of a feed to sightings and events, reading no more than has changed.

`FrameReader` turns a picture into a `TableSighting`: it passes over frames with motion, carries on tiles whose pixels are as
they were, and lets the networks look only where something changed. `FrameWatcher` joins it with a `TableWatch`:

    watcher = FrameWatcher(FrameReader(photo_reader, set_highest=12), TableWatch(rules, ("Ann", "Ben"), set_highest=12))
    for number, picture in enumerate(pictures):
        for event in watcher.see(picture, frame=number, time_s=number / 30):
            print(as_record(event))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sightings import HIGHEST_PIPS, Detection, PipReading, Point
from companion.table.seen import as_quad
from companion.table.sighting import Outline, TableSighting, TileSighting
from companion.table.watch_events import WatchEvent
from companion.table.watching import TableWatch
from companion.vision.decode import choose_set, combine, within_set
from companion.vision.markers import find_markers
from companion.vision.opening import Picture
from companion.vision.reader import ReadParameters, SeenTile
from companion.vision.rectify import move, width_of
from companion.vision.watching_change import (
    Change,
    ChangeParameters,
    Grey,
    Mask,
    find_change,
    is_blank,
    moving_share,
    small_grey,
    warped,
)
from companion.vision.watching_memory import FrameMemory, MemoryParameters

Array = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture."""


class SeesTiles(Protocol):
    """What watching needs from a reader of photos."""

    parameters: ReadParameters

    def see(self, image_bgr: NDArray[np.uint8]) -> tuple[list[SeenTile], list[Array]]:
        """Face-up tiles with open values, and the quads of face-down ones."""
        ...


@dataclass(frozen=True, slots=True)
class FrameParameters:
    """When and where a frame is read."""

    change: ChangeParameters = field(default_factory=ChangeParameters)
    memory: MemoryParameters = field(default_factory=MemoryParameters)
    moving: float = 0.0015
    """Share of pixels that differ between two frames of a video from which something moves: a finger's tip has 0.002."""
    quiet: int = 3
    """Frames in a row without motion before a video's frame is read."""
    fidget_s: float = 4.0
    """Motion that goes on for so long is read through once in a while, or a lively table would never be read."""
    looks: int = 3
    """Times that a changed place is looked at, in as many frames."""
    whole_s: float = 30.0
    """Seconds after which a quiet video is looked at as a whole again."""
    room_tiles: float = 1.6
    """Around a changed place, in tile widths, so that a tile is seen with its neighbours."""
    least_box_px: int = 256
    """Smaller parts of a picture are not cut out for the networks."""
    near_arm_tiles: float = 0.8
    """Nothing is read this near to an arm: its shadow, its sleeve and what it holds look like much."""
    arm_doubt: float = 0.6
    """A tile that is new in a picture with an arm is not believed more than this at once."""


@dataclass(slots=True)
class _KnownTile:
    """A tile of the last frame: where it was, what was read, since when it lies so."""

    quad: Array
    detection: Detection
    since: int
    fresh: bool = True


@dataclass(slots=True)
class _Scene:
    """What the frames before have shown."""

    grey: Grey
    tiles: list[_KnownTile] = field(default_factory=list)
    backs: list[Array] = field(default_factory=list)
    open_looks: list[tuple[Box, int]] = field(default_factory=list)
    looked_s: float = 0.0


class FrameReader:
    """Reads the frames of one feed."""

    def __init__(
        self,
        reader: SeesTiles,
        *,
        set_highest: int | None,
        stills: bool = False,
        parameters: FrameParameters | None = None,
    ) -> None:
        """A reader that has seen nothing yet.

        Args:
            reader: sees the tiles of a picture.
            set_highest: N of the double-N set, or None to take every value for possible.
            stills: whether each picture is a moment of its own, as in a folder, and not a video's frame.
            parameters: thresholds.
        """
        self.parameters = parameters or FrameParameters()
        self.set_highest = set_highest
        self._reader, self._stills = reader, stills
        self._scene: _Scene | None = None
        self._memory = FrameMemory(self.parameters.memory)
        self._last: Grey | None = None
        self._size_wh = (0, 0)
        self._quiet = 0
        self._moving_since: float | None = None

    def guess_set(self, picture: Picture) -> int:
        """The smallest set that explains the tiles of a picture."""
        tiles, _ = self._reader.see(picture)
        decoding = self._reader.parameters.decode
        halves = [combine(t.values.values, np.stack([c.values for c in t.pips]), decoding) for t in tiles]
        return choose_set(np.array(halves).reshape(-1, HIGHEST_PIPS + 1), decoding)

    def read(self, picture: Picture, *, frame: int, time_s: float) -> TableSighting | None:
        """What a frame (H, W, 3) shows; None for one that shows nothing, or in which something moves."""
        size_wh = (int(picture.shape[1]), int(picture.shape[0]))
        grey = small_grey(picture, self.parameters.change)
        if is_blank(grey):
            return None
        if size_wh != self._size_wh:
            self._size_wh, self._scene, self._last = size_wh, None, None
            self._memory.clear()
        if not self._stills and not self._is_quiet(grey, time_s):
            return None
        return self._read(picture, grey, frame, time_s)

    def _is_quiet(self, grey: Grey, time_s: float) -> bool:
        """Whether nothing has moved for some frames of a video, or things have been moving for too long to wait."""
        p, last = self.parameters, self._last
        self._last = grey
        if last is not None and moving_share(last, grey, p.change) > p.moving:
            self._quiet = 0
            if self._moving_since is None:
                self._moving_since = time_s
            if time_s - self._moving_since < p.fidget_s:
                return False
            self._moving_since = time_s
            return True
        self._quiet += 1
        if self._quiet >= p.quiet:
            self._moving_since = None
            return True
        return False

    # -- one quiet frame

    def _read(self, picture: Picture, grey: Grey, frame: int, time_s: float) -> TableSighting:
        scene, scale = self._scene, picture.shape[1] / grey.shape[1]
        change: Change | None = None
        if scene is not None:
            change = find_change(
                scene.grey, grey, tile_px=self._tile_px(scene) / scale, parameters=self.parameters.change
            )
            if change.everything:
                scene, change = None, None
        covers = np.zeros(grey.shape, bool) if change is None else change.covers
        if scene is None:
            self._memory.clear()
        self._remember(frame, grey, covers, change, first=scene is None)
        if scene is None:
            scene = self._scene = _Scene(grey, looked_s=time_s)
            looked: list[Box] | None = None
        else:
            assert change is not None
            self._carry(scene, change, scale)
            looked = self._boxes(scene, change, scale, time_s)
        if looked is None:
            scene.looked_s = time_s
        self._look(picture, scene, looked, covers, frame, scale)
        scene.grey = grey if change is None else np.where(covers, _moved(scene.grey, change.motion), grey)
        return self._sighting(scene, looked, covers, frame, time_s, scale)

    def _remember(self, frame: int, grey: Grey, covers: Mask, change: Change | None, *, first: bool) -> None:
        """Keep a frame that differs from the last, and every picture of a folder."""
        if first or self._stills or (change is not None and not change.nothing):
            self._memory.add(frame, grey, covers, motion=None if change is None else change.motion)

    def _tile_px(self, scene: _Scene) -> float:
        """A tile's width in pixels of the picture; a guess before one was seen."""
        widths = [width_of(tile.quad) for tile in scene.tiles]
        return float(np.median(widths)) if widths else self._size_wh[0] / 30

    def _carry(self, scene: _Scene, change: Change, scale: float) -> None:
        """Move what is known as the camera moved; tiles in changed places are no longer known unless a hand covers them."""
        if change.motion is not None:
            whole = np.diag([scale, scale, 1.0]) @ change.motion @ np.diag([1 / scale, 1 / scale, 1.0])
            for tile in scene.tiles:
                tile.quad = move(whole, tile.quad)
            scene.backs = [move(whole, quad) for quad in scene.backs]
        for tile in scene.tiles:
            tile.fresh = False

    def _boxes(self, scene: _Scene, change: Change, scale: float, time_s: float) -> list[Box] | None:
        """Where to look in this frame; None for everywhere."""
        p = self.parameters
        whole_due = time_s - scene.looked_s > p.whole_s
        if self._stills or change.motion is not None or whole_due:
            return None
        room = p.room_tiles * self._tile_px(scene)
        new = [_grown(box, scale, room, p.least_box_px, self._size_wh) for box in _patch_boxes(change.patches)]
        still_open = [(box, left) for box, left in scene.open_looks if left > 0]
        boxes = _merged([*new, *(box for box, _ in still_open)])
        scene.open_looks = [(box, p.looks - 1) for box in new] + [(box, left - 1) for box, left in still_open]
        return boxes

    def _look(
        self, picture: Picture, scene: _Scene, boxes: list[Box] | None, covers: Mask, frame: int, scale: float
    ) -> None:
        """Let the networks look at the whole picture or at parts of it, and merge what they see with what is known."""
        whole: Box = (0, 0, *self._size_wh)
        shut = self._near_arm(covers, scene, scale)
        for box in [whole] if boxes is None else boxes:
            seen, backs = self._see(picture, box)
            seen = [(quad, detection) for quad, detection in seen if not _inside(shut, quad.mean(0) / scale)]
            hidden = [tile for tile in scene.tiles if _inside(shut, tile.quad.mean(0) / scale)]
            open_tiles = [tile for tile in scene.tiles if not _inside(shut, tile.quad.mean(0) / scale)]
            scene.tiles = hidden + self._merge(open_tiles, seen, box, frame, scale, doubtful=bool(covers.any()))
            scene.backs = [quad for quad in scene.backs if not _in_box(box, quad.mean(0))] + backs

    def _near_arm(self, covers: Mask, scene: _Scene, scale: float) -> Mask:
        if not covers.any():
            return covers
        reach = 2 * max(1, round(self.parameters.near_arm_tiles * self._tile_px(scene) / scale)) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        return np.asarray(cv2.dilate(covers.astype(np.uint8), kernel) > 0)

    def _see(self, picture: Picture, box: Box) -> tuple[list[tuple[Array, Detection]], list[Array]]:
        """Tiles and backs of a part of the picture, in pixels of the whole."""
        left, top, right, bottom = box
        tiles, backs = self._reader.see(np.ascontiguousarray(picture[top:bottom, left:right]))
        offset = np.array([left, top], np.float64)
        found = detections_of(tiles, self.set_highest, self._reader.parameters)
        moved = [(tile.quad + offset, detection) for tile, detection in zip(tiles, found, strict=True)]
        return moved, [quad + offset for quad in backs]

    def _merge(
        self, known: list[_KnownTile], seen: list[tuple[Array, Detection]], box: Box, frame: int, scale: float, *,
        doubtful: bool,
    ) -> list[_KnownTile]:  # fmt: skip
        """Seen tiles replace known ones in their place; known ones that were not seen stay where nothing changed."""
        tiles: list[_KnownTile] = []
        taken: set[int] = set()
        for quad, detection in seen:
            near = _same_place(quad, known)
            score = detection.score
            if near is None and doubtful:
                score = min(score, self.parameters.arm_doubt)
            if near is not None:
                taken.add(near)
            since = self._memory.since(quad / scale)
            tiles.append(_KnownTile(quad, replace(detection, score=score), since))
        for index, tile in enumerate(known):
            if index in taken:
                continue
            # not seen this time, but its pixels are those of the frame in which it was
            if not _in_box(box, tile.quad.mean(0)) or self._memory.since(tile.quad / scale) < frame:
                tiles.append(tile)
        return tiles

    def _sighting(
        self, scene: _Scene, looked: list[Box] | None, covers: Mask, frame: int, time_s: float, scale: float
    ) -> TableSighting:
        tiles = [
            TileSighting(
                replace(tile.detection, quad_px=as_quad(tile.quad.tolist())), min(tile.since, frame), tile.fresh
            )
            for tile in scene.tiles
        ]
        return TableSighting(
            frame=frame,
            time_s=time_s,
            size_wh=self._size_wh,
            tiles=tuple(tiles),
            face_down=tuple(as_quad(quad.tolist()) for quad in scene.backs),
            covered=_outlines(self._near_arm(covers, scene, scale), scale),
            looked=None if looked is None else tuple(_corners(box) for box in looked),
        )


@dataclass
class FrameWatcher:
    """A feed's frames in, events out."""

    frames: FrameReader
    watch: TableWatch
    sighting: TableSighting | None = None
    """The last frame that could be read."""

    def see(self, picture: Picture, *, frame: int, time_s: float) -> tuple[WatchEvent, ...]:
        """Take in a picture (H, W, 3), upright."""
        sighting = self.frames.read(picture, frame=frame, time_s=time_s)
        if sighting is None:
            return ()
        self.sighting = sighting
        events = self.watch.observe(sighting)
        if sighting.looked is None or sighting.looked:
            events += self._mark(picture, sighting)
        return events

    def finish(self) -> tuple[WatchEvent, ...]:
        """The feed has ended."""
        return self.watch.finish()

    def _mark(self, picture: Picture, sighting: TableSighting) -> tuple[WatchEvent, ...]:
        """Look for markers; a picture with an arm in it is no time for that."""
        seen = None if sighting.covered else self.watch.in_picture()
        if seen is None:
            return ()
        table, layout = seen
        return self.watch.mark(find_markers(picture, table, layout))


def detections_of(tiles: Sequence[SeenTile], set_highest: int | None, parameters: ReadParameters) -> list[Detection]:
    """Seen tiles with the readings of both readers together; values beyond the set are unlikely."""
    found = []
    for tile in tiles:
        logs = combine(tile.values.values, np.stack([count.values for count in tile.pips]), parameters.decode)
        shares = np.exp(within_set(logs, HIGHEST_PIPS if set_highest is None else set_highest, parameters.decode))
        a, b = (PipReading(tuple((half / half.sum()).tolist())) for half in shares)
        found.append(Detection(as_quad(tile.quad.tolist()), (a, b), tile.belief))
    return found


def _moved(grey: Grey, motion: Array | None) -> Grey:
    return grey if motion is None else warped(grey, motion)


def _same_place(quad: Array, known: Sequence[_KnownTile]) -> int | None:
    """The known tile whose middle lies within half a width of a quad's."""
    if not known:
        return None
    apart = [float(np.linalg.norm(tile.quad.mean(0) - quad.mean(0))) for tile in known]
    nearest = int(np.argmin(apart))
    return nearest if apart[nearest] < 0.5 * width_of(quad) else None


def _inside(mask: Mask, point: Array) -> bool:
    x, y = (int(np.clip(v, 0, n - 1)) for v, n in zip(point, mask.shape[::-1], strict=True))
    return bool(mask[y, x])


def _in_box(box: Box, point: Array) -> bool:
    return bool(box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3])


def _patch_boxes(patches: Mask) -> list[Box]:
    """The boxes around the patches of a mask."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(patches.astype(np.uint8))
    boxes = stats[1:count, :4].tolist()
    return [(x, y, x + wide, y + high) for x, y, wide, high in boxes]


def _grown(box: Box, scale: float, room: float, least: int, size_wh: tuple[int, int]) -> Box:
    """A box of the small picture in pixels of the picture, with room around it and of a least size."""
    low, high = np.array(box[:2]) * scale - room, np.array(box[2:]) * scale + room
    missing = np.maximum(least - (high - low), 0) / 2
    low, high = np.maximum(low - missing, 0), np.minimum(high + missing, size_wh)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that overlap become one."""
    left = list(boxes)
    done: list[Box] = []
    while left:
        box = left.pop()
        for other in [*left, *done]:
            if box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]:
                (left if other in left else done).remove(other)
                left.append(
                    (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
                )
                break
        else:
            done.append(box)
    return done


def _corners(box: Box) -> Outline:
    left, top, right, bottom = (float(v) for v in box)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _outlines(mask: Mask, scale: float) -> tuple[Outline, ...]:
    """The patches of a mask as outlines in pixels of the picture."""
    found, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines: list[Outline] = []
    for outline in found:
        points: list[Point] = [(float(x) * scale, float(y) * scale) for x, y in outline.reshape(-1, 2)]
        if len(points) > 2:
            outlines.append(tuple(points))
    return tuple(outlines)
