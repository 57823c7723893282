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
from companion.sightings import Alternative, Doubt, DoubtKind, PhotoReading, Quad, ReadTile
from companion.table.layout import Layout
from companion.table.plane import Plane
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.adapt_file import LearnedSet
from companion.vision.agreeing import agree, lying
from companion.vision.blank_between import blank_between
from companion.vision.choosing import (
    LEAST_FOR_PLANE,
    choose_apart,
    covered_share,
    misfits,
    of_like_size,
    plane_of_most,
)
from companion.vision.corners import refine, refine_coarsely
from companion.vision.decode import Decoded, DecodeParameters, choose_set, combine, decode, show_numerals, within_set
from companion.vision.inks import InkParameters, inks_of, told_by_inks
from companion.vision.locate import Located, LocateParameters, apart_first, distinct, locate, outside
from companion.vision.looking_again import (
    LookAgainParameters,
    as_the_plane_has_them,
    as_tiles_of,
    of_tiles_size,
    other_cuts,
    places_to_look,
)
from companion.vision.markers import find_markers
from companion.vision.models import Network, load_network
from companion.vision.neighbours import settled_by_neighbours
from companion.vision.pips import PipCount, nothing_counted, read_pips
from companion.vision.quality import picture_quality
from companion.vision.rectify import Pyramid, half_crops, width_of
from companion.vision.seen import SeenTile
from companion.vision.steadying import Seen, SteadyParameters, joined, steadied
from companion.vision.values import ValueReading, log_softmax, read_values

Array = NDArray[np.float64]

FACE_UP, FACE_DOWN, NO_TILE = 0, 1, 2
LEAST_TO_AGREE = 6
"""Tiles whose plane is so well known that to lie in it says something."""


@dataclass(frozen=True, slots=True)
class ReadParameters:
    """When something is a tile, and when a reading is a doubt."""

    locate: LocateParameters = field(default_factory=LocateParameters)
    look_again: LookAgainParameters = field(default_factory=LookAgainParameters)
    decode: DecodeParameters = field(default_factory=DecodeParameters)
    inks: InkParameters = field(default_factory=InkParameters)
    steady: SteadyParameters = field(default_factory=SteadyParameters)
    least_belief: float = 0.5
    """Probability, detector and kind together, from which something counts as a tile."""
    sure_of_some: float = 0.98
    """A picture in which no tile is believed this much shows none: of real tiles some are, of what looks like tiles none is."""
    readable: float = 0.75
    """And of which the first reader does not believe its values this much, or sees no pips: letters, keys and cards may look like
    tiles, but not like pips."""
    sure_unread: float = 0.999
    """Unless it is believed so much that it is one, whatever it shows. Of 1,080 pictures with tiles, stressed ones included, two
    have none such; keys of a keyboard are believed 0.997 at most."""
    sure_back: float = 0.95
    """Backs without such a tile beside them must be believed this much: much is plain and has a tile's shape."""
    least_backs: int = 6
    """Fewer backs in a picture without a tile are not believed."""
    sure_blank: float = 0.7
    """Probability of a face from which what shows no pips is a blank double: of the 37 true ones on labelled pictures two have less
    (under glare); a plain one of an owner who was left out of training had 0.77."""
    another_blank: float = 0.97
    """And of a second one in a picture: a set has one."""
    guessed_back: float = 0.8
    """Probability of a back from which what shows no pips is one where a tile was only guessed."""
    guessed_readable: float = 0.3
    """Probability of both values from which a guessed tile is one: on bare wood the first reader read 11-0 with 0.14."""
    unsettled: tuple[float, float] = (0.05, 50.0)
    """Odds of a tile between which its corners get another round."""
    hopeless: float = -4.0
    """Logit of a tile below which the coarse network's word is taken that no tile lies in a box,"""
    hopeless_place: float = -3.0
    """or in a place beside tiles: of these few are tiles."""
    sure_alone: float = 0.97
    """Probability of both values from which the pip counter is not asked: of 5,400 such halves of labelled pictures two were wrong,
    and the counter contradicted none of these but 43 right ones."""
    least_counted: int = 8
    """Of so many tiles at least it is asked, where it is asked at all."""
    sure_belief: float = 0.65
    """Below this it counts but is doubted."""
    overlap: float = 0.3
    """Quads of which one covers more than this share of the other cannot both be tiles: more than tiles of a pile overlap, less
    than half, which is what a box across two neighbours covers of each."""
    same_tile: float = 0.6
    """Quads that share more than this (intersection over union) are about one tile."""
    first_overlap: float = 0.3
    """Of boxes that share more than this (intersection over union) the best is looked at first."""
    settled: float = 50.0
    """Odds from which a tile settles what lies in its place: """
    settled_share: float = 0.3
    """another box that shares more than this with it is not looked at."""
    size_ratio: float = 2.0
    """How much larger or smaller than the typical tile of the picture a doubtful one may be."""
    sure_of_plane: float = 0.9
    """Tiles believed so much tell how the table lies, if there are at least four."""
    plane_slack: float = 0.06
    plane_sigma: float = 0.1
    """Tile widths: corners that are farther off than the slack speak against a tile, as normal errors do."""
    plane_agrees: float = 1.5
    """What speaks for a tile that lies in the plane of six others and more: few other things have its size, shape and height."""
    neighbours_agree: float = 3.0
    """What speaks for a tile that shows its neighbour's value where both meet: by chance one in ten does."""
    open_odds: float = 6.0
    """Neighbours are asked where the odds are not beyond this, either way."""
    sure_of_size: float = 0.985
    """From this belief on a tile may have any size."""
    sure_value: float = 0.93
    """Tiles read with less confidence are doubted."""
    burnt: float = 0.6
    """A half that looks blank and is burnt out by light in more than this share may have had pips: of the 263 blank halves of the
    labelled pictures none is."""
    pale: float = 145.0
    """Unless the whole picture is so bright, and all its pips are darker than this: then none has gone."""
    burnt_beside: float = 0.85
    """Or unless the tile's other half is burnt out in more than this share"""
    dark_beside: float = 110.0
    """and has a pip that is darker than this all the same: of 21 blanks that were none, in pictures with glare, none had."""
    least_dark: int = 4
    """Halves with such pips, at least."""
    small_px: float = 13.0
    """Tiles narrower than this cannot be read: 18 pips would be a pixel apart."""
    contrary: float = 0.6
    """The pip counter contradicts when it is surer than this of another value."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A box, where its corners really are, and what is read there."""

    box: Located
    quad: Array
    values: ValueReading


