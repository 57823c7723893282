"""When something is a tile, and when a reading is a doubt: every number of the reader."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.vision.decode import DecodeParameters
from companion.vision.locate import LocateParameters
from companion.vision.looking_again import LookAgainParameters
from companion.vision.steadying import SteadyParameters

NO_LIKELIER = 1.05
"""Times the odds from which nobody is asked."""


@dataclass(frozen=True, slots=True)
class JustThereParameters:
    """What the coarse network's word is worth, once corners are found: it sees around a quad, the first reader only into it."""

    odds: tuple[float, float] = (0.05, 50.0)
    """Odds of a tile between which it is asked."""
    weight: float = 0.5
    """Of its logit: it sees much of what the first reader sees."""
    most: float = 2.5
    """It adds or takes this much at most (logs of odds)."""

    def asks(self, odds: float) -> bool:
        """Whether what has these odds is asked about."""
        return self.odds[0] < odds < self.odds[1]

    def told(self, logit: float, odds: float) -> float:
        """What a logit adds to the logs of these odds: what had to be asked about is not likelier then than what had not."""
        enough = float(np.log(NO_LIKELIER * self.odds[1] / odds))
        return min(self.most, max(-self.most, self.weight * logit), enough)


@dataclass(frozen=True, slots=True)
class ReadParameters:
    """When something is a tile, and when a reading is a doubt."""

    locate: LocateParameters = field(default_factory=LocateParameters)
    look_again: LookAgainParameters = field(default_factory=LookAgainParameters)
    decode: DecodeParameters = field(default_factory=DecodeParameters)
    steady: SteadyParameters = field(default_factory=SteadyParameters)
    just_there: JustThereParameters = field(default_factory=JustThereParameters)
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
    """Fewer backs in a picture without a tile are not believed,"""
    like_back: float = 14.0
    """nor are those that are not of one colour: keys of a remote control have many. This near (CIELAB, lightness
    halved) to their median colour"""
    alike: float = 0.8
    """this share of them must be: of 129 boneyards seven in eight are."""
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
    """Odds of a tile between which its corners get another round,"""
    far_off: float = 0.08
    """if one of them moved by more than this in the first, in tile widths."""
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
    """Below this it counts but is doubted,"""
    sure_plain: float = 0.98
    """and below this if it shows no pips: of 46 blank doubles all had 0.993, a square of a score sheet 0.78."""
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
    strange_shape: float = 0.1
    """What is off the plane by more tile widths than this,"""
    strange_colour: float = 20.0
    """and off the colour of every sure tile by more than this (CIELAB, lightness halved),"""
    surely_one: float = 0.97
    """is no tile unless it is believed this much: of 9,000 true ones three are so, covered by figures; of 96 others eight."""
    hardly_read: float = 0.6
    """Where no plane is known: what is off that colour and of which one half is read with less probability."""
    least_coloured: int = 6
    """So many sure tiles tell what colours a set has in its light."""
    blank_colour: float = 12.0
    """What shows no pips is no blank double if it is farther off: of 67 true ones the farthest was at 6, of backs that were
    taken for one five at 13 to 68."""
    same_colour: float = 3.0
    """A lone back beside a face that is this near to the colour of one is the blank double: of five such places in 470 pictures
    four were, and one was a back."""
    blank_among_backs: float = 0.93
    """What shows no pips, has a back's colour as nearly, and is a face with less probability than this, is a back, too: four such
    places all were; of the blank doubles of pictures with backs four were as doubtful, all of another colour than the backs."""
    plane_agrees: float = 1.5
    """What speaks for a tile that lies in the plane of six others and more: few other things have its size, shape and height."""
    neighbours_agree: float = 3.0
    """What speaks for a tile that shows its neighbour's value where both meet: by chance one in ten does."""
    beside_agrees: float = 2.5
    """What speaks for one that lies side by side with a tile, as in a hand, where it was not believed without."""
    open_odds: float = 6.0
    """Neighbours are asked where the odds are not beyond this, either way."""
    sure_of_size: float = 0.985
    """From this belief on a tile may have any size."""
    sure_value: float = 0.93
    """Tiles read with less confidence are doubted."""
    perhaps_back: float = 0.1
    """Probability of a back from which a tile may be one,"""
    sure_pips: float = 0.95
    """unless a half of it surely has pips: of 44 such tiles all were right, of 27 others nine (four were backs)."""
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
