"""Replays game records (format `zamek-record/1`) and compares what they say with what the rules say.

The actions in a record are played. In a record without actions, of an older version or another program, the turns tell
the decisions.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from zamek_env.base.chance import MAX_DEAL
from zamek_env.base.records import NONE
from zamek_env.common.messages import show_json, show_name
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core import engine
from zamek_env.core.placement import find_cell_code
from zamek_env.core.state import find_tile
from zamek_env.errors import IllegalActionError, RecordError
from zamek_env.layout.actions import CHOOSE, PLACE, SCORE, SEND
from zamek_env.load import AnyComponents
from zamek_env.notation.position import find_faces, find_number
from zamek_env.records.deal_from_moves import Shown, TilesLeft, fill_order, order_tiles
from zamek_env.records.shape import (
    check_components,
    check_farmers,
    check_fields,
    check_payment,
    check_shape,
    expect,
    fail,
    find_varied,
    read_json,
    types_in,
)
from zamek_env.records.write import Recorder, deal_again
from zamek_env.tile_game import TileGame


def replay_record(given: Mapping[str, Any], components: AnyComponents = None) -> TileGame:
    """Return the game of the record `given`, as `Game.replay` describes."""
    record, recorder = _begin(given, components)
    actions = record.get("actions")
    try:
        for number, turn in enumerate(record["turns"]):
            _replay_turn(recorder, actions, turn, number)
    except RecordError as error:
        if recorder.game.ruleset.hides_deal and recorder.game.seed is not None:
            raise RecordError(f"{error}; the tiles are those of seed {recorder.game.seed}") from error
        raise
    played = len(recorder.game.history)
    if actions is not None and len(actions) > played:
        fail("record", f"actions[{played}]", "must be missing: it follows the last finished turn")
    _check_end(recorder, record)
    expect(record["scores"], list(recorder.scores), "record", "scores")
    return recorder.game


def replay_right_turns(given: Mapping[str, Any]) -> TileGame:
    """Return the game of the record `given` after the turns before the first one that breaks a rule.

    Raises `RecordError` where the record is malformed.
    """
    record, recorder = _begin(given, None)
    played = 0
    with suppress(RecordError):
        for number, turn in enumerate(record["turns"]):
            _replay_turn(recorder, record.get("actions"), turn, number)
            played = len(recorder.game.history)
    game = deal_again(recorder.game)
    for action in recorder.game.history[:played]:
        game.step(action)
    return game


def _begin(given, components):
    """Return (record, `Recorder` of its new game)."""
    record = read_json(given)
    check_shape(record)
    ruleset = find_varied(record, components)
    check_components(record, ruleset)
    check_farmers(record, ruleset.components)
    return record, Recorder(_deal(ruleset, record))


# --- the deal ---


def _deal(ruleset, record):
    """Return a new game with tiles and tokens as the record says, dealt from its seed if that fits."""
    left = TilesLeft(ruleset)
    start = _read_start(ruleset, record, left)
    shown = _read_shown(record["turns"], left)
    token_deal = _read_tokens(ruleset, record["tokens"])
    if "deal" in record:
        deck, bag = _read_deal(ruleset, record["deal"])
        return _checked_start(TileGame.from_deal(ruleset, deck, bag=bag), start)
    seed, rest = record.get("seed"), left.list_numbers()
    drawn = order_tiles(ruleset, shown, start)
    if _deals_so(ruleset, seed, drawn, token_deal):
        return _checked_start(TileGame(ruleset.name, seed, ruleset.components), start)
    if any(turn.get("put_back") for turn in record["turns"]):
        fail("record", "deal", "is missing, so it is not known how the bag was shaken (H3)")
    box = sorted((Counter(ruleset.tables[0].token_pool.tolist()) - Counter(token_deal)).elements())
    begun = fill_order(drawn, rest)
    return TileGame.from_deal(ruleset, begun + sorted({*rest} - {*begun}), token_deal + box)


def _deals_so(ruleset, seed, drawn, token_deal):
    """Return whether a seed deals these tiles and tokens first; what turns do not tell may differ."""
    if seed is None or not 0 <= seed <= MAX_DEAL:
        return False  # seeds of other programs may be any whole number
    if ruleset.sizes.hand_size > 1 or ruleset.sizes.draws_back:
        return True
    states = ruleset.new_states(1)
    engine.write_deal(ruleset.tables, states, 0, seed)  # as tiles lie in the bag, before the first turn
    state = states[0]
    pairs = zip(drawn, state.deck.tolist(), strict=False)
    deals_so = all(due is None or ruleset.tile(due).id == ruleset.tile(tile).id for due, tile in pairs)
    return deals_so and state.token_deal[: len(token_deal)].tolist() == token_deal


def _read_start(ruleset, record, left):
    """Return the number of the tile that was drawn first and lies in the middle; None where none is drawn (H4)."""
    if not ruleset.sizes.starts_in_bag:
        if "start" in record:
            fail("record", "start", "must be missing: the start tile lies there without being drawn")
        return None
    check_fields(record, {"start": str}, "record")
    return _take(left, record["start"], "record", "start")


def _checked_start(game, start):
    if start is not None:
        given, due = (game.ruleset.tile(int(tile)).id for tile in (start, game.state[0].deck[0]))
        expect(given, due, "record", "start")
    return game


def _read_shown(turns, left):
    """Return the tiles of all turns, as `Shown`, in their order; copies are taken in the deck's order."""
    shown = []
    for number, turn in enumerate(turns):
        where = f"turns[{number}]"
        shown += [Shown(_take(left, tile, where, "tile")) for tile in turn["discarded"]]
        if turn["tile"] is not None:
            cell = tuple(turn["cell"] or ())
            shown.append(Shown(_take(left, turn["tile"], where, "tile"), cell if _is_cell([*cell]) else (0, 0)))
    return shown


