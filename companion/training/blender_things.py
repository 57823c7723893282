"""Things on a rendered table: hub, train figures, coins, glasses, cans, mugs, bowls, pencils, phones, pads, an arm. Needs `bpy`.

A maker draws one thing about the origin, standing on height 0, as shapes with their materials.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from companion.training import things
from companion.training.blender_geometry import Shape, cylinder, joined, rounded_rectangle, slab, stacked, tube
from companion.training.blender_geometry import turned_profile as lathe
from companion.training.blender_parts import Material, add_mesh, linear, picture
from companion.training.camera import Array
from companion.training.scene_plans import RoundPlan, Thing
from companion.training.surfaces import Floats, random_colour, wood

Piece = tuple[Shape, Material, Array | None]
"""A shape, what it is made of, and its UVs where that has a picture."""


def _plastic(rng: Generator, colour: Floats | None = None) -> Material:
    if colour is None:
        colour = random_colour(rng, saturation=(0, 255), value=(15, 250))
    return Material("plastic", Base_Color=linear(colour), Roughness=float(rng.uniform(0.08, 0.6)))


def _metal(rng: Generator) -> Material:
    colour = np.array([rng.uniform(60, 220), rng.uniform(120, 220), rng.uniform(180, 235)], np.float32)
    return Material("metal", Base_Color=linear(colour), Metallic=1.0, Roughness=float(rng.uniform(0.15, 0.5)))


def _flat_uv(shape: Shape, long: float, wide: float) -> Array:
    """A picture laid over a thing from above: its bottom along the thing's x."""
    return np.column_stack([shape.points[:, 0] / long + 0.5, shape.points[:, 1] / wide + 0.5])


def _printed_slab(rng: Generator, patch: things.Patch, long: float, high: float, rough: float) -> list[Piece]:
    """A flat box with a picture on its top, `long` along the picture's height."""
    texture = np.rot90(patch[0]).copy()
    wide = long * texture.shape[0] / texture.shape[1]
    shape = slab(long, wide, high, corner=0.02 * long if high > 0.1 else 0.01)
    material = Material("printed", Roughness=rough)
    material.paint(picture("printed", texture))
    return [(shape, material, _flat_uv(shape, long, wide))]


def train(rng: Generator, thing: Thing) -> list[Piece]:
    """A little steam engine in one colour."""
    r = thing.radius
    body, wheel = _plastic(rng), _plastic(rng, random_colour(rng, value=(5, 120)))
    high = r * float(rng.uniform(0.55, 0.8))
    parts = [slab(2 * r, 0.8 * r, 0.25 * r).moved((0, 0, 0.2 * r))]
    parts.append(cylinder(0.36 * r, 1.25 * r, 0.05 * r).tipped().moved((-0.35 * r, 0, 0.75 * r)))
    parts.append(slab(0.65 * r, 0.85 * r, high).moved((-0.65 * r, 0, 0.45 * r)))
    parts.append(slab(0.8 * r, 0.98 * r, 0.12 * r).moved((-0.65 * r, 0, 0.45 * r + high)))
    chimney = [(0.12 * r, 0.0), (0.12 * r, 0.35 * r), (0.2 * r, 0.5 * r), (0.2 * r, 0.6 * r)]
    parts.append(lathe(chimney, 16).moved((0.65 * r, 0, 1.0 * r)))
    rims = []
    for x in np.linspace(-0.7, 0.7, int(rng.integers(2, 4))):
        for y in (-0.42, 0.42):
            disc = cylinder(0.26 * r, 0.1 * r, 0.02 * r, 18).tipped().moved((0, 0, 0), np.pi / 2)
            rims.append(disc.moved((x * r, (y - 0.05) * r, 0.26 * r)))
    return [(joined(parts), body, None), (joined(rims), wheel, None)]


def pawn(rng: Generator, thing: Thing) -> list[Piece]:
    """A turned figure."""
    r = thing.radius
    profile = [(1.0, 0), (1.0, 0.2), (0.6, 0.5), (0.4, 1.4), (0.65, 1.6), (0.65, 1.9), (0.4, 2.2), (0.05, 2.3)]
    return [(lathe([(a * r, h * r) for a, h in profile], 24), _plastic(rng), None)]


def sweet(rng: Generator, thing: Thing) -> list[Piece]:
    """Something round to eat, or a bead: a ball, more or less flat."""
    flat = float(rng.uniform(0.45, 1.0))
    angles = np.linspace(-np.pi / 2, np.pi / 2, 13)[1:-1]
    profile = [(thing.radius * np.cos(a), thing.radius * flat * (1 + np.sin(a))) for a in angles]
    return [(lathe(profile, 24), _plastic(rng), None)]


