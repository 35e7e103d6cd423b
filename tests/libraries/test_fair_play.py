"""Nothing that is hidden (rule Z31) reaches a player, and nothing that a player writes reaches the game."""

import copy
import pickle
from types import MethodType

import numpy as np
import pytest

from tests.support.games import few, finish, list_decisions
from zamek_agents import GreedyAgent, RandomAgent, make_agent
from zamek_agents.arena.sets import Lineup
from zamek_agents.ppo.opponents import AgentOpponent
from zamek_agents.registry import list_untrained
from zamek_env import Game
from zamek_env.base.chance import draw_deal
from zamek_env.components.box_folder import RULESETS
from zamek_env.fair_play import ask, list_proven
from zamek_env.ruleset import get_ruleset
from zamek_env.single import ZamekEnv

UNLISTED = ("value-v1", "uct", "mcts-follower30", "star25")  # not on the ladder; the frozen ones are of one class
QUICK = {"mcts": "mcts:simulations=20", "expectimax": "expectimax:width=3,tiles=3"}  # the same code, less of it

LONG = pytest.mark.long


def redealt(game, seed, observer=None):
    twin = game.copy()
    twin.redeal(np.random.default_rng(seed), observer)
    return twin


# --- what is public ---


def look(game):
    """Return all that a game shows to everybody but what deals it anew: `state`, `seed`, `repr` and `record`."""
    return {
        "position": game.position(),
        "areas": game.areas(),
        "picture": str(game),
        "events": game.last_events.tobytes(),
        "history": game.history,
        "rest": (game.current_player, game.phase, game.scores, game.is_terminal, game.returns()),
    }


def look_as(game, player):
    """Return what a game shows to `player`, who may know of tiles that the others do not (H1, H2)."""
    seen = [part.tobytes() for part in game.observe(player).values()]
    if player != game.current_player:
        return seen
    words = [game.describe(action) for action in game.legal_actions()]
    return *seen, *game.legal_actions(), game.legal_action_mask().tobytes(), *words


@pytest.mark.rule("Z31")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_public_value_depends_on_the_hidden_order(ruleset):
    for number, game in enumerate(list_decisions(Game(ruleset, seed=4), 4, few(7, 25))):
        ours, theirs = look(game), look(redealt(game, number))
        assert ours == theirs
        assert repr(ours) == repr(theirs)
        assert pickle.dumps(ours) == pickle.dumps(theirs)
        for player in range(2):
            assert look_as(game, player) == look_as(redealt(game, number, player), player)
        assert list(ours["position"].remaining) == list(theirs["position"].remaining)


@pytest.mark.rule("Z31")
@pytest.mark.plays("sokol")
def test_a_concealed_copy_keeps_nothing_of_the_deal():
    """It follows from what is seen and from the generator alone, so whatever is read there says nothing more."""
    for number, game in enumerate(list_decisions(Game("sokol", seed=5), 5, 10)):
        copies = [each.concealed(np.random.default_rng(3)) for each in (game, redealt(game, number))]
        assert copies[0].state.tobytes() == copies[1].state.tobytes()
        assert [each.seed for each in copies] == [None, None]
        assert repr(copies[0]) == repr(copies[1]) and copies[0].record() == copies[1].record()
        assert copies[0].position() == game.position() and copies[0].history == game.history


def test_a_concealed_copy_is_dealt_at_random():
    game = Game(seed=1)
    decks = {tuple(game.concealed(np.random.default_rng(seed)).state[0].deck) for seed in range(20)}
    assert len(decks) == 20 and all(sorted(deck) == list(range(60)) for deck in decks)
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, not 3"):
        game.concealed(3)


# --- agents that would cheat ---


class Peeker:
    """Reads the next tile and every token in all ways there are, and keeps them."""

    name = "peeker"

    def __init__(self):
        self.seen = []

    def act(self, game, rng):
        now = [each.state[0] for each in (game, game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)))]
        now.append(game.raw_states[0].copy())
        if game.seed is not None:
            again = Game(game.ruleset.name, seed=game.seed)
            for action in game.history:
                again.step(action)
            now.append(again.state[0])
        self.seen.append([(tuple(s.deck[s.drawn :]), tuple(s.token_deal)) for s in now])
        return game.legal_actions()[0]


class Writer:
    """Gives itself points and plays other actions than it says."""

    name = "writer"

    def act(self, game, rng):
        game.raw_states[0]["score"][game.current_player] = 500
        action = game.legal_actions()[0]
        game._history.append(-1)
        game.raw_states.fill(0)
        return action


class Rewinder:
    """Takes its generator back to where it came from, and notes what was drawn there."""

    name = "rewinder"

    def __init__(self):
        self.drawn = set()

    def act(self, game, rng):
        for _ in range(8):
            rng.bit_generator.advance(-1)
            state = rng.bit_generator.state
            self.drawn.add(int(rng.integers(2**63 - 1, endpoint=True)))
            rng.bit_generator.state = state
        return game.legal_actions()[0]


def play_first(agent, game):
    """Play `game` to its end, asking `agent` for each action; yield it before each decision."""
    rng = np.random.default_rng(0)
    while not game.is_terminal:
        yield game
        game.step(ask(agent.act, game, rng))


def test_a_peeking_agent_sees_one_random_deal_in_all_ways_and_not_the_real_one():
    agent, guessed, left = Peeker(), 0, 0
    for game in play_first(agent, Game(seed=3)):
        s = game.state[0]
        hidden = tuple(s.deck[s.drawn :]), tuple(s.token_deal)
        if agent.seen:
            assert len(set(agent.seen[-1])) == 1
        if s.drawn < 40:
            guessed += bool(agent.seen) and agent.seen[-1][0][0][:1] == hidden[0][:1]
            left += 1
    assert left > 60 and guessed < left / 5


