"""Counting: hands, rounds, standings, and the longest train. Pure, and a stranger to the referee."""
