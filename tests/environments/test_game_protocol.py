"""Another family of games stands beside the tiles: agents, fair play and the arena take it as it is."""

import numpy as np
import pytest

from tests.support.card_game import CARDS, HAND, PLAYERS, CardGame
from zamek_agents import RandomAgent, make_agent
from zamek_agents.arena.comparison import Sprt, compare
from zamek_agents.arena.intervals import wilson_interval
from zamek_agents.arena.round_robin import RoundRobin, play
from zamek_agents.arena.sets import GameResult, SetResult, Side, line_up
from zamek_agents.arena.standings import find_seats, find_shares
from zamek_agents.arena.store import KeptResults
from zamek_env import Game, make_game
from zamek_env.fair_play import ask
from zamek_env.game_protocol import GameProtocol


@pytest.fixture(autouse=True)
def cards(monkeypatch):
    monkeypatch.setitem(make_game.FAMILIES, "cards", CardGame)


class Highest:
    """Plays its highest card, and notes what it can see."""

    name = "highest"

    def __init__(self):
        self.hands = []

    def act(self, game, rng):
        self.hands.append(([hand.copy() for hand in game.hands], game.seed))
        return game.legal_actions()[-1]


# --- the protocol ---


@pytest.mark.parametrize("ruleset", ["zamek", "carcassonne-demo", "cards"])
def test_a_game_has_all_that_the_protocol_names(ruleset):
    game = make_game.make_game(ruleset, seed=3)
    assert isinstance(game, GameProtocol) and isinstance(game, CardGame if ruleset == "cards" else Game)
    names = [f"agent {player}" for player in range(game.num_players)]
    rng = np.random.default_rng(0)
    while not game.is_terminal:
        assert 0 <= game.current_player < game.num_players and not any(game.returns())
        assert np.flatnonzero(game.legal_action_mask()).tolist() == game.legal_actions()
        game.step(ask(RandomAgent().act, game, rng))
    assert game.current_player == -1 and game.legal_actions() == []
    assert len(game.returns()) == len(game.scores) == len(game.record(names)["scores"]) == game.num_players


@pytest.mark.parametrize("ruleset", ["no such game", ["zamek"], None])
def test_a_game_of_no_family_is_refused(ruleset):
    with pytest.raises(ValueError, match="ruleset must be one of zamek, "):
        make_game.make_game(ruleset)


@pytest.mark.rule("Z31")
def test_without_private_hands_it_makes_no_difference_who_looks():
    game = Game(seed=4)
    copies = [game.concealed(np.random.default_rng(1), observer) for observer in (None, 0, 1)]
    assert len({one.state.tobytes() for one in copies}) == 1
    for look in (game.redeal, game.concealed):
        with pytest.raises(ValueError, match="observer must be one of None, 0, 1, not 2"):
            look(np.random.default_rng(1), 2)
    assert game.state.tobytes() == Game(seed=4).state.tobytes() and game.seed == 4


@pytest.mark.parametrize("name", ["greedy", "value", "expectimax", "mcts"])
def test_an_agent_for_some_games_says_so(name):
    games = "games of tiles and castle-cards" if name == "greedy" else "games of tiles"
    with pytest.raises(TypeError, match=f"the agent '{name}' plays {games} only, not cards"):
        make_agent(name).act(CardGame(seed=1), np.random.default_rng(0))


# --- fair play ---


def test_an_agent_sees_its_own_hand_and_no_other():
    game, rng, guessed = CardGame(seed=5), np.random.default_rng(0), 0
    while not game.is_terminal:
        me, agent = game.current_player, Highest()
        action = ask(agent.act, game, rng)
        ((hands, seed),) = agent.hands
        assert hands[me] == game.hands[me] and seed is None and list(map(len, hands)) == list(map(len, game.hands))
        guessed += sum(hands[other] == game.hands[other] != [] for other in range(PLAYERS) if other != me)
        assert action == max(game.hands[me])
        game.step(action)
    assert guessed < HAND


# --- the arena ---


def play_cards(sets, *agents, **options):
    (lineup,) = line_up(agents, ruleset="cards", **options)
    return list(lineup.play(sets))


def test_every_deal_is_played_once_by_each_agent_from_each_seat():
    for result in play_cards(3, Highest(), RandomAgent(), RandomAgent(), with_records=True):
        assert result.agents == ("highest", "random #1", "random #2")
        seats = [game.record["players"] for game in result.games]
        assert seats == [
            ["highest", "random #1", "random #2"],
            ["random #2", "highest", "random #1"],
            ["random #1", "random #2", "highest"],
        ]
        for game in result.games:
            by_name = dict(zip(game.record["players"], game.record["scores"], strict=True))
            assert [by_name[name] for name in result.agents] == [side.points for side in game.sides]
            assert [side.decisions for side in game.sides] == [HAND] * PLAYERS
            assert all(side.sources in ({"other": side.points}, {}) for side in game.sides)
        assert {game.record["seed"] for game in result.games} == {result.deal}