def test_whatever_an_agent_writes_it_gains_nothing():
    pairing = Lineup((Writer(), RandomAgent()), ("writer", "random"))
    honest = Lineup((make_first(), RandomAgent()), ("writer", "random"))
    for game, other in zip(pairing.play_set(0).games, honest.play_set(0).games, strict=True):
        assert [side.points for side in game.sides] == [side.points for side in other.sides]
        assert max(side.points for side in game.sides) < 200


def make_first():
    class First:
        name = "writer"

        def act(self, game, rng):
            return game.legal_actions()[0]

    return First()


def test_the_generator_of_an_agent_does_not_lead_back_to_the_deal():
    agent = Rewinder()
    played = Lineup((agent, RandomAgent()), ("rewinder", "random")).play_set(0)
    assert played.deal not in agent.drawn
    env = ZamekEnv(opponent=agent.act, seat=1)
    for seed in range(5):
        assert env.reset(seed=seed)[1]["deal"] not in agent.drawn


def test_what_an_agent_draws_changes_no_other_numbers_and_tells_none():
    game, drawn, following = Game(seed=1), [], []

    def ask_one_that_draws(count):
        rng = np.random.default_rng(5)
        ask(lambda game, own: drawn.append(own.random(count).tolist()), game, rng)
        following.append(rng.random())

    for count in (1, 100):
        ask_one_that_draws(count)
    assert following[0] == following[1] and drawn[0] == drawn[1][:1]
    for seeded in (np.random.default_rng(5), np.random.default_rng(draw_deal(np.random.default_rng(5)))):
        game.concealed(seeded, game.current_player)  # as is done before the agent draws
        assert seeded.random() != drawn[0][0]


def test_neither_an_environment_nor_training_lets_an_opponent_at_the_game():
    env = ZamekEnv(opponent=Writer().act, seat=0)
    env.reset(seed=2)
    history = []
    while not env.game.is_terminal:
        env.step(env.game.legal_actions()[0])
        assert env.game.history[: len(history)] == tuple(history) and -1 not in env.game.history
        history = list(env.game.history)
    assert max(env.game.scores) < 200
    opponent = AgentOpponent(make_agent("random"), get_ruleset())
    opponent._agent = Writer()
    states = np.concatenate([game.state for game in list_decisions(Game("zamek", seed=2), 2, 5)])
    before = states.copy()
    opponent.choose({}, None, states)
    assert states.tobytes() == before.tobytes()


# --- agents that are known not to ---


def proven_agents(ruleset):
    """Return all marked agents that play a ruleset untrained, by the least of their work."""
    return [make_agent(QUICK.get(name, name)) for name in list_untrained(ruleset)]


def test_all_agents_of_the_package_are_marked():
    agents = [  # first: a class is marked when it is imported
        *proven_agents("zamek"),
        *map(make_agent, UNLISTED),
        *proven_agents("castle-cards"),
    ]
    assert list_proven() == {type(agent).__name__: type(agent) for agent in agents}


@pytest.mark.rule("Z31")
@pytest.mark.parametrize(
    "ruleset", ["zamek", *(pytest.param(name, marks=pytest.mark.long) for name in ("sokol", "carcassonne"))]
)
def test_a_marked_agent_decides_by_nothing_hidden_and_changes_nothing(ruleset):
    check_fair(ruleset, proven_agents(ruleset))


@pytest.mark.long
@pytest.mark.rule("Z31")
@pytest.mark.parametrize("name", UNLISTED)
def test_nor_does_one_outside_the_ladder(name):
    check_fair("zamek", [make_agent(name)])


def check_fair(ruleset, agents):
    """Let each agent decide in positions, and once more after what is hidden was dealt anew."""
    for number, game in enumerate(list_decisions(Game(ruleset, seed=6), 6, few(9, 40))):
        for agent in agents:
            before = game.state.tobytes(), game.history, game.seed
            ours = agent.act(game, np.random.default_rng(number))
            assert (game.state.tobytes(), game.history, game.seed) == before
            assert ours in game.legal_actions()
            assert ours == agent.act(redealt(game, number), np.random.default_rng(number)), agent.name


def test_marked_agents_are_asked_without_a_copy_and_no_others():
    handed = []

    class Taught(GreedyAgent):
        def act(self, game, rng):
            handed.append(game)
            return super().act(game, rng)

    game, rng = Game(seed=1), np.random.default_rng(0)
    altered = GreedyAgent()
    altered.act = Taught().act
    put_in_place = MethodType(lambda _, game, rng: Taught().act(game, rng), GreedyAgent())
    for act in (Taught().act, altered.act, put_in_place, lambda game, rng: Taught().act(game, rng)):
        ask(act, game, rng)
    assert len(handed) == 4 and all(each is not game and each.seed is None for each in handed)
    twin = np.random.default_rng(1)
    assert ask(GreedyAgent().act, game, np.random.default_rng(1)) == GreedyAgent().act(game, twin)


@pytest.mark.parametrize("name", list_untrained("zamek"))
def test_no_agent_decides_in_a_game_that_is_over(name):
    game = finish(Game(seed=1))
    before = game.state.tobytes()
    with pytest.raises(ValueError, match="the game is over"):
        make_agent(name).act(game, np.random.default_rng(0))
    assert game.state.tobytes() == before