def cube(rng: Generator, thing: Thing) -> list[Piece]:
    """A wooden cube or brick."""
    side = 1.5 * thing.radius
    shape = slab(side * float(rng.uniform(0.8, 1.3)), side, side * float(rng.uniform(0.5, 1.1)), corner=0.04)
    return [(shape, _plastic(rng), None)]


def cone(rng: Generator, thing: Thing) -> list[Piece]:
    """A cone or a little tower."""
    r, tip = thing.radius, float(rng.uniform(0.08, 0.7))
    profile = [(r, 0.0), (r, 0.1 * r), (tip * r, float(rng.uniform(1.0, 2.2)) * r)]
    return [(lathe(profile, 24), _plastic(rng), None)]


def coin(rng: Generator, thing: Thing) -> list[Piece]:
    """A coin, now and then two."""
    material, high = _metal(rng), 0.07
    pieces: list[Piece] = [(cylinder(thing.radius, high, 0.015), material, None)]
    if rng.random() < 0.2:
        pieces.append((cylinder(thing.radius * 0.85, high, 0.015).moved((0.1, 0.05, high)), _metal(rng), None))
    return pieces


def chip(rng: Generator, thing: Thing) -> list[Piece]:
    """A chip with a print, one or a small stack."""
    high, r = 0.13, thing.radius
    material = Material("chip", Roughness=float(rng.uniform(0.2, 0.6)))
    material.paint(picture("chip", things.coin(rng)[0]))
    pieces: list[Piece] = []
    for k in range(int(rng.choice([1, 1, 1, 2, 4]))):
        shape = cylinder(r, high, 0.02)
        shift = (*rng.normal(0, 0.03, 2), k * high)
        pieces.append((shape.moved(shift), material, _flat_uv(shape, 2.2 * r, 2.2 * r)))
    return pieces


def glass(rng: Generator, thing: Thing) -> list[Piece]:
    """A tumbler, often with something in it."""
    r, high = thing.radius, thing.radius * float(rng.uniform(1.8, 3.2))
    low = r * float(rng.uniform(0.7, 1.0))
    clear = Material("glass", Transmission_Weight=1.0, Roughness=0.0, IOR=1.45)
    clear.let_light_through()
    inner = [(r - 0.1, high), (low - 0.1, 0.2), (0.0, 0.2)]
    pieces: list[Piece] = [(lathe([(low, 0.0), (r, high), *inner]), clear, None)]
    if rng.random() < 0.6:
        full = float(rng.uniform(0.3, 0.85)) * high
        edge = low + (r - low) * full / high - 0.13
        drink = Material(
            "drink", Base_Color=linear(random_colour(rng)), Transmission_Weight=0.7, Roughness=0.0, IOR=1.33
        )
        drink.let_light_through()
        pieces.append((lathe([(low - 0.13, 0.22), (edge, full)]), drink, None))
    return pieces


def can(rng: Generator, thing: Thing) -> list[Piece]:
    """A drink's can: painted body, metal lid."""
    r = thing.radius
    high = r * float(rng.uniform(3.0, 4.2))
    colour = random_colour(rng, saturation=(80, 255))
    body = Material("can", Base_Color=linear(colour), Metallic=0.6, Roughness=float(rng.uniform(0.2, 0.4)))
    wall = lathe([(0.8 * r, 0), (r, 0.2 * r), (r, high - 0.25 * r), (0.85 * r, high)])
    lid = lathe([(0.84 * r, high - 0.02), (0.84 * r, high + 0.05), (0.76 * r, high + 0.05), (0.74 * r, high - 0.05)])
    return [(wall, body, None), (lid, _metal(rng), None)]


def mug(rng: Generator, thing: Thing) -> list[Piece]:
    """A mug with a handle and coffee or tea."""
    r = thing.radius * 0.8
    high, material = r * float(rng.uniform(1.6, 2.4)), _plastic(rng)
    wall = lathe([(0.9 * r, 0), (r, 0.1), (r, high), (r - 0.15, high), (r - 0.15, 0.3), (0, 0.3)])
    turn = np.linspace(-1.3, 1.3, 9)
    ring = np.column_stack([r * 0.9 + 0.65 * r * np.cos(turn), 0 * turn, high / 2 + 0.35 * high * np.sin(turn)])
    handle = tube(ring, [0.16 * r] * len(turn), 10)
    drink = _plastic(rng, np.array([rng.uniform(5, 60), rng.uniform(20, 90), rng.uniform(40, 150)], np.float32))
    return [(joined([wall, handle]), material, None), (cylinder(r - 0.16, high * 0.8), drink, None)]


