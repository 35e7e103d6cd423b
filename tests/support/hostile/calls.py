"""One random or malformed call at a time: it must succeed or raise what its documentation says, changing nothing."""

import json
import math
import operator
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from gymnasium.error import ResetNeeded

from tests.support.box import packaged_files, write_box
from tests.support.games import play_greedily, play_randomly
from tests.support.hostile.mutated_boxes import draw_box
from tests.support.hostile.spoiling import draw_any, draw_json, draw_odd, spoil, spoil_text
from tests.support.rulesets import PLAYED
from zamek_agents import RandomAgent
from zamek_env import Game, IllegalActionError, load_components
from zamek_env.base.chance import MAX_DEAL
from zamek_env.components.box_folder import DATA, RULESETS
from zamek_env.errors import ComponentError, RecordError
from zamek_env.ruleset import Ruleset, get_ruleset
from zamek_env.single import ZamekEnv
from zamek_env.zamek_v0 import raw_env

NUM_SAMPLES = 12  # positions of a game
OTHERS = tuple(name for name in ("carcassonne", "carcassonne-demo") if name in PLAYED)  # beside the base game
ENVIRONMENTS = ({}, {"opponent": RandomAgent().act}, *({"ruleset": ruleset} for ruleset in OTHERS))
SOUND_ARGUMENTS = {  # of `ZamekEnv`, among the values that are drawn here
    "ruleset": lambda value: False,
    "opponent": lambda value: value is None,
    "seat": lambda value: False,  # none without an opponent
    "reward": lambda value: False,
    "on_illegal": lambda value: False,
    "components": lambda value: value is None,
    "render_mode": lambda value: value is None,
    "flat": lambda value: type(value) is bool,
}


class ViolationError(AssertionError):
    """A call that did something else than succeed or raise what is documented."""


def expect(call, due, what, named=""):
    """Run `call`, which must raise `due`, exactly or a subclass, or return where that is None; say what it did.

    The message of what it raises must hold `named`.
    """
    try:
        call()
    except Exception as error:
        if due is not None and isinstance(error, due) and str(error):
            require(named in str(error), f"{what} raised an error that does not name {named}: {error}")
            return type(error).__name__
        raise ViolationError(f"{what} raised {type(error).__name__}, due was {due}") from error
    if due is not None:
        raise ViolationError(f"{what} returned, due was {due}")
    return "accepted"


def require(condition, what):
    """Raise `ViolationError` unless `condition` holds."""
    if not condition:
        raise ViolationError(what)


def show(value):
    """Return a value in few words, whatever it is."""
    try:
        return repr(value)[:300]
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"


def as_whole(value):
    """Return `value` as an int where it is a whole number and no bool, else None."""
    try:
        return None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        return None


def _is_part(row, whole):
    """Return whether a value is a row of whole numbers that `whole` holds, each as often: the rest is dealt."""
    is_row = row.ndim == 1 if isinstance(row, np.ndarray) else isinstance(row, list | tuple | range)
    return is_row and not Counter(as_whole(number) for number in row) - Counter(whole)


def _same(game, twin):
    """Return whether two games are the same in everything."""
    before, after = ((one.state.tobytes(), one.last_events.tobytes(), one.history, one.seed) for one in (game, twin))
    return before == after