_Kept = tuple[int, int, float]
"""Index of a candidate, its kind, and the belief that it is a tile."""


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
        seen = self.see(image_bgr)
        if seen[0] and self._unsure_share(seen[0]) >= self.parameters.steady.share_unsure:
            seen = self._steadied(image_bgr, seen)
        tiles, backs = if_sure_of_some(*seen, self.parameters)
        with self._timed("inks"):
            tiles = self._with_inks(image_bgr, tiles)
        return self._with_blank_double(tiles, backs)

    def _with_inks(self, image_bgr: NDArray[np.uint8], tiles: list[SeenTile]) -> list[SeenTile]:
        """The same, with the colours of their halves where some are not read surely."""
        if not len(tiles) or self._confidences(tiles).min() >= self.parameters.inks.settled:
            return tiles
        inks = inks_of(half_crops(Pyramid(image_bgr), [tile.quad for tile in tiles])).reshape(-1, 2, 4)
        return [replace(tile, inks=ink) for tile, ink in zip(tiles, inks, strict=True)]

    def see_markers(self, image_bgr: NDArray[np.uint8], table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        """What may be markers, on and beside the last tiles of the trains that were found in a picture."""
        return find_markers(self.ends, image_bgr, table, layout)

    def _with_blank_double(self, tiles: list[SeenTile], backs: list[Array]) -> tuple[list[SeenTile], list[Array]]:
        """The same, but that what was taken for a back is the 0-0 where it lies between two blanks of a train."""
        if not backs:
            return tiles, backs
        halves = np.exp(halves_of(tiles, self.parameters.decode))
        index = blank_between([tile.quad for tile in tiles], halves, backs)
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
        picture = Pyramid(image_bgr)
        found, kept = self._searched(picture)
        up = [(found[k], belief) for k, kind, belief in kept if kind == FACE_UP]
        with self._timed("pips"):
            counts = self._counted(picture, [candidate for candidate, _ in up])
        tiles = [
            SeenTile(
                candidate.quad, candidate.box.score, np.exp(candidate.values.kind), belief, candidate.values, count
            )
            for (candidate, belief), count in zip(up, counts, strict=True)
        ]
        least = 0.0 if _some_sure(tiles, self.parameters) else self.parameters.sure_back
        return tiles, [found[k].quad for k, kind, belief in kept if kind == FACE_DOWN and belief >= least]

    def seen_in_vain(self, image_bgr: NDArray[np.uint8]) -> list[Array]:
        """Quads (4, 2) of places that looked like tiles and came to nothing: as they were guessed, and with their corners moved.

        What the coarse network learns to give up (`companion.training.mine`).
        """
        found, kept = self._searched(Pyramid(image_bgr))
        tiles = {k for k, _, _ in kept}
        return [quad for k, place in enumerate(found) if k not in tiles for quad in (place.box.quad, place.quad)]

    def _searched(self, picture: Pyramid) -> tuple[list[_Candidate], list[_Kept]]:
        """All places that were looked at, but for those that were given up, and which of them are tiles."""
        with self._timed("locate"):
            boxes = locate(self.detector, picture, self.parameters.locate)
        likely = [box for box in boxes if box.score >= self.parameters.locate.least_score]
        first, others = apart_first(likely, self.parameters.first_overlap)
        hopeless = self.parameters.hopeless
        found = self._examined(picture, first, coarse_rounds=1, hopeless=hopeless)
        settled = [candidate.quad for candidate in found if _odds(candidate) >= self.parameters.settled]
        others = outside(others, settled, self.parameters.settled_share)
        found = found + self._examined(picture, others, coarse_rounds=1, hopeless=hopeless)
        kept = _believed(found, self.parameters)
        weak = [box for box in boxes if box.score < self.parameters.locate.least_score]
        return self._fitted(picture, *self._look_again(picture, found, kept, weak))

    def _counted(self, picture: Pyramid, tiles: list[_Candidate]) -> list[tuple[PipCount, PipCount]]:
        """What the pip counter says of the tiles: of those that the first reader is not sure of, and of a few more.

        The few tell whether the tiles show numerals, of which it knows nothing.
        """
        sureness = np.array([np.exp(tile.values.values).max(1).min() for tile in tiles])
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
    ) -> list[_Candidate]:
        """Boxes with their corners put right, and what the first reader says of each; what is surely no tile is left out."""
        with self._timed("corners"):
            quads, left = refine_coarsely(
                self.coarse, picture, [box.quad for box in boxes],
                hopeless=hopeless, rounds=coarse_rounds,
            )  # fmt: skip
        found = self._read(picture, [boxes[k] for k in left], quads)
        # corners that were far off may need another round: where they were not, a tile is known by now
        least, most = self.parameters.unsettled
        again = [k for k, candidate in enumerate(found) if least < _odds(candidate) < most]
        return found + self._read(picture, [found[k].box for k in again], [found[k].quad for k in again])

    def _read(self, picture: Pyramid, boxes: list[Located], quads: list[Array]) -> list[_Candidate]:
        """Boxes whose tiles lie about where the quads are: a round of the corner network, then the first reader."""
        with self._timed("corners"):
            quads = refine(self.corners, picture, quads)
        with self._timed("values"):
            values = read_values(self.values, picture, quads, None if self.learned is None else self.learned.head())
        return [_Candidate(*row) for row in zip(boxes, quads, values, strict=True)]

    def _look_again(
        self, picture: Pyramid, found: list[_Candidate], kept: list[_Kept], weak: list[Located]
    ) -> tuple[list[_Candidate], list[_Kept]]:
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
            kept = _believed(found, self.parameters)
        return found, kept

    def _fitted(
        self, picture: Pyramid, found: list[_Candidate], kept: list[_Kept]
    ) -> tuple[list[_Candidate], list[_Kept]]:
        """Read tiles whose corners do not lie as the table's plane has it once more, from where they should lie."""
        quads = [found[k].quad for k, _, _ in kept]
        plane = plane_of_most([found[k].quad for k, _, belief in kept if belief >= self.parameters.look_again.sure])
        off = misfits(quads, plane) > self.parameters.plane_slack
        if plane is None or not off.any():
            return found, kept
        bent = [k for (k, _, _), is_off in zip(kept, off.tolist(), strict=True) if is_off]
        places = as_the_plane_has_them(plane, [found[k].quad for k in bent])
        seen = np.argwhere(np.isfinite(places).all((2, 3))).tolist()  # not beyond the horizon
        found = found + self._read(picture, [found[bent[n]].box for n, _ in seen], [places[n, k] for n, k in seen])
        return found, _believed(found, self.parameters)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.timings[stage] = self.timings.get(stage, 0.0) + time.perf_counter() - begun


