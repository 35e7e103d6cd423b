"""Game records of castle-cards: written exactly by the format, replayed, and refused where the rules say otherwise."""

import json
import random
from copy import deepcopy
from itertools import islice

import numpy as np
import pytest

from tests.support.castle_cards.record_checker import check_record
from tests.support.castle_cards.reference.board import deal, list_cards
from tests.support.castle_cards.reference.reference import CastleCardsReference
from tests.support.games import play_cards
from tests.support.rulesets import IS_PROOF
from zamek_env import RecordError
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.records import replay
from zamek_env.castle_cards.records.replay import sort_step

SEEDS = range(40 if IS_PROOF else 2)


def play(players, seed, most=None):
    """Return a game played at random, cards rather than anything else, to its end or for so many decisions."""
    *_, game = islice(play_cards(players, seed), None if most is None else most + 1)
    return game


def play_reference(players, seed):
    """Return a game of the reference engine, dealt and played at random to its end."""
    rng, cards = random.Random(seed), list_cards(players)
    rng.shuffle(cards)
    game = CastleCardsReference(players, *deal(players, cards), rng.choice)
    while options := sorted(game.options(), key=str):
        plays = [option for option in options if option[0] == "play"] if rng.random() < 0.7 else []
        game.play(rng.choice(plays or options))
    return game


@pytest.fixture(scope="module")
def games():
    """A game for each number of players, played at random to its end."""
    return {players: play(players, 10 + players) for players in (2, 3, 4, 5)}


def told_by_turns(record):
    """Return a record as older versions wrote it, without actions."""
    return {key: value for key, value in record.items() if key != "actions"}


@pytest.fixture
def record(games):
    return told_by_turns(games[3].record())


def sort_turns(record):
    return [(turn["player"], [sort_step(step) for step in turn["steps"]]) for turn in record["turns"]]


# --- there and back ---


@pytest.mark.rule("K13")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_record_obeys_the_format_and_leads_to_the_same_game(players, seed):
    game = play(players, seed)
    record = json.loads(json.dumps(game.record(["random"] * players)))
    check_record(record)
    again = CastleCards.replay(record)
    assert again == game and again.record(["random"] * players) == record
    assert (again.seed, again.winners, again.returns()) == (game.seed, game.winners, game.returns())
    older = CastleCards.replay(told_by_turns(record))
    assert older == game and told_by_turns(older.record(["random"] * players)) == told_by_turns(record)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_records_of_other_engines_are_replayed_with_their_chance(players, seed):
    record = play_reference(players, seed).record(seed)
    again = CastleCards.replay(record)
    stored = again.record(record["agents"])
    assert sort_turns(stored) == sort_turns(record) and again.seed is None
    assert {key: stored[key] for key in ("end", "winners", "returns", "hands_left", "decks_left")} == {
        key: record[key] for key in ("end", "winners", "returns", "hands_left", "decks_left")
    }
    twin = again.copy()
    assert twin.record(record["agents"]) == stored and CastleCards.replay(stored).record(record["agents"]) == stored


def test_lists_without_order_may_be_turned_round(games):
    for game in games.values():
        record = deepcopy(game.record())
        for turn in record["turns"]:
            for step in turn["steps"]:
                for key in ("set", "give", "take"):
                    if isinstance(step.get(key), list):
                        step[key].reverse()
        assert CastleCards.replay(record).position() == game.position()


@pytest.mark.parametrize("most", [0, 1, 7, 60])
def test_a_game_in_progress_is_told_as_far_as_it_went(most):
    game = play(3, 8, most)
    record = json.loads(json.dumps(game.record()))
    assert not {"end", "winners", "returns", "hands_left", "decks_left"} & set(record)
    again = CastleCards.replay(record)
    assert again == game and again.record() == record
    older = CastleCards.replay(told_by_turns(record))
    assert older.record()["turns"] == record["turns"]
    if game.phase == "action":
        assert older == game


def test_names_go_into_the_record_one_a_player():
    game = play(3, 1, 2)
    assert game.record(("a", "b", "c"))["agents"] == ["a", "b", "c"]
    assert game.record()["agents"] == ["player 0", "player 1", "player 2"]
    for names in (("a", "b"), "abc", (1, 2, 3)):
        with pytest.raises(ValueError, match="players must be 3 names"):
            game.record(names)


def test_a_game_that_begins_after_its_deal_has_no_record():
    game = CastleCards(3, 1)
    assert CastleCards.from_history(game.state, ()).record()["turns"] == []
    for text in ("give Soldier", None, "draw", "draw"):  # after the first two all have as many cards as at the deal
        game.step(game.legal_actions()[-1] if text is None else game.parse_action(text))
        with pytest.raises(ValueError, match="a game that begins after its deal has no record"):
            CastleCards.from_history(game.state, ()).record()


