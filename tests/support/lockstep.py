"""Plays the fast engine and the reference engine side by side and compares everything at every decision."""

from collections import Counter
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np

from tests.support.plain_chance import Chance, deal
from tests.support.reference import STEPS, CarcassonneRules, Land, ReferenceGame, new_game, read_box
from zamek_env import Game
from zamek_env.base.records import NONE
from zamek_env.components.box_folder import DATA
from zamek_env.layout.observation import list_owners

WALLED = ("zamek", "sokol", "sokol-gates")
OPEN_TABLES = ("carcassonne-demo", "carcassonne", "carcassonne-no-farmers", "carcassonne-bga", "carcassonne-hand")
RULESETS = WALLED + OPEN_TABLES  # that the reference engine can play
SEEN_EVERY = 5  # decisions: to look at a game takes longer than to play it


RIVER = Path(__file__).parents[2] / "examples" / "river"
FOLDERS = {"river": RIVER}  # of rulesets that are not packaged


@cache
def box_of(ruleset):
    """Return board, tiles and rules of the ruleset of that name, as the reference engine reads them."""
    return read_box(ruleset, FOLDERS.get(ruleset, DATA))


WALL, TILES, _ = box_of("zamek")


def box_in_play(ruleset):
    """Return the box of a `Ruleset`, for as many players and by the house rules that it has."""
    box, components = box_of(ruleset.name), ruleset.components
    if isinstance(box.rules, CarcassonneRules):
        return box.seat(components.players, **asdict(components.house))
    return box


def twin_of(game, deck=None):
    """Return a reference game with the same deal as the new `game`.

    `deck` is the order of the tiles, by their numbers, in a game that does not follow from its seed; where nobody holds
    tiles, it can be read from the game. The first tile must then fit, or the bag has been shaken already.
    """
    state, ruleset = game.state[0], game.ruleset
    if game.seed is None:
        order = state.deck.tolist() if deck is None else deck
        assert deck is not None or not ruleset.sizes.hand_size
        bag = Chance(int(state.bag[0]) if state.bag.size else 1)
    else:
        order, bag = deal(game.seed, ruleset.sizes.tiles, ruleset.sizes.tokens)
    towers = ruleset.components.board.token_towers
    tokens = {tower[0]: int(kind) for tower, kind in zip(towers, state.token_deal, strict=False)}
    chance = {"shake": bag.shuffle} if state.bag.size else {}
    return new_game(box_in_play(ruleset), [ruleset.tile(tile).id for tile in order], tokens, **chance)


def play_in_lockstep(game, choose, prepare=lambda game, twin: None):
    """Play `game`, new, to its end against the reference, choosing by `choose(game, legal actions)`; return the latter.

    `prepare` may change both before. Raises `AssertionError`, naming decision and field, where the two disagree.
    """
    twin = twin_of(game)
    prepare(game, twin)
    find_once(twin.table)
    while True:
        try:
            decisions = compare(game, twin)
            if not isinstance(twin, ReferenceGame) and not len(game.history) % SEEN_EVERY:
                compare_seen(game, twin)
        except AssertionError as error:
            where = f"deal {game.seed}, decision {len(game.history) + 1}, at {game.format_position()!r}"
            raise AssertionError(f"{where}: {error}") from None
        if game.is_terminal:
            return twin
        action = choose(game, sorted(decisions.values()))
        decision = next(decision for decision, number in decisions.items() if number == action)
        game.step(action)
        twin.play(decision)


def follow(game):
    """Return the reference game after the actions of `game`, which follows from its seed."""
    again = Game(game.ruleset.name, game.seed, game.ruleset.components)
    twin = twin_of(again)
    find_once(twin.table)
    for action in game.history:
        twin.play(as_decision(again, action))
        again.step(action)
    return twin


def make_rich(game, twin, rng):
    """Let both players begin with tokens and nests, close to a gate or on it, so that what is rare happens often."""
    state = game.raw_states[0]
    fields = [gate[0] for gate in game.ruleset.components.board.gates]
    for player in (0, 1):
        twin.tokens_usable[player] = {kind: 2 for kind in range(1, 10) if rng.random() < 0.5}
        for kind, count in twin.tokens_usable[player].items():
            state["tokens"][player, kind] = count
        if state["nests"].size:
            twin.nests[player] = state["nests"][player] = int(rng.integers(7))
        if state["at_gate"].size:
            twin.at_gate[player] = bool(rng.random() < 0.3)
            state["at_gate"][player] = twin.at_gate[player]
        behind = 0 if twin.at_gate[player] else int(rng.integers(6))
        twin.scores[player] = int(rng.choice(fields)) - behind if fields else int(rng.integers(100))
        state["score"][player] = twin.scores[player]


