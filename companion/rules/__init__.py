"""The referee: rule sets, the state of a round, moves, rulings with their reasons. Pure."""