def _take(left, tile, where, field):
    try:
        return left.take(tile)
    except ValueError as error:
        fail(where, field, str(error))


def _read_deal(ruleset, deal):
    """Return (deck, bag) of a record whose tiles were not dealt from a seed (rules H1-H3)."""
    if not ruleset.hides_deal:
        fail("record", "deal", "must be missing: it follows from the turns")
    check_fields(deal, {"deck": list} | ({"bag": int} if ruleset.sizes.draws_back else {}), "record, deal")
    left = TilesLeft(ruleset)
    deck = [_take(left, tile, "record, deal", "deck") for tile in deal["deck"]]
    if left.list_numbers():
        fail("record, deal", "deck", f"must hold all {ruleset.sizes.tiles} tiles, not {len(deck)}")
    bag = deal.get("bag", 0)
    if not 0 <= bag <= MAX_DEAL:
        fail("record, deal", "bag", f"must lie in 0 to {MAX_DEAL}, not {show_json(bag)}")
    return deck, bag


def _read_tokens(ruleset, tokens):
    fields = [str(tower[0]) for tower in ruleset.components.board.token_towers]
    if sorted(tokens) != sorted(fields):
        due = f"name the towers {', '.join(fields)}" if fields else "be empty"
        fail("record", "tokens", f"must {due}, not {show_json(list(tokens))}")
    kinds = [tokens[field] for field in fields]
    pool = Counter(ruleset.tables[0].token_pool.tolist())
    for field, kind in zip(fields, kinds, strict=True):
        if type(kind) is not int:
            fail("record", "tokens", f"tower {field}: {show_json(kind)} is no kind of token")
        if kinds.count(kind) > pool[kind]:
            fail("record", "tokens", f"tower {field}: there are only {pool[kind]} tokens of kind {show_json(kind)}")
    return kinds


# --- the turns ---


def _replay_turn(recorder, actions, turn, number):
    where = f"turns[{number}]"
    if recorder.game.is_terminal and number >= len(recorder.turns):
        fail(where, "player", "the game is over")
    while len(recorder.turns) == number:
        field, action = (
            _find_action(recorder, turn, where) if actions is None else _read_action(recorder.game, actions, where)
        )
        try:
            recorder.step(action)
        except IllegalActionError as error:
            fail(where, field, str(error))
    _compare_turn(recorder, turn, recorder.turns[number], where)


