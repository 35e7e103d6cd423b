"""The rows of an observation as the reference engine has them: what each decision changes, by areas found anew."""

from collections import Counter

from tests.support.reference import ReferenceGame, move_marker
from tests.support.reference.game import remove_token
from tests.support.reference.land import FEATURES, Land
from tests.support.reference.scoring import TRACK_FIELDS

OWNERS = ("my", "their")
LASTING, SURROUNDED = ("meadow", "field"), ("monastery",)
FITTING = (0, 1, 2, 4, 8)  # tiles, each for all numbers up to the next
MOST = 127  # that an entry of a row can say


def expected_rows(twin, decisions, columns):
    """Return for each of the `decisions` the names of columns that are not 0, with what they say."""
    before, rows = sum_up(twin, twin.player), []
    for decision in decisions:
        after = carry_out(twin, decision)
        says = Counter(sum_up(after, twin.player))
        says.subtract(before)
        if decision[0] in ("place", "send"):
            says.update(sum_up_free(after))
            if not isinstance(twin, ReferenceGame):  # where most tiles fit on most cells
                cell = tuple(after.turn["cell"])
                says.update(sum_up_cells(after, twin.player, cell))
                says.subtract(sum_up_cells(twin, twin.player, cell))
        if decision[0] == "choose":
            says = sum_up_tile(twin.table, twin.hands[twin.player][decision[1]])
        rows.append({name: max(-MOST, min(MOST, says[name])) for name in columns if says[name]})
    return rows


def sum_up_tile(table, tile):
    """What a tile of the hand shows, and in how many ways it can be laid."""
    shields, monasteries = (table.tiles[tile].get(name, []) for name in ("shields", "monastery"))
    says = Counter(f"tile.{FEATURES[name[0]]}" for name in {*table.turned[tile, 0].values(), *monasteries})
    return says + Counter({"tile.marks": len(shields), "tile.placements": len(table.placements(tile))})


def carry_out(twin, decision):
    """Return a copy in which one decision has been carried out, and nothing that follows from it."""
    after = twin.copy()
    kind, *what = decision
    if kind == "place":
        after.board[what[0]] = (after.tile, what[1])
        after.turn["cell"] = list(what[0])
    elif kind == "send" and what[0] is not None:
        after.followers.append((after.player, tuple(after.turn["cell"]), *what))
    elif kind == "score":
        area = next(area for area in after.areas() if area.segments == what[0])
        after._score_area(area, what[1])
    elif kind == "extra turn" and what[0]:
        remove_token(after.tokens_usable[after.player], 1)
    return after


def leads(area, player):
    """Whether the area pays the player."""
    return player in area.owners if isinstance(area, Land) else area.controller == player


def points_of(area):
    """The points of an area if it were completed as it is, a prince in it included."""
    return area.points if isinstance(area, Land) else area.points(None)


def sum_up(twin, me):
    """What the columns of both players say of a position."""
    says = Counter()
    areas = twin.areas()
    for owner, player in zip(OWNERS, (me, 1 - me), strict=True):
        completed = [area for area in areas if area.is_complete]
        due = [area for area in completed if leads(area, player)]
        back = sum(area.followers[player] for area in completed)
        special = [piece for area in completed for holder, piece in area.pieces if holder == player]
        says[f"{owner}_points"] = twin.scores[player] + sum(map(points_of, due))
        says[f"{owner}_supply"] = twin.supplies[player] + back - len(special)
        if isinstance(twin, ReferenceGame):
            for piece in [*twin.pieces[player], *special]:
                says[f"{owner}_special.{piece}"] += 1
            sum_up_castle(twin, player, owner, due, says)
        for area in areas:
            if leads(area, player) and not area.is_complete:
                sum_up_area(twin, area, player, owner, says)
    return says