@pytest.mark.parametrize("players", [2, 3])
def test_actions_are_played_and_not_searched_for(games, players, monkeypatch):
    """Also where chance drew otherwise than it does by itself, and in a step that has only begun."""
    drawn = CastleCards.replay(play_reference(players, 6).record(6))
    monkeypatch.setattr(replay, "find_agreeing", None)
    for game in (games[players], drawn):
        for most in (*range(9), len(game.history)):
            part = CastleCards.from_history(game.dealt_state, game.history[:most], game.seed, game.draws)
            record = json.loads(json.dumps(part.record()))
            assert record["actions"] == list_texts(game, most)
            again = CastleCards.replay(record)
            assert (again.history, again.seed, again.record()) == (part.history, part.seed, record)


def list_texts(game, most):
    """Return the first actions of a game in notation."""
    again, texts = CastleCards.from_history(game.dealt_state, ()), []
    for number, action in enumerate(game.history[:most]):
        texts.append(again.format_action(action))
        again = CastleCards.from_history(game.dealt_state, game.history[: number + 1], draws=game.draws)
    return texts


# --- what is refused ---


def edit(record, *path, to):
    """Change what stands in a record at a path of keys and indices."""
    target = record
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = to


@pytest.mark.parametrize(
    "path, to, said",
    [
        (("format",), "castle-record/2", "record, format: must be 'castle-record/1'"),
        (("ruleset",), "zamek", "record, ruleset: must be 'castle-cards'"),
        (("players",), 6, "record, players: must be 2 to 5"),
        (("players",), True, "record, players: must be 2 to 5"),
        (("players",), 2, "record, agents: must be a list of 2 names"),
        (("seed",), -1, "record, seed: must be null or a whole number"),
        (("agents", 0), 3, r"record, agents\[0\]"),
        (("hands", 0, 0), "Joker", r"record, hands\[0\]"),
        (("hands", 0), [], "hands of 3 players must have 7 cards"),
        (("exchange",), ["Spy"] * 11, r"a deal .*must have"),
        (("turns",), {}, "record, turns: must be a list"),
        (("turns", 0, "player"), 1, r"turns\[0\], player: must be 0, not 1"),
        (("turns", 0, "player"), 3, r"turns\[0\], player: must be a player"),
        (
            ("turns", 7, "steps", 0),
            {"do": "pawns", "set": [["0,0", 0, "King", 0]] * 2, "by": 0},
            r"turns\[7\], steps\[0\], set",
        ),
        (("turns", 0, "steps"), [], r"turns\[0\], steps: the turn is not over after these 0"),
        (("turns", 0, "steps", 0, "do"), "sing", r"turns\[0\], steps\[0\], do: must be one of draw"),
        (("turns", 0, "steps", 0), 7, r"turns\[0\], steps\[0\]"),
        (("turns", 0, "steps", 0, "why"), "siege", r"turns\[0\], steps\[0\]: may have the keys"),
        (
            ("turns", 0, "steps", 0),
            {"do": "void", "of": "Archer"},
            r"turns\[0\], steps\[0\], do: .* does not follow: player 0",
        ),
        (("end",), "quiet", "record, end: must be 'empty'"),
        (("end",), "over", "record, end: must be one of"),
        (("winners",), [0, 1, 2], "record, winners: must be"),
        (("returns",), [1, 1, 1], "record, returns: must be"),
        (("returns",), [float("nan")] * 3, "record: is not JSON"),
        (("returns",), [10**400, -0.5, -0.5], r"record, returns\[0\]: must be one of the numbers from -1 to 1"),
        (("hands_left", 0), 30, "record, hands_left: must be"),
    ],
)
def test_a_record_that_is_wrong_is_refused_and_the_place_is_named(record, path, to, said):
    edit(record, *path, to=to)
    with pytest.raises(RecordError, match=said) as refused:
        CastleCards.replay(record)
    assert len(str(refused.value)) < 1000


