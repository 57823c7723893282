"""Every page of the app, in a state that shows most of it."""

from conftest import SAMPLE, sample_reading

from companion.dominoes import Tile
from companion.rules.moves import Play
from companion.rules.trains import TrainRef
from companion.session.events import Command


def pages_of(session, game):
    """Every page, in a state that shows most of it."""
    for player, a, b in (("Ann", 12, 5), ("Ben", 12, 3), ("Cy", 12, 1), ("Ann", 5, 5)):
        move = Play(player, Tile.of(a, b), TrainRef.of(player), b)
        session.table.tell(Command(f"lay-{player}-{a}-{b}"), game.id, move, anyway=True)
    picture = session.pictures.put(SAMPLE.read_bytes())
    session.hands.propose(Command("propose-ben"), game.id, player="Ben", picture=picture, reading=sample_reading())
    session.hands.enter(Command("enter-cy"), game.id, player="Cy", points=12)
    plays = session.table.plays(game.id)
    base = f"/games/{game.id}"
    return {
        "first": "/", "new": "/games/new?name=Ann&name=Ben", "host": "/table-code", "camera": "/camera", "rules": "/rules",
        "learn": "/learn",
        "sheet": base, "round": f"{base}/score", "hand": f"{base}/rounds/1/hands/0", "read": f"{base}/rounds/1/hands/1",
        "pad": f"{base}/rounds/1/hands/1?tile=2", "typed": f"{base}/rounds/1/hands/0/typed?tiles=12-5.3-3&first=4",
        "cell": f"{base}/rounds/1/cells/2", "journal": f"{base}/journal", "table": f"{base}/table?train=s0",
        "change": f"{base}/table?change={plays[1][0].id}",
        "referee": f"{base}/referee?seat=1&hand=12-5.3-4&tile=3-4&train=s1", "appeal": f"{base}/plays/{plays[0][0].id}/appeal",
        "missing": "/nosuch",
    }  # fmt: skip