def _blank_double(quad: Array) -> SeenTile:
    """What its neighbours say of a tile that looks like a back: no pips, perhaps a back after all, surely a tile."""
    values = np.full((2, 19), 0.02 / 18)
    values[:, 0] = 0.98
    kind = np.array([0.5, 0.5, 1e-9])
    unseen = nothing_counted(np.zeros((0, 3)))
    return SeenTile(quad, 0.5, kind, 1.0, ValueReading(np.log(values), np.log(kind)), (unseen, unseen))


def if_sure_of_some(
    tiles: list[SeenTile], face_down: list[Array], parameters: ReadParameters
) -> tuple[list[SeenTile], list[Array]]:
    """The tiles and backs of a whole picture, or none where not one of them is surely a tile: then all are something else.

    A part of a picture may well hold nothing but a doubtful tile; this is not for parts. Backs alone count as a boneyard does,
    from `least_backs` on.
    """
    if _some_sure(tiles, parameters):
        return tiles, face_down
    return [], face_down if len(face_down) >= parameters.least_backs else []


def _some_sure(tiles: list[SeenTile], parameters: ReadParameters) -> bool:
    return any(
        tile.belief >= parameters.sure_unread
        or (
            tile.belief >= parameters.sure_of_some
            and np.exp(tile.values.values.max(1).sum()) >= parameters.readable
            and tile.values.values.argmax(1).any()
        )
        for tile in tiles
    )