def _read_action(game, actions, where):
    """Return (field, action): the next of the `actions` that the record holds."""
    number = len(game.history)
    field = f"actions[{number}]"
    if number == len(actions):
        fail(where, field, "is missing: the turn is not over")
    try:
        return field, game.parse_action(actions[number])
    except ValueError as error:
        fail(where, field, str(error))


def _find_action(recorder, turn, where):
    """Return (field, action): the turn's entry for the decision that the game waits for."""
    game, actions = recorder.game, recorder.game.ruleset.actions
    phase = game.state[0].phase
    if phase == CHOOSE:
        return "tile", _find_chosen(game, turn, where)
    if phase == PLACE:
        return "cell", _find_placement(game, turn, where)
    if phase == SEND:
        return "follower", actions.send(*_find_sent(game, turn, where))
    if phase == SCORE:
        return "scored", _find_score(recorder, turn, where)
    return "extra_turn", actions.extra_turn(turn["extra_turn"])


def _find_chosen(game, turn, where):
    """Return the action that chooses the tile of the turn out of the hand (rule H2)."""
    actions, hand = game.legal_actions(), game.state[0].hand[game.current_player]
    names = [game.ruleset.tile(int(hand[game.ruleset.actions.parse_choose(action)])).id for action in actions]
    if turn["tile"] not in names:
        fail(where, "tile", f"must be one of {', '.join(names)}, which the hand holds, not {show_json(turn['tile'])}")
    return actions[names.index(turn["tile"])]


def _find_placement(game, turn, where):
    state, ruleset = game.state[0], game.ruleset
    due = ruleset.tile(int(state.deck[state.drawn - 1])).id
    expect(turn["tile"], due, where, "tile")
    cell = _find_cell(game, turn["cell"])
    if cell is None:
        has_wall = ruleset.components.start_tile is None
        problem = "is not a space inside the wall" if has_wall else "is no cell beside a tile, as [row, column] (C1)"
        fail(where, "cell", f"{show_json(turn['cell'])} {problem}")
    if ruleset.components.start_tile is not None and cell in find_faces(state):
        fail(where, "cell", f"a tile lies on {turn['cell']} already (C1)")  # it may have no action
    if turn["rotation"] not in range(NUM_ROTATIONS):
        fail(where, "rotation", f"must lie in 0 to {NUM_ROTATIONS - 1}, not {show_json(turn['rotation'])}")
    return ruleset.actions.place(int(find_cell_code(ruleset.tables[0], state, cell)), turn["rotation"])


def _find_cell(game, name):
    """Return the number of the space called [row, column], None where there is none."""
    return find_number(game.ruleset, game.state[0], tuple(name)) if _is_cell(name) else None


def _is_cell(name):
    """Return whether `name` is [row, column]."""
    return isinstance(name, list) and types_in(name) == [int, int]


def _find_sent(game, turn, where):
    """Return (segment, kind of piece), the segment None for nobody."""
    if turn["follower"] is None:
        return None, 0
    state = game.state[0]
    segments = [segment.name for segment in game.ruleset.tile(int(state.deck[state.drawn - 1])).segments]
    pieces = [piece.name for piece in game.ruleset.components.pieces]
    for field, names in (("piece", pieces), ("segment", segments)):
        if turn["follower"][field] not in names:
            problem = f"{field} must be one of {', '.join(names)}, not {show_json(turn['follower'][field])}"
            fail(where, "follower", problem)
    return segments.index(turn["follower"]["segment"]), pieces.index(turn["follower"]["piece"])


def _find_score(recorder, turn, where):
    game, state = recorder.game, recorder.game.state[0]
    done = recorder.count_scored()
    if done >= len(turn["scored"]):
        fail(where, "scored", f"an area waits to be scored after the {done} listed")
    entry = turn["scored"][done]
    area = _find_area(game, entry, f"{where}, scored[{done}]")
    slots = state.to_score[state.scorer].tolist()
    if area not in slots:
        fail(f"{where}, scored[{done}]", "at", f"{show_json(entry['at'])} lies in no area that can be scored now")
    return game.ruleset.actions.score(slots.index(area), entry["token"] is not None)