def sum_up_castle(twin, player, owner, due, says):
    """What only the games of the castle have."""
    says[f"{owner}_tokens"] = sum((twin.tokens_usable[player] | {}).values()) + sum(twin.tokens_fresh[player].values())
    says[f"{owner}_ahead"] = sum(finds_token(twin, player, points_of(area)) for area in due)
    houses = [area.tiles for area in due if area.feature == "house"]
    says[f"{owner}_house"] = max([twin.family_houses[player], *houses])
    says[f"{owner}_nests"] = twin.nests[player] + sum(area.nests + area.has(player, "falconer") for area in due)


def finds_token(twin, player, points):
    """Whether the marker would come to a token that is still there."""
    score, at_gate = move_marker(twin.scores[player], twin.at_gate[player], points, twin.gates)
    here = [fields for fields in twin.towers if score % TRACK_FIELDS in fields]
    return not at_gate and any(fields[0] in twin.tower_tokens for fields in here)


def sum_up_free(twin):
    """What the columns of nobody say: of areas on this turn's tile where a follower may be sent."""
    says = Counter()
    cell = tuple(twin.turn["cell"])
    table = twin.table
    may_hold = [name for name in table.segments(cell) if name[0] != "f" or twin.rules.farmers]
    for area in {area.segments: area for area in (table.area_of(cell, name) for name in may_hold)}.values():
        if area.followers == [0, 0]:
            if area.is_complete:
                says["free_points"] += points_of(area)
                if isinstance(twin, ReferenceGame):
                    says["free_ahead"] += finds_token(twin, twin.player, points_of(area))
            else:
                sum_up_area(twin, area, None, "free", says)
    return says


def sum_up_cells(twin, me, cell):
    """What the areas that are open on a cell and beside it pay, by how many of the tiles left fit there."""
    says, table = Counter(), twin.table
    hidden = zip(twin.hands, twin.seen_hands(me), strict=False)
    left = twin.remaining + [tile for held, seen in hidden for tile in held if tile and tile not in seen]
    around = [cell, *(table.neighbour(cell, side) for side in range(4))]
    for where in [where for where in around if isinstance(where, tuple) and not table.is_filled(where)]:
        fitting = sum(any(table.fits(tile, where, turns) for turns in range(4)) for tile in left)
        item = max(number for number in FITTING if number <= fitting)
        for area in list_facing(table, where):
            if area.feature not in (*LASTING, *SURROUNDED):
                for owner, player in zip(OWNERS, (me, 1 - me), strict=True):
                    says[f"{owner}_cells.{item}"] += points_of(area) * leads(area, player)
                says[f"free_cells.{item}"] += points_of(area) * (area.followers == [0, 0])
    return says


def list_facing(table, cell):
    """The areas that are open on a cell, each once."""
    facing = {}
    for side in range(4):
        beside = table.neighbour(cell, side)
        if beside is not None and table.is_filled(beside):
            names = [name for port, name in table.ports(beside).items() if port // 3 == (side + 2) % 4]
            facing |= {area.segments: area for area in (table.area_of(beside, name) for name in names)}
    return facing.values()


def sum_up_area(twin, area, player, holder, says):
    """Count an area that is not completed for its holder."""
    if area.feature in LASTING:
        says[f"{holder}_lasting.open_ports"] += area.open_ports
        if area.feature == "meadow":
            says[f"{holder}_lasting.worth"] += 3 * area.shrines * (1 if player is None else area.prince_factor(player))
        else:
            says[f"{holder}_lasting.worth"] += 3 * len(twin.table.cities_touched(area))
            says[f"{holder}_lasting.unfinished"] += count_unfinished(twin.table, area)
    elif area.feature in SURROUNDED:
        says[f"{holder}_surrounded.worth"] += points_of(area)
        says[f"{holder}_surrounded.missing"] += area.open_ports
    else:
        says[f"{holder}_worth.{min(area.open_ports, 5)}"] += points_of(area)


def count_unfinished(table, field):
    """How many cities a field touches that are not completed."""
    beside = [(cell, name) for cell, name in field.segments if name not in table.tile_on(cell).get("apart", [])]
    cities = [table.area_of(cell, city) for cell, _ in beside for city in table.segments(cell) if city[0] == "c"]
    return len({city.segments for city in cities if not city.is_complete})