def _sample(positions):
    """Return a dozen of the `positions` of a game, the first and the last among them."""
    games = [game.copy() for game in positions]
    return [games[(len(games) - 1) * part // (NUM_SAMPLES - 1)] for part in range(NUM_SAMPLES)]


def _begin(**arguments):
    """Return a `ZamekEnv` whose first episode has begun."""
    env = ZamekEnv(**arguments)
    env.reset(seed=1)
    return env


def due_deal(value, most=MAX_DEAL):
    number = as_whole(value)
    if value is None:
        return None
    if number is None:
        return TypeError
    return None if 0 <= number <= most else ValueError


def due_components(value):
    if value is None:
        return None
    return ComponentError if isinstance(value, str) else TypeError  # a text is the path of a folder


def due_options(value, allowed):
    """Return what is due for `value` as the `options` of a `reset` that knows `allowed`, with no odd deal in them."""
    if value is None or isinstance(value, dict):
        return ValueError if value and set(value) - set(allowed) else None
    return TypeError


class Attacker:
    """Makes random calls; each method makes one, says what became of it, or raises `ViolationError`."""

    def __init__(self, seed, folder):
        self.rng = np.random.default_rng(seed)
        self.folder = Path(folder)  # to write boxes into
        self.files = packaged_files()
        self.games = [*_sample(play_randomly(Game(seed=1))), *_sample(play_greedily(Game(seed=2)))]
        for ruleset in OTHERS:
            self.games += _sample(play_greedily(Game(ruleset, seed=3)))
        self.records = [game.record() for game in self.games]
        self.ruleset = get_ruleset()
        self.env_states = [_begin(**arguments).get_state() for arguments in ENVIRONMENTS]

    def draw(self, values):
        return values[self.rng.integers(len(values))]

    # --- Game ---

    def step_or_describe(self):
        game, action = self.draw(self.games), draw_any(self.rng, self.draw(self.games).num_actions)
        twin, verb = game.copy(), self.draw(("step", "describe"))
        number = as_whole(action)
        due = TypeError if number is None else None if number in game.legal_actions() else IllegalActionError
        done = expect(lambda: getattr(twin, verb)(action), due, f"{verb}({show(action)}) in {game!r}", "action")
        require(due is None or _same(game, twin), f"{verb}({show(action)}) changed {game!r}")
        return done

    def redeal(self):
        game, rng = self.draw(self.games), draw_any(self.rng, 100)
        twin = game.copy()
        done = expect(
            lambda: twin.redeal(rng), TypeError, f"redeal({show(rng)})", "rng must be a numpy.random.Generator"
        )
        require(_same(game, twin), f"redeal({show(rng)}) changed {game!r}")
        return done

    def make_game(self):
        field, value = self.draw(("ruleset", "seed", "components")), draw_any(self.rng, 2**62)
        due = {"ruleset": ValueError, "components": due_components(value), "seed": due_deal(value)}
        named = "" if field == "components" else f"{field} must "
        return expect(lambda: Game(**{field: value}), due[field], f"Game({field}={show(value)})", named)

    def deal_game(self):
        state = self.games[0].state[0]
        deal = {"deck": state.deck.tolist(), "token_deal": state.token_deal.tolist()}
        field = self.draw(tuple(deal))
        if self.rng.integers(2):
            deal[field][self.rng.integers(len(deal[field]))] = draw_any(self.rng, 60)
        else:
            value = draw_any(self.rng, 60)
            deal[field] = [*value] if isinstance(value, Iterator) else value  # so that it can be looked at before
        sound = _is_part(deal[field], state[field].tolist())
        call = f"from_deal with {field} {show(deal[field])}"
        return expect(
            lambda: Game.from_deal(self.ruleset, **deal), None if sound else (TypeError, ValueError), call, field
        )

    def name_players(self):
        first = draw_any(self.rng, 5)
        players = self.draw((first, [first, "b"], ("a", first), ["a", "b", "c"]))
        is_pair = players is not first and len(players) == 2
        due = None if players is None or (is_pair and isinstance(first, str)) else ValueError
        return expect(lambda: self.games[0].record(players), due, f"record({show(players)})", "players must be ")

    # --- records ---

    def replay_anything(self):
        record = draw_any(self.rng, 5) if self.rng.integers(2) else draw_json(self.rng)
        return expect(lambda: Game.replay(record), RecordError, f"replay({show(record)})")

    def replay_spoilt(self):
        record = spoil(self.draw(self.records), self.rng)
        return self._replay(record)

    def replay_with_odd_value(self):
        record = json.loads(json.dumps(self.draw(self.records)))
        parts = [record, record["tokens"], *record["turns"][:3]]
        turn = self.draw([part for part in parts if part])  # an open table has no tokens
        turn[self.draw(list(turn))] = draw_any(self.rng, 60)
        return self._replay(record)

    def _replay(self, record):
        """Replay a record that may still be right, such as one with another seed; then it must come out again."""
        before = show(record)
        try:
            game = Game.replay(record)
        except RecordError as error:
            require(str(error), "a RecordError says nothing")
            require(show(record) == before, "replay changed the record")
            return "RecordError"
        except Exception as error:
            raise ViolationError(f"replay raised {type(error).__name__} on a spoilt record: {error}") from error
        turns = zip(game.record()["turns"], record["turns"], strict=True)
        require(all(ours["tile"] == theirs["tile"] for ours, theirs in turns), "replay took another tile")
        return "accepted"

    # --- environments ---

    def step_env(self):
        on_illegal, action = self.draw(("raise", "lose")), draw_any(self.rng, 330)
        env = ZamekEnv(on_illegal=on_illegal)
        expect(lambda: env.step(action), ResetNeeded, f"step({show(action)}) before reset")
        env.reset(seed=1)
        before, number = env.game.copy(), as_whole(action)
        what = f"env.step({show(action)}) with on_illegal={on_illegal}"
        if number in env.game.legal_actions():
            return expect(lambda: env.step(action), None, what)
        if number is None or on_illegal == "raise":
            done = expect(lambda: env.step(action), TypeError if number is None else IllegalActionError, what)
        else:
            _, reward, terminated, _, info = env.step(action)
            require((reward, terminated, info["illegal_action"]) == (-1, True, True), f"{what} did not lose")
            done = expect(lambda: env.step(action), ResetNeeded, f"{what} a second time")
        require(_same(before, env.game), f"{what} changed the game")
        return done

    def reset_env(self):
        env, value = self._draw_env(), draw_any(self.rng, 2**62)
        arguments, due, named = self.draw(
            (
                ({"seed": value}, due_deal(value, math.inf), "seed must "),
                ({"options": value}, due_options(value, ("deal",)), "options "),
                ({"options": {"deal": value}}, due_deal(value), "options['deal'] must "),
            )
        )
        return self._reset(env, arguments, due, named)

    def reset_with_odd_option(self):
        env, key = self._draw_env(), draw_any(self.rng, 5)
        try:
            options = {"deal": 3, key: 3}
        except TypeError:  # not hashable, and so the name of no option
            options = {"deal": 3, show(key): 3}
        allowed = ("deal", "options") if isinstance(env, raw_env) else ("deal",)
        return self._reset(env, {"seed": 5, "options": options}, due_options(options, allowed), "options may have")

    def _draw_env(self):
        ruleset = OTHERS[-1] if OTHERS and self.rng.integers(5) == 0 else "zamek"
        env = self.draw((ZamekEnv, raw_env))(ruleset)
        env.reset(seed=1)
        return env

    def _reset(self, env, arguments, due, named):
        """Reset `env`, which must do what is due and be as it was where that is an error."""
        before, generator = env.game.copy(), env.np_random.bit_generator.state
        what = f"{type(env).__name__}.reset({', '.join(f'{name}={show(given)}' for name, given in arguments.items())})"
        done = expect(lambda: env.reset(**arguments), due, what, named)
        unchanged = _same(before, env.game) and generator == env.np_random.bit_generator.state
        require(due is None or unchanged, f"{what} changed the environment")
        return done

    def set_env_state(self):
        env = ZamekEnv()
        env.reset(seed=1)
        before = env.game.copy()
        parts = (before, None, 0, False, env.np_random.bit_generator.state)
        state = self.draw((draw_any(self.rng, 5), parts[: self.rng.integers(5)], (draw_odd(self.rng), *parts[1:])))
        done = expect(lambda: env.set_state(state), TypeError, f"set_state({show(state)})", "state must be ")
        require(_same(before, env.game) and not env._is_over, "set_state changed the environment")
        return done

    def set_foreign_env_state(self):
        ours, theirs = self.rng.integers(len(ENVIRONMENTS), size=2)
        env = _begin(**ENVIRONMENTS[ours])
        before = env.game.copy()
        what = f"set_state with a state of {ENVIRONMENTS[theirs]} where {ENVIRONMENTS[ours]} is played"
        done = expect(lambda: env.set_state(self.env_states[theirs]), None if ours == theirs else ValueError, what)
        require(ours == theirs or _same(before, env.game), f"{what} changed the environment")
        env.step(int(self.rng.choice(env.game.legal_actions())))
        return done

    def make_env(self):
        field, value = self.draw(tuple(SOUND_ARGUMENTS)), draw_any(self.rng, 5)
        due = None if SOUND_ARGUMENTS[field](value) else (TypeError, ValueError)
        return expect(lambda: ZamekEnv(**{field: value}), due, f"ZamekEnv({field}={show(value)})", field)

    def step_aec(self):
        env, action = raw_env(), draw_any(self.rng, 330)
        env.reset(seed=1)
        before, number = env.game.copy(), as_whole(action)
        due = TypeError if number is None else None if number in env.game.legal_actions() else IllegalActionError
        done = expect(lambda: env.step(action), due, f"raw_env.step({show(action)})", "action")
        require(due is None or _same(before, env.game), f"raw_env.step({show(action)}) changed the game")
        return done

    # --- component files ---

    def load_spoilt(self):
        folder = self.folder / "box"
        folder.mkdir()
        name, ruleset = self.draw(tuple(self.files)), self.draw(RULESETS)
        if self.rng.integers(8):
            text = json.dumps(spoil(self.files[name], self.rng))
            (folder / name).write_bytes(text.encode())
        else:
            (folder / name).write_bytes(spoil_text(json.dumps(self.files[name]), self.rng))
        try:
            components = load_components(folder, ruleset)
        except ComponentError as error:
            require(str(error).startswith((str(folder), str(DATA))), f"the error names no file: {error}")
            return "ComponentError"
        except Exception as error:
            text = (folder / name).read_bytes()
            raise ViolationError(
                f"load_components raised {type(error).__name__} on {name}: {error}; {text!r}"
            ) from error
        finally:
            shutil.rmtree(folder)
        expect(lambda: Ruleset(components), None, "Ruleset of components that were loaded")
        return "accepted"

    def load_at_limits(self):
        """Load a box that holds as much of something as there can be, or a little more."""
        ruleset, files = draw_box(self.rng)
        folder = write_box(self.folder / "full box", files)
        try:
            components = load_components(folder, ruleset)
        except ComponentError as error:
            require("\n" not in str(error), f"an error of two lines: {error}")
            return "ComponentError"
        except Exception as error:
            raise ViolationError(f"load_components raised {type(error).__name__} on {show(files)}: {error}") from error
        finally:
            shutil.rmtree(folder)
        return expect(lambda: Ruleset(components), None, "Ruleset of components that were loaded")

    def load_from_odd_place(self):
        path = draw_json(self.rng)
        path = path if isinstance(path, str) and path != ".." else "nowhere"
        return expect(lambda: load_components(path), (ComponentError, ValueError), f"load_components({show(path)})")