def find_once(table):
    """Let the castle or table of the reference keep its areas and placements until tiles or followers change them.

    It finds them anew for everybody who asks, which is several times a decision. A copy of it must not be used.
    """
    find_areas, write_placements = table.areas, table.placements
    kept_areas, kept_placements = {}, {}

    def areas():
        return _keep(kept_areas, (len(table.board), tuple(table.followers)), find_areas)

    def placements(tile):
        return _keep(kept_placements, (len(table.board), tile), lambda: write_placements(tile))

    table.areas, table.placements = areas, placements


def _keep(kept, key, find):
    if key not in kept:
        kept.clear()
        kept[key] = find()
    return kept[key]


# --- choosing ---


def ask(agent, rng):
    """Return how play in lockstep lets an agent choose."""
    return lambda game, legal: agent.act(game, rng)


def strive_outward(rng):
    """Return a choice that lays tiles as far out as they go in one direction, drawn for the whole game, and else any.

    Now and then it takes any placement, so that what is far out is built upon.
    """
    down, right = rng.integers(-2, 3, 2)

    def choose(game, legal):
        if game.phase != "place" or rng.random() < 0.1:
            return int(rng.choice(legal))
        farthest = {
            action: down * row + right * column
            for action, (_, (row, column), _) in zip(legal, as_decisions(game, legal), strict=True)
        }
        return max(legal, key=farthest.get)

    return choose


# --- decisions in the words of the reference engine ---


def as_decision(game, action):
    """Return a legal `action` in the words of the reference engine."""
    return as_decisions(game, [action])[0]


def as_decisions(game, legal):
    """Return the `legal` actions of one position in the words of the reference engine."""
    ruleset, state, phase = game.ruleset, game.state[0], game.phase
    actions = ruleset.actions
    if phase == "place":
        cells = list_cells(game)
        parsed = [actions.parse_place(action) for action in legal]
        return [("place", cells[place], rotation) for place, rotation in parsed]
    if phase == "choose":
        return [("choose", actions.parse_choose(action)) for action in legal]
    if phase == "send":
        names = [segment.name for segment in ruleset.tile(int(state.deck[state.drawn - 1])).segments]
        pieces = [piece.name for piece in ruleset.components.pieces]
        parsed = [actions.parse_send(action) for action in legal]
        return [
            ("send", None) if segment is None else ("send", names[segment], pieces[kind]) for segment, kind in parsed
        ]
    if phase == "score":
        return [_as_scoring(game, state, *actions.parse_score(action)) for action in legal]
    return [("extra turn", actions.parse_extra_turn(action)) for action in legal]


def list_cells(game):
    """Return the cell that each cell code stands for, in the order of `actions.py`."""
    board = game.ruleset.components.board
    if not hasattr(board, "window") or board.edge:
        return board.cells
    half, rows = board.window // 2, range(board.window)
    laid = game.position().board
    beside = {(row + down, column + right) for row, column in laid for down, right in STEPS} - set(laid)
    numbered = {board.find_number(cell): cell for cell in beside}  # never two of one number, however far a game goes
    window = [(row - half, column - half) for row in rows for column in rows]
    spots = sorted(number for number in numbered if number >= len(window))
    return [numbered.get(number, cell) for number, cell in enumerate(window)] + [numbered[number] for number in spots]


def _as_scoring(game, state, slot, with_token):
    table = game.ruleset.tables[0]
    area = int(state.to_score[state.scorer, slot])
    token = int(table.feature_token[table.node_feature[area]]) if with_token else None
    return "score", find_segments(game, area), token


def find_segments(game, area):
    """Return the segments of an engine's area as the reference engine names them."""
    state, ruleset = game.state[0], game.ruleset
    wall, node_tile = ruleset.components.board, ruleset.tables[0].node_tile
    locations = [*wall.cells, *(start.id for start in wall.starts)]
    places = {tile: locations[number] for tile, number in enumerate(state.tile_location.tolist()) if number != NONE}
    nodes = [node for node, other in enumerate(state.area.tolist()) if other == area]
    return frozenset((places[int(node_tile[node])], ruleset.segment_of_node(node).name) for node in nodes)


# --- comparing ---


def compare(game, twin):
    """Return {decision: action} of a position that both engines show the same.

    Raises `AssertionError` naming the first field in which they differ.
    """
    position = game.position()
    _expect("phase", position.phase, twin.phase)
    _expect("player", position.player, twin.player)
    _expect("scores", position.scores, tuple(twin.scores))
    _expect("supplies", position.supplies, tuple(twin.supplies))
    _expect("tile", position.tile, twin.tile)
    _expect("board", position.board, twin.board)
    _expect("followers", position.followers, tuple(sorted(twin.followers)))
    _expect("discarded tiles", Counter(position.discarded), Counter(twin.discarded))
    if isinstance(twin, ReferenceGame):
        _expect("remaining tiles", Counter(position.remaining), Counter(twin.remaining))
        _compare_castle(position, twin)
    else:
        _compare_table(game, position, twin)
    ours, theirs = areas_of(game), areas_of(twin)
    _expect("areas", set(ours.items()) - set(theirs.items()), set(theirs.items()) - set(ours.items()))
    legal = game.legal_actions()
    decisions = as_decisions(game, legal)
    due = set(twin.decisions())
    _expect("legal decisions", set(decisions) - due, due - set(decisions))
    _expect("number of legal decisions", len(legal), len(due))
    return dict(zip(decisions, legal, strict=True))


