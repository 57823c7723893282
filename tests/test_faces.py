import pytest

from companion.faces import pip_places
from companion.sightings import HIGHEST_PIPS


@pytest.mark.parametrize("value", range(HIGHEST_PIPS + 1))
def test_a_half_has_as_many_pips_as_its_value_each_in_a_place_of_its_own(value):
    places = pip_places(value)
    assert len(set(places)) == value
    assert all(-1 <= x <= 1 and -1 <= y <= 1 for x, y in places)


@pytest.mark.parametrize("value", range(HIGHEST_PIPS + 1))
def test_a_layout_looks_the_same_upside_down(value):
    places = {(round(x, 9) + 0.0, round(y, 9) + 0.0) for x, y in pip_places(value)}
    turned = {(-x + 0.0, -y + 0.0) for x, y in places}
    assert places == turned


def test_no_half_has_nineteen():
    with pytest.raises(KeyError):
        pip_places(19)
