"""Tasks for workers, in a module that other processes can import."""

import os
import pickle
from pathlib import Path

from tqdm import tqdm

from tests.support.twins import decide
from zamek_agents import RandomAgent
from zamek_agents.workers import run_in_order, start_processes


class Posted:
    """Workers that are this process, but get nothing that cannot be pickled; of those waiting, the last is run first.

    As any workers may, they run each task before its result is asked for.
    """

    ahead = 3

    def __init__(self):
        self.done, self._waiting = 0, []

    def submit(self, function, *arguments):
        task, results = pickle.dumps((function, arguments)), []
        self._waiting.append((task, results))

        def take():
            while not results:
                self._run(*self._waiting.pop())
            return pickle.loads(results[0])

        return take

    def _run(self, task, results):
        function, arguments = pickle.loads(task)
        self.done += 1
        results.append(pickle.dumps(function(*arguments)))


class FrailAgent:
    """Plays at random. The first process in which it has decided 25 times ends without a word, as `folder` shows.

    The process of the number `spared` goes on.
    """

    decided = 0  # in this process

    def __init__(self, folder, spared):
        self._mark, self._spared, self._agent = Path(folder) / "ended", spared, RandomAgent()

    def act(self, game, rng):
        """Return what `RandomAgent` plays."""
        FrailAgent.decided += 1
        if FrailAgent.decided > 25 and os.getpid() != self._spared and not self._mark.exists():
            self._mark.touch()
            os._exit(1)
        return self._agent.act(game, rng)


def play_on(env, steps=5):
    """Return all that an environment, of one game or of many, shows in so many steps by the first legal action."""
    told = []
    for _ in range(steps):
        if hasattr(env, "last"):  # of PettingZoo
            told.append(pickle.dumps(env.last()[:2]))
            env.step(int(env.last()[0]["action_mask"].argmax()))
            continue
        masks = env.unwrapped.action_masks()
        seen, *rest, _ = env.step(masks.argmax(axis=-1))
        told.append([pickle.dumps(seen), *map(str, rest)])
    return told


def go_on(envs, agents):
    """Return what `play_on` returns of environments, and `decide` of agents, each with its games."""
    return [*map(play_on, envs), *(decide(agent, games) for agent, games in agents)]


class Player:
    """An actor that was handed something to play with."""

    def __init__(self, envs, agents):
        self._handed = envs, agents

    def go_on(self):
        return go_on(*self._handed)


def square(number):
    return number * number


def find_process(number):
    return number, os.getpid()


def refuse(number):
    raise ValueError(f"no {number} here")


def die_once(folder, number):
    """Return the square of `number`; the first process that is asked for it ends without a word."""
    mark = Path(folder) / str(number)
    with mark.open("a") as file:
        file.write("asked\n")
    if len(mark.read_text().splitlines()) == 1:
        os._exit(1)
    return square(number)


def die(number):
    os._exit(1)


def mark_node(folder):
    """Leave a file that says that this node was made ready."""
    (Path(folder) / f"{os.getpid()}.ready").write_text("")


def square_with_a_bar(number):
    return next(iter(tqdm([number * number], disable=True)))


def main():
    """Let two processes work, and print what they return."""
    with start_processes(2) as workers:
        print([result for _, result in run_in_order(workers, square_with_a_bar, [(2,), (3,)])])


if __name__ == "__main__":
    main()
