"""The game's memory: what a family does in an evening, as use cases over a journal of events. Pure; the world is a port.

`session.Session` has them all: ``games`` (start, list, get, end, undo, follow), ``hands`` (propose, edit, confirm, enter,
check), ``rounds`` (tell, end, sheet, begin_with), ``table`` (tell, see, unsee, confirm, correct, reject, state, plays,
findings), ``referee`` (rule, appeal, counsel), ``examples`` (label, all) and ``pictures`` (put, get).
`wiring.Workshop.session()` makes one on a disk.

What changes something takes a `Command` (an id made once by who wishes it: sent again it changes nothing more) and answers
`Done` (``game``, ``entries``, ``repeated``) or `Refused` (``reason``; `wording.say_refused` makes the sentence). What only looks
answers a value, or None where the game is not known. Nothing here raises because of what a player did.

    answers       Done, Refused, Remark                 events        Command, JournalEntry, HandTile and every event
    game          Game, Round, Hand, Score, TablePlay   event_text    events as JSON that reads back
    folding       entries -> Game                       playing       a round's plays -> the referee's RoundState
    sheet         Game -> Sheet                         checks        does a hand go with what is known?
    disagreement  camera against game                   wording       sentences
    ports         Journal, Pictures, Clock, Bell        in_memory     these four for tests

Ids: a game's is the stream of its journal; hands and plays are known by the sequence number that brought them
(``outcome.sequence``); a picture's is the sha256 of its bytes. ``game.version`` grows with every entry; followers wait on it.

>>> from companion.rules.presets import standard_book
>>> from companion.session.events import Command
>>> from companion.session.in_memory import memory_session
>>> session = memory_session(standard_book())
>>> game = session.games.start(Command("a"), players=["Ann", "Ben"], preset="casual").game
>>> session.hands.enter(Command("b", by="Ben"), game.id, player="Ben", points=57).game.version
2
>>> twice = session.hands.enter(Command("c", by="Ann"), game.id, player="Ben", points=57)
>>> from companion.session.wording import say_refused
>>> say_refused(twice)
'Ben has a score for round 1 already: 57, confirmed by Ben.'
>>> session.rounds.end(Command("d"), game.id, out=["Ann"]).game.current
2
>>> [str(place) for place in session.rounds.sheet(game.id).standings]
['1. Ann 0', '2. Ben 57']
"""