def test_seats_do_not_matter_to_agents_without_chance_that_play_alike():
    for result in play_cards(5, Highest(), Highest(), Highest()):
        assert sum(game.sides[0].points for game in result.games) == HAND
        assert sum(sum(game.find_wins()) for game in result.games) == pytest.approx(PLAYERS)


def test_every_three_of_four_agents_meet():
    assert len(line_up([RandomAgent()] * 4, ruleset="cards")) == 4
    with pytest.raises(ValueError, match="agents must be 3 or more for the ruleset 'cards', not 2"):
        line_up([RandomAgent()] * 2, ruleset="cards")


def read_points(result):
    return [side.points for game in result.games for side in game.sides]


def test_a_round_robin_of_cards_repeats():
    round_robin = RoundRobin(("random",) * PLAYERS, "cards", seed=2)
    first, again = ([read_points(result) for result in play(round_robin, 3)] for _ in range(2))
    assert first == again and sum(map(sum, first)) == 3 * PLAYERS * HAND


def test_what_is_meant_for_two_is_refused_for_three(tmp_path):
    round_robin = RoundRobin(("random",) * PLAYERS, "cards")
    with pytest.raises(ValueError, match="sprt must be None for 'cards'"):
        next(play(round_robin, 1, sprt=Sprt(0.5, 0.6)))
    with pytest.raises(ValueError, match="results are kept only of games of tiles, not of 'cards'"):
        KeptResults(tmp_path / "pairs.jsonl", round_robin)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="results must be of two agents each"):
        compare(play(round_robin, 1))


# --- statistics ---


def make_set(deal, *points):
    """Return a set of three games of three agents with those points each."""
    games = (GameResult(tuple(Side(score, {}, 0, 0, 4, 0.1) for score in scores), None) for scores in points)
    return SetResult(("a", "b", "c"), deal, deal, tuple(games))


def test_shares_count_wins_and_places():
    shares = find_shares([make_set(1, (4, 0, 0), (2, 2, 0), (1, 1, 1)), make_set(2, (0, 4, 2), (0, 4, 2), (0, 4, 2))])
    found = {share.agent: (share.games, share.wins, share.place) for share in shares}
    assert found["a"] == (6, pytest.approx((1 + 1 / 2 + 1 / 3) / 6), pytest.approx((1 + 1.5 + 2 + 3 * 3) / 6))
    assert found["b"] == (6, pytest.approx((1 / 2 + 1 / 3 + 3) / 6), pytest.approx((2.5 + 1.5 + 2 + 3 * 1) / 6))
    assert found["c"][1:] == (pytest.approx((1 / 3) / 6), pytest.approx((2.5 + 3 + 2 + 3 * 2) / 6))
    assert [share.agent for share in shares] == ["b", "a", "c"]
    for share in shares:
        assert share.wins_interval[0] <= share.wins <= share.wins_interval[1]
    assert find_shares([make_set(1, (4, 0, 0))])[0].wins_interval is None


def test_shares_of_wins_that_are_the_same_in_all_deals_have_intervals_of_wilson():
    always = [make_set(deal, (2, 1, 0), (1, 0, 0), (2, 1, 1)) for deal in range(4)]
    shared = [make_set(deal, (1, 1, 1)) for deal in range(40)]
    for results, found, wins in ((always, find_shares, [1, 0, 0]), (always, find_seats, [1 / 3] * 3),
                                 (shared, find_shares, [1 / 3] * 3)):  # fmt: skip
        shares = found(results)
        assert [share.wins for share in shares] == pytest.approx(wins)
        assert [share.wins_interval for share in shares] == [
            pytest.approx(wilson_interval(rate, len(results))) for rate in wins
        ]


class Thrifty:
    """Wins with its least card that does, or else throws its least."""

    name = "thrifty"

    def act(self, game, rng):
        cards = game.legal_actions()
        return next((card for card in cards if card > max(game.table.values(), default=CARDS)), cards[0])


def test_thrift_beats_chance():
    best, *others = find_shares(play_cards(100, Thrifty(), RandomAgent(), RandomAgent()))
    assert best.agent == "thrifty"
    assert best.wins_interval[0] > max(share.wins for share in others)