def _find_area(game, entry, where):
    """Return the area named by cell and segment of a placed tile, or NONE."""
    state, ruleset = game.state[0], game.ruleset
    cell = _find_cell(game, entry["at"][:2])
    if cell is None or len(entry["at"]) != 3:
        fail(where, "at", f"must be row, column and segment, not {show_json(entry['at'])}")
    tile = find_tile(state, cell)
    for node in ruleset.tables[0].tile_node[tile] if tile != NONE else ():
        if node != NONE and ruleset.segment_of_node(node).name == entry["at"][2]:
            return int(state.area[node])
    return NONE


def _compare_turn(recorder, turn, due, where):
    for field in ("player", "discarded", "tile", "cell", "rotation", "follower", "extra_turn"):
        expect(turn.get(field), due[field], where, field)
    expect(turn.get("put_back", []), due.get("put_back", []), where, "put_back")
    if len(turn["scored"]) != len(due["scored"]):
        fail(where, "scored", f"must list {len(due['scored'])} areas, not {len(turn['scored'])}")
    for number, (given, done) in enumerate(zip(turn["scored"], _in_order(recorder, turn, due, where), strict=True)):
        entry = f"{where}, scored[{number}]"
        for field in ("player", "feature", "tiles", "points", "token", "score", "took", "nests"):
            expect(given[field], done[field], entry, field)
        if _find_area(recorder.game, given, entry) != _find_area(recorder.game, done, entry):
            fail(entry, "at", f"{show_json(given['at'])} does not lie in the area of {done['at']!r}")


def _in_order(recorder, turn, due, where):
    """Return what was scored; without a track, where the order does not matter, in the order of `turn`."""
    waiting = [done.copy() for done in due["scored"]]
    if recorder.game.ruleset.components.board.track:
        return waiting
    areas = [(done["player"], _find_area(recorder.game, done, where)) for done in waiting]
    points: Counter[int] = Counter()
    ordered = []
    for number, given in enumerate(turn["scored"]):
        named = (given["player"], _find_area(recorder.game, given, f"{where}, scored[{number}]"))
        rank = areas.index(named) if named in areas else 0
        areas.pop(rank)
        ordered.append(waiting.pop(rank))
    for done in reversed(ordered):
        final = next(other["score"] for other in reversed(due["scored"]) if other["player"] == done["player"])
        done["score"] = final - points[done["player"]]
        points[done["player"]] += done["points"]
    return ordered


def _check_end(recorder, record):
    over = recorder.game.is_terminal
    if record.get("finished", True) is not over:
        fail(
            "record",
            "finished",
            "must be true or missing: the game is over" if over else "must be false: tiles are left",
        )
    if not over:
        if "end" in record:
            fail("record", "end", "must be missing: tiles are left")
        return
    check_fields(record, {"end": list}, "record")
    given: Counter[tuple[int, str]] = Counter()
    due: Counter[tuple[int, str]] = Counter()
    for number, entry in enumerate(record["end"]):
        check_payment(entry, f"end[{number}]", recorder.game.num_players)
        given[entry["player"], entry["reason"]] += entry["points"]
    for entry in recorder.end:
        due[entry["player"], entry["reason"]] += entry["points"]
    for player, reason in given.keys() | due.keys():
        expect(given[player, reason], due[player, reason], f"end, player {player}", show_name(reason))
    _check_areas_paid(recorder, record["end"])


def _check_areas_paid(recorder, end):
    """Compare the payments that name their area; others, of older records, are for all areas of a feature together."""
    due = {_name_payment(recorder, entry, "end"): entry for entry in recorder.end if "at" in entry}
    paid: Counter[tuple[int, str, int]] = Counter()
    for number, entry in enumerate(end):
        if "at" in entry:
            named = _name_payment(recorder, entry, f"end[{number}]")
            if named not in due:
                fail(
                    f"end[{number}]",
                    "at",
                    f"{show_json(entry['at'])} lies in no area that pays player {entry['player']} so",
                )
            expect(entry["tiles"], due[named]["tiles"], f"end[{number}]", "tiles")
            paid[named] += entry["points"]
    for named, points in paid.items():
        expect(points, due[named]["points"], f"end, player {named[0]}", f"{named[1]} at {due[named]['at']}")


def _name_payment(recorder, entry, where):
    return entry["player"], entry["reason"], _find_area(recorder.game, entry, where)
