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
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from companion.sightings import HIGHEST_PIPS, Detection, PipReading
from companion.table.layout import Layout
from companion.table.seen import MarkerSighting, SeenTable, as_quad
from companion.table.sighting import TableSighting, TileSighting
from companion.table.watch_events import WatchEvent
from companion.table.watching import TableWatch
from companion.vision.choosing import choose_apart
from companion.vision.decode import choose_set, combine, within_set
from companion.vision.hidden import hidden_ends
from companion.vision.opening import Picture
from companion.vision.read_parameters import ReadParameters
from companion.vision.rectify import move, width_of
from companion.vision.seen import SeenTile
from companion.vision.watching_blanks import blank_double
from companion.vision.watching_boxes import (
    Box,
    box_corners,
    grown,
    in_box,
    is_inside,
    merged,
    outlines,
    patch_boxes,
    widened,
    without_tiles,
)
from companion.vision.watching_change import (
    Change,
    ChangeParameters,
    Grey,
    Mask,
    find_change,
    is_blank,
    moving_share,
    small_grey,
    sort_patches,
)
from companion.vision.watching_memory import FrameMemory, MemoryParameters

Array = NDArray[np.float64]


@runtime_checkable
class SeesTiles(Protocol):
    """What watching needs from a reader of photos."""

    parameters: ReadParameters

    def see(self, image_bgr: NDArray[np.uint8]) -> tuple[list[SeenTile], list[Array]]:
        """Face-up tiles with open values, and the quads of face-down ones."""
        ...

    def see_markers(self, image_bgr: Picture, table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        """What may be markers at the ends of the trains."""
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
    """Motion, or an arm, that stays for so long is read around once in a while, or a lively table would never be read."""
    arm_pictures: int = 2
    """The same for a folder: so many pictures in a row with an arm are passed over."""
    looks: int = 3
    """Times that a changed place is looked at, in as many frames."""
    whole_s: float = 30.0
    """Seconds after which a quiet video is looked at as a whole again."""
    room_tiles: float = 1.6
    """Around a changed place, in tile widths, so that a tile is seen with its neighbours."""
    least_box_px: int = 256
    """Smaller parts of a picture are not cut out for the networks."""
    tile_rim: float = 0.3
    """Share by which a tile's quad is grown to hold its side walls and its shadow."""
    worse: float = 0.05
    """A tile that is believed less than before by this, with unchanged pixels, was cut badly this time."""
    near_arm_tiles: float = 0.8
    """Nothing is read this near to an arm: its shadow, its sleeve and what it holds look like much."""
    arm_doubt: float = 0.6
    """A tile that is new in a picture with an arm is not believed more than this at once."""


@dataclass(slots=True)
class _KnownTile:
    """A tile of the last frame: where it was, what was read, since when it lies so."""

    quad: Array
    detection: Detection
    since: int | None
    fresh: bool = True
    seen: int = 1
    """How often the networks saw it, and how often they looked there and did not."""
    unseen: int = 0


@dataclass(slots=True)
class _Scene:
    """What the frames before have shown; `grey` is the last one without an arm."""

    grey: Grey
    tiles: list[_KnownTile] = field(default_factory=list)
    backs: list[Array] = field(default_factory=list)
    open_looks: list[tuple[Box, int]] = field(default_factory=list)
    looked_s: float = 0.0
    arm_since: tuple[float, int] | None = None
    """When an arm came in: seconds, and how many pictures ago."""


@dataclass(frozen=True, slots=True, eq=False)
class _Now:
    """The frame under way."""

    picture: Picture
    grey: Grey
    frame: int
    time_s: float


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    """What the networks saw in one box."""

    box: Box
    tiles: list[tuple[Array, Detection]]
    backs: list[Array]


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
        self._scale = 1.0
        self._quiet = 0
        self._moving_since: float | None = None

    def guess_set(self, picture: Picture) -> int:
        """The smallest set that explains the tiles of a picture."""
        tiles, _ = self._reader.see(picture)
        decoding = self._reader.parameters.decode
        halves = [combine(t.values.values, np.stack([c.values for c in t.pips]), decoding) for t in tiles]
        return choose_set(np.array(halves).reshape(-1, HIGHEST_PIPS + 1), decoding)

    def see_markers(self, picture: Picture, table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        """What may be markers at the ends of the trains of a picture (H, W, 3)."""
        return self._reader.see_markers(picture, table, layout)

    def read(self, picture: Picture, *, frame: int, time_s: float) -> TableSighting | None:
        """What a frame (H, W, 3) shows; None for one that shows nothing, or in which something moves."""
        size_wh = (int(picture.shape[1]), int(picture.shape[0]))
        grey = small_grey(picture, self.parameters.change)
        if is_blank(grey):
            return None
        if size_wh != self._size_wh:
            self._size_wh, self._scene, self._last = size_wh, None, None
            self._scale = size_wh[0] / grey.shape[1]
        if not self._stills and not self._is_quiet(grey, time_s):
            return None
        change = None if self._scene is None else find_change(self._scene.grey, grey, self.parameters.change)
        now = _Now(picture, grey, frame, time_s)
        if self._scene is None or change is None or change.everything:
            return self._begin(now)
        return self._go_on(self._scene, change, now)

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
        return self._quiet >= p.quiet

    # -- one quiet frame

    def _begin(self, now: _Now) -> TableSighting:
        """The first frame, or one that has nothing to do with the one before."""
        nothing = np.zeros(now.grey.shape, bool)
        self._memory.clear()
        self._memory.add(now.frame, now.grey, nothing, motion=None)
        scene = self._scene = _Scene(now.grey, looked_s=now.time_s)
        self._take_in(scene, [self._look(now.picture, self._whole)], nothing, now.frame)
        return self._sighting(scene, now, None, nothing)

    def _go_on(self, scene: _Scene, change: Change, now: _Now) -> TableSighting:
        """A frame that can be compared with the one before."""
        self._carry(scene, change)
        patches, covers = self._sort(change.pixels, scene)
        whole = self._stills or change.motion is not None or now.time_s - scene.looked_s > self.parameters.whole_s
        boxes = [self._whole] if whole else []
        if self._stills or scene.arm_since is None or not covers.any():
            boxes += self._changed_boxes(scene, patches | covers)
        looked = [self._look(now.picture, box) for box in boxes]
        if covers.any():
            quads = [quad for look in looked for quad, _ in look.tiles] + [tile.quad for tile in scene.tiles]
            rest = without_tiles(change.pixels, quads, scale=self._scale, rim=self.parameters.tile_rim)
            _, covers = self._sort(rest, scene)
        passing = self._is_passing(scene, covers, now.time_s)
        if self._stills or not change.nothing:
            self._memory.add(now.frame, now.grey, covers, motion=change.motion)
        if passing:
            return self._sighting(scene, now, [], covers, steady=change.motion is None, passing=True)
        shut = self._near_arm(scene, covers)
        self._take_in(scene, looked, shut, now.frame)
        scene.grey = np.where(shut, scene.grey, now.grey)
        scene.looked_s = now.time_s if whole else scene.looked_s
        return self._sighting(scene, now, None if whole else boxes, covers, steady=change.motion is None)

    def _near_arm(self, scene: _Scene, covers: Mask) -> Mask:
        return widened(covers, self.parameters.near_arm_tiles * self._tile_px(scene) / self._scale)

    def _is_passing(self, scene: _Scene, covers: Mask, time_s: float) -> bool:
        """Whether an arm has come in that will soon be gone."""
        if not covers.any():
            scene.arm_since = None
            return False
        since, pictures = scene.arm_since or (time_s, 0)
        scene.arm_since = since, pictures + 1
        if self._stills:
            return pictures < self.parameters.arm_pictures
        return time_s - since < self.parameters.fidget_s

    @property
    def _whole(self) -> Box:
        return (0, 0, *self._size_wh)

    def _tile_px(self, scene: _Scene) -> float:
        """A tile's width in pixels of the picture; a guess before one was seen."""
        widths = [width_of(tile.quad) for tile in scene.tiles]
        return float(np.median(widths)) if widths else self._size_wh[0] / 30

    def _sort(self, pixels: Mask, scene: _Scene) -> tuple[Mask, Mask]:
        return sort_patches(pixels, self._tile_px(scene) / self._scale, self.parameters.change)

    def _carry(self, scene: _Scene, change: Change) -> None:
        """Move what is known as the camera moved."""
        for tile in scene.tiles:
            tile.fresh = False
        if change.motion is not None:
            sizes = np.diag([self._scale, self._scale, 1.0])
            whole = sizes @ change.motion @ np.linalg.inv(sizes)
            for tile in scene.tiles:
                tile.quad = move(whole, tile.quad)
            scene.backs = [move(whole, quad) for quad in scene.backs]

    def _changed_boxes(self, scene: _Scene, patches: Mask) -> list[Box]:
        """Where to look closer in this frame: at what changed now, and some times more at what changed lately."""
        p = self.parameters
        room = p.room_tiles * self._tile_px(scene)
        new = [
            grown(box, scale=self._scale, room=room, least=p.least_box_px, size_wh=self._size_wh)
            for box in patch_boxes(patches)
        ]
        still_open = [(box, left) for box, left in scene.open_looks if left > 0]
        scene.open_looks = [(box, p.looks - 1) for box in new] + [(box, left - 1) for box, left in still_open]
        return merged([*new, *(box for box, _ in still_open)])

    def _look(self, picture: Picture, box: Box) -> _Looked:
        """Let the networks look at a part of the picture; what they see in pixels of the whole."""
        left, top, right, bottom = box
        tiles, backs = self._reader.see(np.ascontiguousarray(picture[top:bottom, left:right]))
        offset = np.array([left, top], np.float64)
        found = detections_of(tiles, self.set_highest, self._reader.parameters)
        moved = [(tile.quad + offset, detection) for tile, detection in zip(tiles, found, strict=True)]
        backs = [quad + offset for quad in backs]
        blank = blank_double(picture, [quad for quad, _ in moved], backs)
        if blank is not None:
            quad = backs.pop(blank)
            moved.append((quad, _blank(quad)))
        return _Looked(box, moved, backs)

    def _take_in(self, scene: _Scene, looked: Sequence[_Looked], shut: Mask, frame: int) -> None:
        """Merge what was seen with what is known; places that are `shut` are left as they were."""
        for look in looked:
            open_tiles: list[_KnownTile] = []
            hidden: list[_KnownTile] = []
            for tile in scene.tiles:
                (hidden if self._is_shut(shut, tile.quad) else open_tiles).append(tile)
            seen = [(quad, detection) for quad, detection in look.tiles if not self._is_shut(shut, quad)]
            scene.tiles = hidden + self._merge(open_tiles, seen, look.box, frame, doubtful=bool(shut.any()))
            scene.backs = [quad for quad in scene.backs if not in_box(look.box, quad.mean(0))] + look.backs

    def _is_shut(self, shut: Mask, quad: Array) -> bool:
        return is_inside(shut, quad.mean(0) / self._scale)

    def _merge(
        self,
        known: list[_KnownTile],
        seen: list[tuple[Array, Detection]],
        box: Box,
        frame: int,
        *,
        doubtful: bool,
    ) -> list[_KnownTile]:
        """Seen tiles replace known ones in their place; known ones that were not seen stay where nothing changed."""
        tiles: list[_KnownTile] = []
        taken: set[int] = set()
        for quad, detection in seen:
            near, since = _same_place(quad, known), self._memory.since(quad / self._scale)
            score, times = detection.score, 1
            if near is not None:
                before = known[near]
                before.seen += 1
                if self._is_old(since, frame) and score < before.detection.score - self.parameters.worse:
                    continue  # the same pixels, cut worse: what was read before stays
                taken.add(near)
                times = before.seen
            elif doubtful:
                score = min(score, self.parameters.arm_doubt)
            tiles.append(_KnownTile(quad, replace(detection, score=score), since, seen=times))
        for index, tile in enumerate(known):
            if index in taken:
                continue
            if not tile.fresh and in_box(box, tile.quad.mean(0)):
                # not seen in this frame, but its pixels may be those of the frame in which it was
                tile.unseen += 1
                old = self._is_old(self._memory.since(tile.quad / self._scale), frame)
                if not old or tile.unseen > tile.seen + 2:
                    continue
            tiles.append(tile)
        beliefs = [tile.detection.score for tile in tiles]
        kept = choose_apart([tile.quad for tile in tiles], beliefs, self._reader.parameters.overlap)
        return [tiles[k] for k in kept]

    @staticmethod
    def _is_old(since: int | None, frame: int) -> bool:
        """Whether a place looks as it did before this frame."""
        return since is not None and since < frame

    def _sighting(
        self,
        scene: _Scene,
        now: _Now,
        looked: list[Box] | None,
        covers: Mask,
        *,
        steady: bool = False,
        passing: bool = False,
    ) -> TableSighting:
        tiles = [
            TileSighting(replace(tile.detection, quad_px=as_quad(tile.quad.tolist())), tile.since, tile.fresh)
            for tile in scene.tiles
        ]
        return TableSighting(
            frame=now.frame,
            time_s=now.time_s,
            size_wh=self._size_wh,
            tiles=tuple(tiles),
            face_down=tuple(as_quad(quad.tolist()) for quad in scene.backs),
            covered=outlines(self._near_arm(scene, covers), self._scale),
            looked=None if looked is None else tuple(box_corners(box) for box in looked),
            steady=steady,
            passing=passing,
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
        """Look for markers, and for tiles under them; a picture with an arm in it is no time for that."""
        seen = None if sighting.covered else self.watch.in_picture()
        if seen is None:
            return ()
        table, layout = seen
        events = self.watch.hide(hidden_ends(picture, table, layout))
        return events + self.watch.mark(self.frames.see_markers(picture, table, layout))


def detections_of(tiles: Sequence[SeenTile], set_highest: int | None, parameters: ReadParameters) -> list[Detection]:
    """Seen tiles with the readings of both readers together; values beyond the set are unlikely."""
    found = []
    for tile in tiles:
        logs = combine(tile.values.values, np.stack([count.values for count in tile.pips]), parameters.decode)
        shares = np.exp(within_set(logs, HIGHEST_PIPS if set_highest is None else set_highest, parameters.decode))
        a, b = (PipReading(tuple((half / half.sum()).tolist())) for half in shares)
        found.append(Detection(as_quad(tile.quad.tolist()), (a, b), tile.belief))
    return found


def _blank(quad: Array) -> Detection:
    """A blank double that the reader took for a back: not quite sure."""
    shares = np.full(HIGHEST_PIPS + 1, 0.05 / HIGHEST_PIPS)
    shares[0] = 0.95
    reading = PipReading(tuple(shares.tolist()))
    return Detection(as_quad(quad.tolist()), (reading, reading), 0.85)


def _same_place(quad: Array, known: Sequence[_KnownTile]) -> int | None:
    """The known tile whose middle lies within half a width of a quad's."""
    if not known:
        return None
    apart = [float(np.linalg.norm(tile.quad.mean(0) - quad.mean(0))) for tile in known]
    nearest = int(np.argmin(apart))
    return nearest if apart[nearest] < 0.5 * width_of(quad) else None