def bowl(rng: Generator, thing: Thing) -> list[Piece]:
    """A bowl with sweets or nuts in it."""
    r, high = thing.radius, thing.radius * float(rng.uniform(0.3, 0.6))
    profile = [
        (0.45 * r, 0),
        (0.8 * r, 0.4 * high),
        (r, high),
        (0.95 * r, high),
        (0.74 * r, 0.45 * high),
        (0, 0.15 * high),
    ]
    pieces: list[Piece] = [(lathe(profile, 40), _plastic(rng), None)]
    grain = float(rng.uniform(0.12, 0.3)) * min(1.0, r / 2)
    for _ in range(int(rng.integers(1, 4))):
        sweets = []
        for _ in range(int(rng.integers(5, 25))):
            a, far = rng.uniform(0, 2 * np.pi), 0.65 * r * np.sqrt(rng.uniform(0, 1))
            ball = [(0.5 * grain, 0), (grain, 0.5 * grain), (grain, 0.9 * grain), (0.5 * grain, 1.4 * grain)]
            place = (far * np.cos(a), far * np.sin(a), 0.25 * high + rng.uniform(0, 0.35) * high)
            sweets.append(lathe(ball, 12).moved(place))
        pieces.append((joined(sweets), _plastic(rng), None))
    return pieces


def pencil(rng: Generator, thing: Thing) -> list[Piece]:
    """A pencil or pen lying on the table."""
    long, r = 2 * thing.radius, float(rng.uniform(0.12, 0.2))
    body = lathe([(r, 0), (r, long - 4 * r)], int(rng.choice([6, 16]))).tipped()
    tip = lathe([(r, long - 4 * r), (0.25 * r, long - r), (0.02, long)], 12).tipped()
    move = (-long / 2, 0, r)
    wooden = _plastic(rng, np.array([130, 180, 215], np.float32))
    return [(body.moved(move), _plastic(rng), None), (tip.moved(move), wooden, None)]


def phone(rng: Generator, thing: Thing) -> list[Piece]:
    """A phone, mirror-like."""
    return _printed_slab(rng, things.phone(rng), 2 * thing.radius, 0.32, float(rng.uniform(0.02, 0.1)))


def pad(rng: Generator, thing: Thing) -> list[Piece]:
    """A score pad, a sheet, a book or a playing card."""
    draw = rng.random()
    if draw < 0.65:
        return _printed_slab(rng, things.paper(rng), 1.8 * thing.radius, float(rng.choice([0.02, 0.15, 0.4])), 0.9)
    if draw < 0.85:
        return _printed_slab(rng, things.book(rng), 1.8 * thing.radius, float(rng.uniform(0.3, 1.2)), 0.35)
    return _printed_slab(rng, things.card(rng), min(3.5, 1.8 * thing.radius), 0.02, 0.3)


def box(rng: Generator, thing: Thing) -> list[Piece]:
    """A small box, a block of tile's size, a tin."""
    r = thing.radius
    wide = 1.6 * r * float(rng.uniform(0.3, 0.75))
    material = _plastic(rng) if rng.random() < 0.8 else _metal(rng)
    return [(slab(1.7 * r, wide, float(rng.uniform(0.2, 1.5)) * min(1.0, r), corner=0.1 * wide), material, None)]


MAKERS: dict[str, Callable[[Generator, Thing], list[Piece]]] = {
    "train": train,
    "pawn": pawn,
    "sweet": sweet,
    "cube": cube,
    "cone": cone,
    "coin": coin,
    "chip": chip,
    "glass": glass,
    "can": can,
    "mug": mug,
    "bowl": bowl,
    "pencil": pencil,
    "phone": phone,
    "pad": pad,
    "box": box,
}


def _add(pieces: list[Piece], place: tuple[float, float, float], turn_rad: float) -> None:
    for shape, material, uv in pieces:
        add_mesh("thing", shape.moved(place, turn_rad), [material], uv=uv)