def _unplaced(
    found: list[_Candidate], kept: list[_Kept], parameters: LookAgainParameters, share: float
) -> list[Located]:
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


def _believed(candidates: list[_Candidate], parameters: ReadParameters) -> list[_Kept]:
    """What is a tile, face up or down; no two in one place."""
    if not candidates:
        return []
    quads = [candidate.quad for candidate in candidates]
    odds = np.array([_odds(candidate) for candidate in candidates])
    belief = odds / (1 + odds)
    sure = [k for k in range(len(quads)) if belief[k] >= parameters.sure_of_plane]
    apart = choose_apart([quads[k] for k in sure], [float(belief[k]) for k in sure], parameters.overlap)
    flat = [quads[sure[n]] for n in apart]
    plane = plane_of_most(flat)
    off = np.maximum(0, misfits(quads, plane) - parameters.plane_slack) / parameters.plane_sigma
    odds = odds * np.exp(-0.5 * off**2)
    if plane is not None and len(flat) >= LEAST_TO_AGREE:
        odds = odds * np.where(off <= 0, parameters.plane_agrees, 1.0)
        odds = odds * _neighbours_say(candidates, odds, [sure[n] for n in apart], plane, parameters)
    belief = odds / (1 + odds)
    rows: list[_Kept] = []
    for k, candidate in enumerate(candidates):
        kind = _kind_of(candidate, parameters)
        if belief[k] >= parameters.least_belief and kind != NO_TILE:
            rows.append((k, kind, float(belief[k])))
    # of several quads about one tile the likeliest, lest the largest win
    rows.sort(key=lambda row: -odds[row[0]])
    rows = [rows[n] for n in distinct(np.array([quads[k] for k, _, _ in rows]), parameters.same_tile)]
    kept = choose_apart([quads[k] for k, _, _ in rows], [belief for _, _, belief in rows], parameters.overlap)
    rows = _with_one_blank([rows[n] for n in kept], candidates, parameters)
    if len(flat) >= LEAST_FOR_PLANE:  # then the plane has judged sizes, and knows that far tiles look small
        return rows
    kept = of_like_size(
        [quads[k] for k, _, _ in rows],
        [belief for _, _, belief in rows],
        sure=parameters.sure_of_size,
        ratio=parameters.size_ratio,
    )
    return [rows[n] for n in kept]


