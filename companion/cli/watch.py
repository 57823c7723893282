"""`companion watch`: a feed of pictures in, plays, rulings, markers and questions out, at once."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from companion.cli.photo_by_photo import complain, print_record
from companion.cli.saving import NotSaved
from companion.cli.table import EngineType
from companion.cli.watch_keys import Keys, listening
from companion.cli.watch_saving import EvidenceFolder
from companion.dominoes import SET_SIZES, is_mexican_name
from companion.rules.house_rules import HouseRules
from companion.rules.presets import standard_book
from companion.rules.state import FEWEST_PLAYERS, MOST_PLAYERS
from companion.table.watch_events import RulingGiven, WatchEvent, as_record
from companion.table.watch_words import tell, violations_record
from companion.table.watching import TableWatch
from companion.vision.feed import Feed, open_feed
from companion.vision.feed_capture import Frame, Notice
from companion.vision.opening import Picture
from companion.vision.watching import FrameReader, FrameWatcher, SeesTiles
from companion.wiring import Workshop


class PlayersType(click.ParamType[tuple[str, ...]]):
    """Names with commas between them."""

    name = "names"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The names, each once."""
        names = tuple(name.strip() for name in str(value).split(","))
        if not FEWEST_PLAYERS <= len(names) <= MOST_PLAYERS:
            self.fail(f"a round has {FEWEST_PLAYERS} to {MOST_PLAYERS} players", param, ctx)
        for name in names:
            if not name or is_mexican_name(name) or "/" in name:
                self.fail(f"{name!r} cannot be a player's name", param, ctx)
            if names.count(name) > 1:
                self.fail(f"{name} is named twice", param, ctx)
        return names


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What the person asked for: None as `rules` watches without, None as `set_highest` finds it out."""

    rules: HouseRules | None
    players: tuple[str, ...]
    set_highest: int | None
    engine: int | None
    as_json: bool
    save: Path | None


@click.command("watch")
@click.argument("source")
@click.option(
    "--set", "set_name", type=click.Choice([*map(str, SET_SIZES), "auto"]), default="auto", show_default=True,
    help="Highest double of the set.",
)  # fmt: skip
@click.option("--rules", "preset", default="base", show_default=True, metavar="PRESET", help="House rules to go by.")
@click.option(
    "--players", type=PlayersType(), default=None, metavar="A,B,C",
    help="Who plays, clockwise, beginning with whose turn it is. Without, nobody is named.",
)  # fmt: skip
@click.option("--engine", type=EngineType(), metavar="12-12", help="The round's engine, where pictures leave it open.")
@click.option("--free", is_flag=True, help="Another game: no engine, no trains, no rules; a tile may repeat.")
@click.option("--json", "json_wanted", is_flag=True, help="One JSON object a line, each at once.")
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep the pictures before and after each event in DIR.",
)
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    set_name: str,
    preset: str,
    players: tuple[str, ...] | None,
    engine: int | None,
    free: bool,
    json_wanted: bool,
    save: Path | None,
) -> None:
    """Follow a game through SOURCE and say what happens: who lays what, whether that was legal, what is owed.

    SOURCE is a camera's number (0), a video file, a folder of pictures in order, or the http(s):// or rtsp:// address of a
    camera, such as a phone with a camera app. Press q or Ctrl-C to stop.

    Exit status: 0 when the feed ended or was stopped, 1 when it cannot be watched, 2 for a wrong call.
    """
    options = WatchOptions(
        rules=None if free else standard_book()[preset].rules,
        players=players or (),
        set_highest=None if set_name == "auto" else int(set_name),
        engine=engine,
        as_json=json_wanted,
        save=save,
    )
    workshop: Workshop = ctx.obj or Workshop.from_environment()
    reader = workshop.reader()
    if not isinstance(reader, SeesTiles):
        raise TypeError("this reader tells only what it decided, not what it saw")
    folder = None if save is None else EvidenceFolder.open(save)
    feed = open_feed(source)
    with closing(feed), listening() as keys:
        Watching(options, reader, feed, keys, folder).run()


class Watching:
    """One run of the command."""

    def __init__(
        self, options: WatchOptions, reader: SeesTiles, feed: Feed, keys: Keys, folder: EvidenceFolder | None
    ) -> None:
        self.options, self.reader, self.feed, self.keys, self.folder = options, reader, feed, keys, folder
        self._watcher: FrameWatcher | None = None

    def run(self) -> None:
        """Until the feed ends, or somebody ends it."""
        try:
            for item in self.feed.frames():
                if self.keys.quit_pressed():
                    break
                if isinstance(item, Notice):
                    click.echo(f"companion: {item.message}", err=True)
                else:
                    self._see(item)
        except KeyboardInterrupt:
            click.echo(err=True)  # the terminal has just written ^C
        if self._watcher is not None:
            self._say(self._watcher.finish())

    def _see(self, frame: Frame) -> None:
        watcher = self._watcher or self._begin(frame.picture)
        before = watcher.sighting
        events = watcher.see(frame.picture, frame=frame.number, time_s=frame.time_s)
        if self.folder is not None and watcher.sighting is not before:
            self.folder.remember(frame.number, frame.picture)
        self._say(events)

    def _begin(self, picture: Picture) -> FrameWatcher:
        """The watcher, once there is a picture that tells which set it is."""
        options = self.options
        frames = FrameReader(self.reader, set_highest=options.set_highest, stills=self.feed.stills)
        highest = options.set_highest or frames.guess_set(picture)
        if options.engine is not None and options.engine > highest:
            if options.set_highest is not None:
                raise click.UsageError(f"There is no {options.engine}-{options.engine} in a double-{highest} set.")
            highest = min(size for size in SET_SIZES if size >= options.engine)
        frames.set_highest = highest
        watch = TableWatch(options.rules, options.players, set_highest=highest, engine=options.engine)
        self._watcher = FrameWatcher(frames, watch)
        return self._watcher

    def _say(self, events: Iterable[WatchEvent]) -> None:
        for event in events:
            pictures = self._keep(event)
            if self.options.as_json:
                told = violations_record(event.ruling) if isinstance(event, RulingGiven) else None
                record = as_record(event, violations=told)
                print_record({**record, "pictures": pictures} if pictures else record)
            elif (sentence := tell(event)) is not None:
                click.echo(sentence)

    def _keep(self, event: WatchEvent) -> dict[str, str]:
        if self.folder is None:
            return {}
        try:
            return self.folder.keep(event)
        except NotSaved as error:
            complain(str(self.folder.path), str(error))
            return {}