def test_actions_that_are_not_those_of_the_turns_are_refused(games):
    record = games[3].record()
    actions = record["actions"]
    new = CastleCards(3, 8).record()
    number = next(number for number, text in enumerate(actions) if text.startswith("play "))
    drawn, unheard = ([*actions[:number], text, *actions[number + 1 :]] for text in ("draw", "player 4"))
    for wrong, said in (
        (record | {"actions": drawn}, r"turns\[\d+\], steps\[\d+\], do: must be 'draw', not 'play'"),
        (
            record | {"actions": unheard},
            rf"turns\[\d+\], steps\[\d+\], actions\[{number}\]: 'player 4' is illegal: player",
        ),
        (
            record | {"actions": actions[:-1]},
            rf"turns\[\d+\], steps\[\d+\], actions\[{len(actions) - 1}\]: is missing: the",
        ),
        (record | {"actions": [*actions, "draw"]}, rf"record, actions\[{len(actions)}\]: must be missing: the game"),
        (new | {"actions": ["draw"]}, r"turns\[0\], steps\[0\], do: must follow: {'do': 'draw'"),
        (
            record | {"actions": ["sing", *actions[1:]]},
            r"turns\[0\], steps\[0\], actions\[0\]: 'sing' is illegal: player 0",
        ),
        (record | {"actions": [*actions[:3], 7]}, r"record, actions\[3\]: must be one of the texts, not 7"),
        (record | {"actions": "draw"}, "record, actions: must be a list of at most 1000000 texts, not 'draw'"),
        (record | {"turns": []}, r"turns\[0\], steps\[0\], do: must follow"),
        (record | {"turns": record["turns"][:-1]}, r"turns\[\d+\], steps\[0\], do: must follow"),
    ):
        with pytest.raises(RecordError, match=f"^{said}") as refused:
            CastleCards.replay(wrong)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 1000


@pytest.mark.parametrize(("do", "phase"), [("pawns", "pile"), ("rearrange", "arrange")])
def test_entries_of_another_kind_of_step_are_refused(do, phase):
    """Changes of pawns have four values, those of cards two."""
    for seed in range(100):
        game, rng = CastleCards(2, seed), np.random.default_rng(seed)
        while not game.is_terminal and game.phase != phase:
            game.step(int(rng.choice(game.legal_actions())))
        turn, step = len(game.record()["turns"]) - 1, len(game.record()["turns"][-1]["steps"])
        while game.phase in (phase, "level"):
            game.step(int(rng.choice(game.legal_actions())))
        record = told_by_turns(json.loads(json.dumps(game.record())))
        given = [*record["turns"][turn]["steps"], {}][step]
        if given.get("do") == do and given["set"]:
            given["set"] = [[[3, 3], "Spy"]] if do == "pawns" else [[[3, 3], 0, "Spy", 0]]
            with pytest.raises(RecordError, match=rf"turns\[{turn}\], steps\[{step}\]"):
                CastleCards.replay(record)
            return
    pytest.fail(f"no such step in 100 games: {do}")


def test_more_than_records_hold_is_refused(record):
    for wrong, said in (
        ([], "record: must be an object"),
        (record | {"note": 1}, "record: may have the keys"),
        ({key: value for key, value in record.items() if key != "winners"}, "record, winners: is missing"),
        ({key: value for key, value in record.items() if key != "end"}, "record, end: is missing$"),
        (record | {"turns": [*record["turns"], {"player": 0, "steps": [{"do": "pass"}]}]}, "nothing may follow"),
        (record | {"turns": record["turns"][:-1]}, "the game is not over after them|must follow"),
        ({key: record[key] for key in list(record)[:9]}, "record, end: is missing, and the game is over"),
    ):
        with pytest.raises(RecordError, match=said):
            CastleCards.replay(wrong)


def spoil(step):
    """Yield changes of a step that make another one of it."""
    for key, value in step.items():
        if key == "legal":
            yield step | {key: value + 1}
        elif key in ("card", "of"):
            yield step | {key: "Ghost" if value != "Ghost" else "Spy"}
        elif key == "at":
            yield step | {key: [2, 2] if value != [2, 2] else [0, 0]}
        elif key in ("why", "by", "chance", "from"):
            yield {field: other for field, other in step.items() if field != key}
        elif (key == "set" and value) or (key in ("give", "take") and isinstance(value, list) and value):
            yield step | {key: value[:-1]}
    if step["do"] != "pawns":
        can_be_by = "by" not in step and step["do"] in ("take_back", "swap", "award")
        yield step | ({"by": 0} if can_be_by else {"do": "pass"})


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("read", [dict, told_by_turns])
def test_no_step_may_be_changed_left_out_or_told_twice(games, players, read):
    record, refused = read(games[players].record()), 0
    for number, turn in enumerate(record["turns"]):
        for at, step in enumerate(turn["steps"]):
            if (number + at) % (3 if step["do"] not in ("draw", "exchange", "play") else 11):
                continue
            before, after = turn["steps"][:at], turn["steps"][at + 1 :]
            steps = [[*before, *others, *after] for others in ([], [step, step], *([other] for other in spoil(step)))]
            for changed in steps:
                wrong = record | {"turns": [*record["turns"]]}
                wrong["turns"][number] = turn | {"steps": changed}
                with pytest.raises(RecordError):
                    CastleCards.replay(wrong)
                refused += 1
    assert refused > 20
