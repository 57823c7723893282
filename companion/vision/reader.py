"""Read a whole photo: locate, refine corners, read by two readers, decode together, say what is doubtful."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import UnusablePhoto
from companion.sightings import PhotoReading
from companion.table.layout import Layout
from companion.table.plane import Plane
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.adapt_file import LearnedSet
from companion.vision.blank_between import blank_between
from companion.vision.candidates import (
    FACE_DOWN,
    FACE_UP,
    Candidate,
    Kept,
    believed,
    if_sure_of_some,
    odds_of,
    of_one_colour,
    some_sure,
)
from companion.vision.choosing import misfits, plane_of_most
from companion.vision.concluding import conclude, halves_of
from companion.vision.corners import largest_move, lie_just_there, refine, refine_coarsely
from companion.vision.decode import DecodeParameters, combine, show_numerals
from companion.vision.inks import inks_of
from companion.vision.locate import Located, apart_first, locate, outside
from companion.vision.looking_again import (
    LookAgainParameters,
    as_the_plane_has_them,
    as_tiles_of,
    grounds_lab,
    halves_of_two,
    of_tiles_size,
    other_cuts,
    places_to_look,
)
from companion.vision.markers import find_markers
from companion.vision.models import Network, load_network
from companion.vision.pips import PipCount, nothing_counted, read_pips
from companion.vision.quality import picture_quality
from companion.vision.read_parameters import ReadParameters
from companion.vision.rectify import Pyramid, half_crops
from companion.vision.seen import SeenTile
from companion.vision.steadying import Seen, joined, steadied
from companion.vision.strange import is_lone_blank, without_strange, without_strange_blanks
from companion.vision.values import BESIDE, ValueReading, beside, log_softmax, read_values

Array = NDArray[np.float64]


@dataclass
class PhotoReader:
    """Reads photos with the networks of a `models/` folder. Only its `timings` are not safe to share between threads."""

    detector: Network
    coarse: Network
    corners: Network
    values: Network
    pips: Network
    ends: Network
    """Of trains: where markers stand about them."""
    parameters: ReadParameters = field(default_factory=ReadParameters)
    learned: LearnedSet | None = None
    timings: dict[str, float] = field(default_factory=dict)
    """Seconds of each stage of the last photo."""

    @classmethod
    def load(
        cls, models: Path, parameters: ReadParameters | None = None, *, learned: Path | None = None
    ) -> PhotoReader:
        """Load the networks; `learned` is the file of a family's set, which may come and go while photos are read.

        Raises:
            ModelMissing: a file of the folder is missing or is not the right one.
        """
        values = load_network(models, "values")
        return cls(
            detector=load_network(models, "detector"),
            coarse=load_network(models, "coarse"),
            corners=load_network(models, "corners"),
            values=values,
            pips=load_network(models, "pips"),
            ends=load_network(models, "markers"),
            parameters=parameters or ReadParameters(),
            learned=None if learned is None else LearnedSet(learned, values.sha256),
        )

    def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None = None) -> PhotoReading:
        """Read an upright picture (H, W, 3) uint8; `set_highest` None means: find out which set it is.

        Raises:
            UnusablePhoto: `too_dark`, `blurred` or `no_tiles`.
        """
        tiles, face_down = self.see_whole(image_bgr)
        size_wh = (int(image_bgr.shape[1]), int(image_bgr.shape[0]))
        if not tiles and not face_down:
            raise _nothing_seen(image_bgr)
        with self._timed("decode"):
            return conclude(tiles, face_down, size_wh, set_highest, self.parameters)

    def see_whole(self, image_bgr: NDArray[np.uint8]) -> tuple[list[SeenTile], list[Array]]:
        """What lies in a whole picture: face-up tiles, and the quads of face-down ones.

        Once more where a hand shook, and nothing where nothing is surely a tile.
        """
        self.timings = {}
        picture = Pyramid(image_bgr)
        seen = self._seen(picture)
        if seen[0] and self._unsure_share(seen[0]) >= self.parameters.steady.share_unsure:
            first, seen = seen, self._steadied(image_bgr, seen)
            if not some_sure(seen[0], self.parameters):
                seen = (
                    seen[0],
                    first[1],
                )  # what is sharpened has edges, whatever it is: keys of a remote control look like backs
        tiles, backs = if_sure_of_some(*seen, self.parameters)
        if not tiles and not of_one_colour(grounds_lab(picture, backs), self.parameters):
            backs = []
        tiles, backs = without_strange_blanks(picture, tiles, backs, self.parameters)
        tiles, backs = self._with_blank_double(picture, tiles, backs)
        with self._timed("inks"):
            tiles = self._with_inks(picture, tiles)
        return tiles, backs

    def _with_inks(self, picture: Pyramid, tiles: list[SeenTile]) -> list[SeenTile]:
        """The same, with the colours of their halves where some are not read surely."""
        if not len(tiles) or self._confidences(tiles).min() >= self.parameters.decode.inks.settled:
            return tiles
        inks = inks_of(half_crops(picture, [tile.quad for tile in tiles])).reshape(-1, 2, 4)
        return [replace(tile, inks=ink) for tile, ink in zip(tiles, inks, strict=True)]

    def see_markers(self, image_bgr: NDArray[np.uint8], table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        """What may be markers, on and beside the last tiles of the trains that were found in a picture."""
        return find_markers(self.ends, image_bgr, table, layout)

    def _with_blank_double(
        self, picture: Pyramid, tiles: list[SeenTile], backs: list[Array]
    ) -> tuple[list[SeenTile], list[Array]]:
        """The same, but that what was taken for a back is the 0-0: between two blanks of a train, or alone in the faces' colour."""
        if not backs:
            return tiles, backs
        halves = np.exp(halves_of(tiles, self.parameters.decode))
        index = blank_between([tile.quad for tile in tiles], halves, backs)
        if index is None and is_lone_blank(picture, tiles, backs, self.parameters):
            index = 0
        if index is None:
            return tiles, backs
        return [*tiles, _blank_double(backs[index])], [back for k, back in enumerate(backs) if k != index]

    def _steadied(self, image_bgr: NDArray[np.uint8], first: Seen) -> Seen:
        """What is seen when the picture is sharpened as well, in the way that makes its tiles surest."""
        steady = self.parameters.steady
        with self._timed("steady"):
            ways = steadied(image_bgr, [tile.quad for tile in first[0]], self._sureness, steady)
        seconds = [joined(first, self.see(way.image_bgr), way.scale, steady) for way in ways]
        return max(seconds, key=lambda seen: float(self._confidences(seen[0]).mean()), default=first)

    def _confidences(self, tiles: list[SeenTile]) -> Array:
        """Of each half (n, 2), how sure both readers are of it together."""
        return np.asarray(np.exp(halves_of(tiles, self.parameters.decode).max(-1)))

    def _unsure_share(self, tiles: list[SeenTile]) -> float:
        """Share of the halves that are read with less confidence than `steady.unsure`."""
        return float((self._confidences(tiles) < self.parameters.steady.unsure).mean())

    def _sureness(self, image_bgr: NDArray[np.uint8], quads: list[Array]) -> float:
        picture = Pyramid(image_bgr)
        quads = refine(self.corners, picture, quads, rounds=1)
        values = np.array([reading.values for reading in read_values(self.values, picture, quads)])
        # with the pip counter: sharpened by a wrong line, noise has shapes of which the CNN alone is sure
        pips = np.array([[count.values for count in pair] for pair in read_pips(self.pips, picture, quads)])
        return float(np.exp(combine(values, pips, self.parameters.decode).max(-1)).mean())

    def see(self, image_bgr: NDArray[np.uint8]) -> tuple[list[SeenTile], list[Array]]:
        """What lies in a picture or a part of one."""
        return self._seen(Pyramid(image_bgr))

    def _seen(self, picture: Pyramid) -> Seen:
        found, kept = self._searched(picture)
        up = [(found[k], belief) for k, kind, belief in kept if kind == FACE_UP]
        with self._timed("values"):
            up = self._read_again(picture, up)
        with self._timed("pips"):
            counts = self._counted(picture, [candidate for candidate, _ in up])
        tiles = [
            SeenTile(
                candidate.quad, candidate.box.score, np.exp(candidate.values.kind), belief, candidate.values, count
            )
            for (candidate, belief), count in zip(up, counts, strict=True)
        ]
        least = 0.0 if some_sure(tiles, self.parameters) else self.parameters.sure_back
        return tiles, [found[k].quad for k, kind, belief in kept if kind == FACE_DOWN and belief >= least]

    def _read_again(self, picture: Pyramid, up: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
        """The same, but that tiles which are not read surely are read as they lie if their corners are a little off, too."""
        unsure = [k for k, (tile, _) in enumerate(up) if tile.values.least_sure < self.parameters.sure_alone]
        quads = [moved for k in unsure for moved in beside(up[k][0].quad)]
        readings = iter(read_values(self.values, picture, quads, None if self.learned is None else self.learned.head()))
        again = list(up)
        for k in unsure:
            tile, belief = up[k]
            logs = [tile.values.values, *(next(readings).values for _ in range(len(BESIDE)))]
            values = replace(tile.values, values=log_softmax(np.mean(logs, axis=0)))
            again[k] = replace(tile, values=values), belief
        return again

    def seen_in_vain(self, image_bgr: NDArray[np.uint8]) -> list[Array]:
        """Quads (4, 2) of places that looked like tiles and came to nothing: as they were guessed, and with their corners moved.

        What the coarse network learns to give up (`companion.training.mine`).
        """
        found, kept = self._searched(Pyramid(image_bgr))
        tiles = {k for k, _, _ in kept}
        return [quad for k, place in enumerate(found) if k not in tiles for quad in (place.box.quad, place.quad)]

    def _searched(self, picture: Pyramid) -> tuple[list[Candidate], list[Kept]]:
        """All places that were looked at, but for those that were given up, and which of them are tiles."""
        with self._timed("locate"):
            boxes = locate(self.detector, picture, self.parameters.locate)
        likely = [box for box in boxes if box.score >= self.parameters.locate.least_score]
        first, others = apart_first(likely, self.parameters.first_overlap)
        hopeless = self.parameters.hopeless
        found = self._examined(picture, first, coarse_rounds=1, hopeless=hopeless)
        settled = [candidate.quad for candidate in found if odds_of(candidate) >= self.parameters.settled]
        others = outside(others, settled, self.parameters.settled_share)
        found = found + self._examined(picture, others, coarse_rounds=1, hopeless=hopeless)
        kept = believed(found, self.parameters)
        weak = [box for box in boxes if box.score < self.parameters.locate.least_score]
        found, kept = self._look_again(picture, found, kept, weak)
        found, kept = self._fitted(picture, *self._recut(picture, found, kept))
        return found, without_strange(picture, found, kept, self.parameters)

    def _counted(self, picture: Pyramid, tiles: list[Candidate]) -> list[tuple[PipCount, PipCount]]:
        """What the pip counter says of the tiles: of those that the first reader is not sure of, and of a few more.

        The few tell whether the tiles show numerals, of which it knows nothing.
        """
        sureness = np.array([tile.values.least_sure for tile in tiles])
        unsure = int((sureness < self.parameters.sure_alone).sum())
        count = max(self.parameters.least_counted, unsure) if unsure else 0
        asked = np.argsort(sureness, kind="stable")[:count].tolist()
        counts = read_pips(self.pips, picture, [tiles[k].quad for k in asked])
        counts = _without_numerals([tiles[k].values for k in asked], counts, self.parameters.decode)
        unasked = nothing_counted(np.zeros((0, 3)))
        said = dict(zip(asked, counts, strict=True))
        return [said.get(k, (unasked, unasked)) for k in range(len(tiles))]

    def _examined(
        self, picture: Pyramid, boxes: list[Located], *, coarse_rounds: int, hopeless: float
    ) -> list[Candidate]:
        """Boxes with their corners put right, and what the first reader says of each; what is surely no tile is left out."""
        with self._timed("corners"):
            quads, left = refine_coarsely(
                self.coarse, picture, [box.quad for box in boxes],
                hopeless=hopeless, rounds=coarse_rounds,
            )  # fmt: skip
        found = self._read(picture, [boxes[k] for k in left], quads)
        # corners that were far off may need another round: where they were not, it would say the same again
        least, most = self.parameters.unsettled
        far = self.parameters.far_off
        again = [
            k
            for k, candidate in enumerate(found)
            if least < odds_of(candidate) < most and largest_move(quads[k], candidate.quad) > far
        ]
        return found + self._read(picture, [found[k].box for k in again], [found[k].quad for k in again])

    def _read(self, picture: Pyramid, boxes: list[Located], quads: list[Array]) -> list[Candidate]:
        """Boxes whose tiles lie about where the quads are: a round of the corner network, then the first reader."""
        with self._timed("corners"):
            quads = refine(self.corners, picture, quads)
        return self._valued(picture, boxes, quads)

    def _valued(self, picture: Pyramid, boxes: list[Located], quads: list[Array]) -> list[Candidate]:
        """What the first reader says of tiles that lie where the quads are."""
        with self._timed("values"):
            values = read_values(self.values, picture, quads, None if self.learned is None else self.learned.head())
        found = [Candidate(*row) for row in zip(boxes, quads, values, strict=True)]
        parameters = self.parameters.just_there
        odds = [odds_of(candidate) for candidate in found]
        asked = [k for k, odds_alone in enumerate(odds) if parameters.asks(odds_alone)]
        with self._timed("corners"):
            told = lie_just_there(self.coarse, picture, [quads[k] for k in asked])
        for k, logit in zip(asked, told.tolist(), strict=True):
            found[k] = replace(found[k], just_there=parameters.told(logit, odds[k]))
        return found

    def _look_again(
        self, picture: Pyramid, found: list[Candidate], kept: list[Kept], weak: list[Located]
    ) -> tuple[list[Candidate], list[Kept]]:
        """Look where a tile may have been missed, and from what turns up there once more."""
        parameters = self.parameters.look_again
        searched: set[int] = set()
        recut: set[int] = set()
        hints = list(weak)
        for _ in range(parameters.rounds):
            sure = [k for k, _, belief in kept if belief >= parameters.sure]
            around = [found[k].quad for k in sure if k not in searched]
            with self._timed("look again"):
                quads = [found[k].quad for k in sure]
                plane = plane_of_most(quads)
                if not searched and plane is not None:
                    weak = of_tiles_size(plane, weak, parameters)
                    hints = weak + of_tiles_size(plane, _unplaced(found, kept, parameters, 0.5), parameters)
                    weak = weak + as_tiles_of(plane, _unplaced(found, kept, parameters, 0.2))
                places = places_to_look(picture, quads, around, weak, hints=hints, parameters=parameters, plane=plane)
                cut = [k for k, _, belief in kept if belief < parameters.sure_cut and k not in recut]
                places += other_cuts(
                    picture,
                    [found[k].quad for k in cut],
                    [candidate.quad for candidate in found],
                    hints=hints, parameters=parameters, plane=plane,
                )  # fmt: skip
            if not places:
                break
            searched.update(sure)
            recut.update(cut)
            weak = []
            found = found + self._examined(picture, places, coarse_rounds=2, hopeless=self.parameters.hopeless_place)
            kept = believed(found, self.parameters)
        return found, kept

    def _plane_of(self, found: list[Candidate], kept: list[Kept]) -> Plane | None:
        """The plane of what is surely a tile, where enough is."""
        return plane_of_most([found[k].quad for k, _, belief in kept if belief >= self.parameters.look_again.sure])

    def _recut(self, picture: Pyramid, found: list[Candidate], kept: list[Kept]) -> tuple[list[Candidate], list[Kept]]:
        """Where a tile in a row is surely a half of one tile and a half of the next, those two instead."""
        parameters = self.parameters.look_again
        plane = self._plane_of(found, kept)
        up = [k for k, kind, _ in kept if kind == FACE_UP]
        if plane is None or not up:
            return found, kept
        backs = [found[k].quad for k, kind, _ in kept if kind == FACE_DOWN]
        with self._timed("look again"):
            twos = halves_of_two(picture, [found[k].quad for k in up], backs, plane, parameters)
        places = [Located(quad, parameters.two_score, False, True) for _, two in twos for quad in two]
        as_they_lie = self._valued(picture, places, [place.quad for place in places])
        odds = np.array([odds_of(candidate) for candidate in as_they_lie]).reshape(-1, 2)
        sure = np.flatnonzero(np.sqrt(odds.prod(1)) >= parameters.both_sure)
        if not len(sure):
            return found, kept
        no_tiles = [found[up[twos[n][0]]].quad for n in sure]
        pairs = [m for n in sure for m in (2 * n, 2 * n + 1)]
        moved = self._read(picture, [places[m] for m in pairs], [places[m].quad for m in pairs])
        found = outside(found, no_tiles, self.parameters.same_tile) + [as_they_lie[m] for m in pairs] + moved
        return found, believed(found, self.parameters)

    def _fitted(self, picture: Pyramid, found: list[Candidate], kept: list[Kept]) -> tuple[list[Candidate], list[Kept]]:
        """Read tiles whose corners do not lie as the table's plane has it once more, from where they should lie."""
        quads = [found[k].quad for k, _, _ in kept]
        plane = self._plane_of(found, kept)
        off = misfits(quads, plane) > self.parameters.plane_slack
        if plane is None or not off.any():
            return found, kept
        bent = [k for (k, _, _), is_off in zip(kept, off.tolist(), strict=True) if is_off]
        places = as_the_plane_has_them(plane, [found[k].quad for k in bent])
        seen = np.argwhere(np.isfinite(places).all((2, 3))).tolist()  # not beyond the horizon
        found = found + self._read(picture, [found[bent[n]].box for n, _ in seen], [places[n, k] for n, k in seen])
        return found, believed(found, self.parameters)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.timings[stage] = self.timings.get(stage, 0.0) + time.perf_counter() - begun


def _blank_double(quad: Array) -> SeenTile:
    """What is said of a tile that looks like a back and is none: no pips, perhaps a back after all, surely a tile."""
    values = np.full((2, 19), 0.02 / 18)
    values[:, 0] = 0.98
    kind = np.array([0.5, 0.5, 1e-9])
    unseen = nothing_counted(np.zeros((0, 3)))
    return SeenTile(quad, 0.5, kind, 1.0, ValueReading(np.log(values), np.log(kind)), (unseen, unseen))


def _unplaced(found: list[Candidate], kept: list[Kept], parameters: LookAgainParameters, share: float) -> list[Located]:
    """Boxes in which the detector believes and that came to nothing: no tile shares more than that with them."""
    tiles = [found[k].quad for k, _, _ in kept]
    return outside([candidate.box for candidate in found if candidate.box.score >= parameters.unplaced], tiles, share)


def _without_numerals(
    values: list[ValueReading], counts: list[tuple[PipCount, PipCount]], parameters: DecodeParameters
) -> list[tuple[PipCount, PipCount]]:
    """Where the tiles show numerals the pip counter abstains."""
    if not counts:
        return counts
    cnn = np.concatenate([reading.values for reading in values])
    pips = np.array([count.values for pair in counts for count in pair])
    if not show_numerals(cnn, pips, parameters):
        return counts
    return [(nothing_counted(a.pips), nothing_counted(b.pips)) for a, b in counts]


def _nothing_seen(image_bgr: NDArray[np.uint8]) -> UnusablePhoto:
    quality = picture_quality(image_bgr)
    if quality.too_dark:
        return UnusablePhoto(
            "too_dark", "The photo is too dark to read: turn on a lamp or use the flash, and take it again."
        )
    if quality.blurred:
        return UnusablePhoto(
            "blurred", "The photo is too blurred to read: hold the phone still, tap to focus, and take it again."
        )
    return UnusablePhoto(
        "no_tiles", "No tile was found: lay the tiles face up and flat, fill the picture with them, and take it again."
    )