def _compare_castle(position, twin):
    """Compare what only the games of the castle have."""
    _expect("special pieces", position.pieces, tuple(twin.pieces))
    _expect("nests", position.nests, tuple(twin.nests))
    _expect("pool of nests", position.nest_pool, twin.nest_pool)
    _expect("gates", position.at_gate, tuple(twin.at_gate))
    _expect("family houses", position.family_houses, tuple(twin.family_houses))
    _expect("tokens", position.tokens, tuple(_without_zeros(tokens) for tokens in twin.tokens_usable))
    _expect("fresh tokens", position.fresh_tokens, tuple(_without_zeros(tokens) for tokens in twin.tokens_fresh))
    _expect("towers", position.towers, frozenset(twin.tower_tokens))


def _compare_table(game, position, twin):
    """Compare what only the games on a table have."""
    held = [tile for hand in twin.hands for tile in hand if tile]
    _expect("remaining tiles", Counter(position.remaining), Counter([*twin.remaining, *held]))
    _expect("hands", position.hands, twin.seen_hands(None))
    _expect("results", [round(result, 9) for result in game.returns()], [round(result, 9) for result in twin.returns()])


def compare_seen(game, twin):
    """Compare what each player sees of the hands; it stays the same when what that player does not know is dealt anew.

    Raises `AssertionError` naming what is not.
    """
    for player in range(game.num_players):
        _compare_seen(game, twin, player)


def _compare_seen(game, twin, player):
    ruleset, seen = game.ruleset, game.observe(player)
    owners = list_owners(game.num_players)
    hands = []
    for seat in range(game.num_players):
        owner = owners[(seat - player) % game.num_players]
        groups = [f"{owner}_hand_{slot}" for slot in range(ruleset.sizes.hand_size)]
        hands.append(tuple(_read_tile(ruleset, seen["vector"], group) for group in groups))
    _expect(
        f"hands as player {player} sees them", tuple(hands) if ruleset.sizes.hand_size else (), twin.seen_hands(player)
    )
    other = game.concealed(np.random.default_rng(len(game.history)), player)
    for part, values in other.observe(player).items():
        _expect(f"{part} as player {player} sees them", values.tobytes(), seen[part].tobytes())
    _expect(f"the key of player {player}", other.public_key(player), game.public_key(player))


def _read_tile(ruleset, vector, group):
    """Return the tile that a group of an observation names; None where it names none, or is not there."""
    if group not in ruleset.vector:
        return None
    given = np.flatnonzero(vector[ruleset.vector[group]])
    return ruleset.components.kinds[int(given[0])].id if given.size else None


def _expect(field, ours, theirs):
    if ours != theirs:
        raise AssertionError(f"{field}: the engine has {ours!r}, the reference {theirs!r}")


def _without_zeros(tokens):
    return {kind: count for kind, count in tokens.items() if count}


def areas_of(game):
    """Return {segments: (feature, tiles, open ports, followers, marks, nests, special pieces, worths)} of either's."""
    return {
        area.segments: (
            area.feature,
            area.tiles,
            area.open_ports,
            tuple(area.followers),
            area.marks,
            area.nests,
            _list_pieces(area.pieces),
            _list_worths(game, area),
        )
        for area in game.areas()
    }


def _list_worths(game, area):
    """Return (whether an area is complete, (player whom it would pay, points now, points at the end) of each)."""
    if isinstance(game, Game):
        return area.complete, tuple((player, area.points[player], area.end_points[player]) for player in area.owners)
    if isinstance(area, Land):
        owners, points = area.owners, None if area.feature == "field" else area.points
    else:
        owners = [] if area.controller is None else [area.controller]
        points = area.points(None) if area.feature != "meadow" else None
    worths = []
    for player in owners:
        pays = None if area.is_complete else game.end_worth(area, player)
        at_end = pays[1] if pays else 0
        worths.append((player, at_end if area.feature in ("meadow", "field") else points, at_end))
    return area.is_complete, tuple(worths)


def _list_pieces(pieces):
    """Return {(player, piece)} of the special pieces in an area; the engine lists them by player."""
    if isinstance(pieces, frozenset):
        return pieces
    return frozenset((player, piece) for player, owned in enumerate(pieces) for piece in owned)