def _neighbours_say(
    candidates: list[_Candidate], odds: Array, sure: list[int], plane: Plane, parameters: ReadParameters
) -> Array:
    """By what the odds (n,) of each candidate rise because it shows its sure neighbours' values where it meets them."""
    factors = np.ones(len(candidates))
    open_odds = np.flatnonzero((odds > 1 / parameters.open_odds) & (odds < parameters.open_odds)).tolist()
    if not open_odds:
        return factors
    rows = sorted({*open_odds, *sure})
    flat = dict(zip(rows, lying(plane, [candidates[k].quad for k in rows]), strict=True))
    for k in open_odds:
        near = [n for n in sure if n != k and flat[n].is_near(flat[k])]
        beside = [n for n in near if covered_share(candidates[k].quad, candidates[n].quad) < parameters.overlap]
        shown = np.exp(candidates[k].values.values)
        if any(agree(flat[k], shown, flat[n], np.exp(candidates[n].values.values)) for n in beside):
            factors[k] = parameters.neighbours_agree
    return factors


def _with_one_blank(rows: list[_Kept], candidates: list[_Candidate], parameters: ReadParameters) -> list[_Kept]:
    """The same, but that of several blank doubles only the surest is one; another must be one beyond doubt.

    What light has burnt out may be any tile: it stays, to be doubted.
    """
    faces = {k: float(np.exp(candidates[k].values.kind[FACE_UP])) for k, kind, _ in rows if kind == FACE_UP}
    blanks = [k for k in faces if not candidates[k].values.values.argmax(1).any()]
    surest = max(blanks, key=lambda k: faces[k], default=None)
    plain = [k for k in blanks if candidates[k].values.burnt.max() <= parameters.burnt]
    doubtful = {k for k in plain if k != surest and faces[k] < parameters.another_blank}
    kinds = {k: _kind_of_blank(candidates[k]) for k in doubtful}
    return [(k, kinds.get(k, kind), belief) for k, kind, belief in rows if kinds.get(k, kind) != NO_TILE]


def _kind_of_blank(candidate: _Candidate) -> int:
    """Of what shows no pips and is no blank double."""
    _, down, none = candidate.values.kind
    return FACE_DOWN if down >= none else NO_TILE


def _kind_of(candidate: _Candidate, parameters: ReadParameters) -> int:
    """Face up, face down, or no tile after all: what shows no pips must surely be a face to be a blank double.

    Where a tile was only guessed, what shows no pips is none, or surely a back: the table shows none either, nor do the squares
    of a board. Had the detector seen something there, its box would have been looked at. Nor is it one if nobody can read it.
    """
    up, down, _ = np.exp(candidate.values.kind)
    values = candidate.values.values
    is_blank = not values.argmax(1).any()
    if candidate.box.guessed and is_blank:
        return FACE_DOWN if down >= parameters.guessed_back else NO_TILE
    if candidate.box.guessed and np.exp(values.max(1).sum()) < parameters.guessed_readable:
        return NO_TILE
    if down * (2.0 if candidate.box.face_down else 0.5) > up:
        return FACE_DOWN
    if up < parameters.sure_blank and is_blank:
        return _kind_of_blank(candidate)
    return FACE_UP


def _odds(candidate: _Candidate) -> float:
    """That a tile lies there, face up or down: the detector's word and the first reader's."""
    none = float(np.exp(candidate.values.kind[NO_TILE]))
    odds_tile = (1 - none + 1e-4) / (none + 1e-4)
    odds_box = (candidate.box.score + 1e-3) / (1.001 - candidate.box.score)
    return float(np.sqrt(odds_box) * odds_tile)


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
    return log_softmax(rows + told_by_inks(np.concatenate(inks), rows)).reshape(halves.shape)


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
    if tile.belief < parameters.sure_belief:
        kinds.append(DoubtKind.MAYBE_NOT_A_TILE)
    if tile.kind[FACE_DOWN] > 0.1:
        kinds.append(DoubtKind.MAYBE_FACE_DOWN)
    if (tile.quad < -2).any() or (tile.quad > np.array(size_wh) + 1).any():
        kinds.append(DoubtKind.CUT)
    return tuple(kinds)


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
