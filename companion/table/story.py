"""What a watched table is told to the referee as, and what comes back: plays that were seen, and an account of each.

An `Explanation` is what HOUSE rules call the camera's doubt: a value, never an exception and never a silent guess.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.dominoes import Tile
from companion.rules.moves import Play
from companion.rules.rulings import Ruling
from companion.table.faults import Anomaly


@dataclass(frozen=True, slots=True)
class SeenChain:
    """What is known of a chain whoever owns it: see `companion.table.chains.Chain`."""

    number: int
    at_engine: bool
    parent: int | None
    angle: float | None


@dataclass(frozen=True, slots=True)
class SeenPlay:
    """A tile that came onto the table.

    Attributes:
        track: which physical tile.
        tile: its values.
        outward: the end that looks away from the engine.
        chain: the chain it lies in.
        frame: the first frame in which it lies still.
        marked: the chains at which a marker stands then.
        player: who laid it, where a person said so.
    """

    track: int
    tile: Tile
    outward: int
    chain: SeenChain
    frame: int
    marked: frozenset[int] = frozenset()
    player: str | None = None

    @property
    def inward(self) -> int:
        """The end that looks to the engine."""
        return self.tile.other(self.outward)


@dataclass(frozen=True, slots=True)
class Opening:
    """The table when the watch began, or when it knew the engine.

    Attributes:
        engine: the engine, or None where it is not known.
        tiles: what lay there: plays of nobody, in order.
    """

    engine: Tile | None
    tiles: tuple[SeenPlay, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """How a play is explained, after weighing every way in which it may have come about.

    Attributes:
        play: what was seen.
        move: the likeliest move.
        ruling: the ruling that goes with it, or None where no engine is known.
        illegal: probability that it was illegal (0..1).
        player: who laid it, and None where that is open.
        players: who else it may have been, likeliest first, with probabilities.
    """

    play: SeenPlay
    move: Play | None
    ruling: Ruling | None
    illegal: float
    player: str | None
    players: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """The change is understood: these moves."""

    moves: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several stories fit; `question` is the one whose answer costs a person least and settles most."""

    candidates: tuple[tuple[Play, ...], ...]
    question: str


@dataclass(frozen=True, slots=True)
class Unexplained:
    """No move explains what lies there."""

    anomalies: tuple[Anomaly, ...]


Explanation = Explained | Ambiguous | Unexplained