def add_hub(rng: Generator, plan: RoundPlan) -> None:
    """The plate under the engine, thinner than tiles, which lie in it as in slots; empty slots are hollows of darker paint."""
    laid = plan.round
    if not laid.hub_radius:
        return
    engine = laid.engine_pose
    high = plan.style.thickness * float(rng.uniform(0.25, 0.55))
    round_one = rng.random() < 0.5
    sides = 64 if round_one else max(6, len(laid.slot_angles))
    turn = 0.0 if round_one else np.pi / sides
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False) + turn + (laid.slot_angles[0] if laid.slot_angles else 0)
    radius = laid.hub_radius / (1.0 if round_one else np.cos(np.pi / sides))
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rims = ((radius, 0.0), (radius, high - 0.03), (radius - 0.03, high))
    plate = stacked([np.column_stack([circle * r, np.full(sides, h)]) for r, h in rims], [0, 0])
    place = (engine[0], engine[1], 0.0)
    if rng.random() < 0.4:
        material = Material("hub", Roughness=float(rng.uniform(0.2, 0.7)))
        material.paint(picture("hub", wood(rng, 256)))
        colour = np.array([40, 70, 100], np.float32)
    else:
        colour = random_colour(rng)
        material = _plastic(rng, colour)
    _add([(plate, material, _flat_uv(plate, 2 * radius, 2 * radius))], place, 0.0)
    groove = _plastic(rng, colour * np.float32(0.55))
    inner = max(0.3, float(np.hypot(plan.style.length / 2, 0.5)))
    long = laid.hub_radius - inner - 0.1
    if long > 0.15 and rng.random() < 0.7:
        outline = rounded_rectangle(long, 0.9, 0.1)
        rings = [np.column_stack([outline, np.full(len(outline), h)]) for h in (high - 0.02, high + 0.004)]
        for angle in laid.slot_angles:
            slot = stacked(rings, [0]).moved((inner + 0.05 + long / 2, 0, 0)).moved((0, 0, 0), angle)
            _add([(slot, groove, None)], place, 0.0)


def _add_arm(rng: Generator, elbow: Array, tips: Array) -> None:
    """A forearm, bare or in a sleeve, with a hand whose fingers point ahead."""
    dark, pale = np.array([35, 50, 80], np.float32), np.array([165, 185, 232], np.float32)
    skin = dark + (pale - dark) * np.float32(rng.uniform(0, 1)) + rng.normal(0, 6, 3).astype(np.float32)
    material = Material("skin", Base_Color=linear(skin), Roughness=0.55, Subsurface_Weight=0.1)
    ahead = (tips - elbow) / np.linalg.norm(tips - elbow)
    aside = np.cross(ahead, (0, 0, 1.0))
    wrist, knuckles = tips - ahead * 6.5, tips - ahead * 3.0
    start = wrist - ahead * 14 + (0, 0, 1.5)
    parts = [tube(np.stack([start, (start + wrist) / 2, wrist, (wrist + knuckles) / 2]), [1.9, 1.8, 1.15, 1.3])]
    parts += [tube(np.stack([wrist + aside * s, knuckles + aside * s * 1.25]), [0.85, 0.75]) for s in (-0.7, 0.0, 0.7)]
    for k in range(4):
        root = knuckles + aside * (k - 1.5) * 0.8
        curl = float(rng.uniform(0.2, 0.9))
        middle = root + ahead * 1.5 + (0, 0, 0.1)
        end = middle + ahead * (1.6 - curl) + aside * rng.normal(0, 0.15) - (0, 0, 0.9 * curl)
        parts.append(tube(np.stack([root, middle, end]), [0.42, 0.38, 0.3], 12))
    thumb = wrist + ahead * 1.2 + aside * float(rng.choice([-1.3, 1.3]))
    parts.append(tube(np.stack([wrist + ahead * 0.6, thumb, thumb + ahead * 2.0 - (0, 0, 0.4)]), [0.6, 0.5, 0.34], 12))
    add_mesh("arm", joined(parts), [material])
    if rng.random() < 0.6:
        cloth = Material("sleeve", Base_Color=linear(random_colour(rng)), Roughness=0.95)
        cuff = wrist - ahead * float(rng.uniform(0.5, 6))
        add_mesh("sleeve", tube(np.stack([start - ahead, (start + cuff) / 2, cuff]), [2.5, 2.3, 2.1]), [cloth])


def add_things(rng: Generator, plan: RoundPlan) -> None:
    """Hub, markers, clutter and arm of a plan."""
    add_hub(rng, plan)
    for thing in plan.things:
        x, y, angle = thing.pose
        _add(MAKERS[thing.kind](rng, thing), (x, y, thing.height), angle)
    if plan.arm is not None:
        _add_arm(rng, *plan.arm)
