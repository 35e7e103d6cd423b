"""Threads share out work, hand on what goes wrong, and hold nothing of what is done."""

import copy
import gc
import pickle
import sys
import threading
import time
import weakref
from itertools import pairwise

import numpy as np
import pytest

from zamek_env.base.chance import draw_deal
from zamek_env.base.episode import AHEAD, EVERY_SEAT, OUTCOME
from zamek_env.core.batch import episode_dtype
from zamek_env.environments.game_vector import Dealer
from zamek_env.environments.reset_options import draw_seat
from zamek_env.environments.threads import OneCaller, Shares, Threads
from zamek_env.vector import ZamekVectorEnv


@pytest.fixture
def threads():
    crew = Threads(3)
    yield crew
    crew.close()


def test_each_share_is_done_once_by_threads_of_its_own(threads):
    met, waiting = [], threading.Barrier(3)

    def work(number):
        waiting.wait(10)  # nobody gets past this unless all three are at work
        met.append((number, threading.get_ident()))

    for _ in range(20):
        threads.run(work, [(0,), (1,), (2,)])
    assert sorted(number for number, _ in met) == [0] * 20 + [1] * 20 + [2] * 20
    assert {who for number, who in met if number == 0} == {threading.get_ident()}
    assert len({who for _, who in met}) == 3


class Opening:
    """A queue that opens a gate once somebody has asked how much is in it."""

    def __init__(self, queue):
        self.queue, self.gate = queue, threading.Event()

    def qsize(self):
        size = self.queue.qsize()
        self.gate.set()
        return size

    def get(self):
        return self.queue.get()


def test_whoever_is_done_last_is_told(threads):
    shares = [(0,), (1,), (2,)]
    threads.run(lambda number: number, shares)
    done, limit = threads._crew.done, time.monotonic() + 10

    def be_last(number):
        while number == 0 and done.qsize() < 2 and time.monotonic() < limit:
            time.sleep(0.001)

    assert threads.run(be_last, shares)
    threads._crew.done = opening = Opening(done)
    assert not threads.run(lambda number: number and opening.gate.wait(10), shares)
    assert threads.run(lambda: None, [()])


@pytest.mark.parametrize("failing", [0, 2])
def test_an_error_is_raised_once_all_are_done_and_work_goes_on(threads, failing):
    done = []

    def work(number):
        if number == failing:
            raise KeyError(number)
        threading.Event().wait(0.05)
        done.append(number)

    with pytest.raises(KeyError, match=str(failing)):
        threads.run(work, [(0,), (1,), (2,)])
    assert len(done) == 2
    threads.run(done.append, [(7,), (8,), (9,)])
    assert sorted(done[2:]) == [7, 8, 9]


class Interrupted:
    """A queue whose method `name` is interrupted when it is called for the `last` time."""

    def __init__(self, queue, name, last):
        self.queue, self.name, self.left = queue, name, last

    def __getattr__(self, name):
        if name == self.name:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return getattr(self.queue, name)


@pytest.mark.parametrize(("queue", "method", "shares_done"), [("tasks", "put", [1]), ("done", "get", [0, 1, 2])])
def test_who_is_interrupted_goes_on_with_other_threads_once_these_are_done(threads, queue, method, shares_done):
    """What was left undone is not taken for what comes next, and nobody still writes to what is shared."""
    done = []
    threads.run(done.append, [(-1,), (-1,), (-1,)])
    setattr(threads._crew, queue, Interrupted(getattr(threads._crew, queue), method, 2))

    def work(number):
        threading.Event().wait(0.1 * (number > 0))
        done.append(number)

    with pytest.raises(KeyboardInterrupt):
        threads.run(work, [(0,), (1,), (2,)])
    assert sorted(done[3:]) == shares_done
    threads.run(work, [(4,), (5,), (6,)])
    assert sorted(done[3:]) == [*shares_done, 4, 5, 6]


def test_threads_hold_nothing_of_what_is_done(threads):
    """Else arrays that were handed out would look as if somebody held them (`obs_buffers.py`)."""
    arrays = [np.zeros(3) for _ in range(3)]
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(50):
        threads.run(np.ndarray.sort, [(array,) for array in arrays])
        assert [sys.getrefcount(array) for array in arrays] == before


def test_threads_that_nobody_needs_any_more_end():
    crew = Threads(2)
    crew.run(len, [("",), ("",)])
    (thread,) = crew._crew.threads
    gone = weakref.ref(crew)
    del crew
    gc.collect()
    thread.join(10)
    assert gone() is None and not thread.is_alive()


# --- shares ---


@pytest.mark.parametrize(("count", "threads"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 5), (64, 3), (1000, 7), (8192, 2)])
def test_shares_are_whole_and_fit_together_whoever_is_last(count, threads):
    shares, rng = Shares(count, threads), np.random.default_rng(0)
    for _ in range(2000):
        bounds = shares.bounds
        assert len(bounds) == threads and bounds[0][0] == 0 and bounds[-1][1] == count
        assert all(first < end for first, end in bounds)
        assert all(one[1] == other[0] for one, other in pairwise(bounds))
        shares.adjust(bool(rng.random() < 0.3))


def test_the_first_share_grows_until_it_is_done_last():
    """The second thread begins as late as 30 games take."""
    shares = Shares(512, 2)
    for _ in range(100):
        first, others = (end - first for first, end in shares.bounds)
        shares.adjust(first > others + 30)
    assert abs(first - others - 30) <= 4


# --- deals ---


@pytest.mark.parametrize("seat", [None, "random", 1])
def test_what_is_drawn_ahead_is_what_is_drawn_one_by_one(seat):
    dealer, alone = Dealer(3, 2, seat), [np.random.default_rng(seed) for seed in range(3)]
    episodes, outcomes, deals = np.zeros(3, episode_dtype(2)), np.zeros(3, OUTCOME), np.zeros(3, np.int64)
    due = [draw_next(one, seat) for one in alone]

    def list_next():
        return list(zip(episodes["next_deal"].tolist(), episodes["next_learner"].tolist(), strict=True))

    dealer.seed(range(3), range(3))
    dealer.put_next(episodes, np.arange(3))
    rng = np.random.default_rng(9)
    for _ in range(5 * AHEAD):
        assert list_next() == due
        outcomes["was_dealt"] = dealt = rng.random(3) < 0.6
        expected = np.where(dealt, episodes["next_deal"], deals)
        dealer.note_deals(episodes, outcomes, deals)
        assert deals.tolist() == expected.tolist() and not outcomes["was_dealt"].any()
        due = [draw_next(alone[game], seat) if dealt[game] else due[game] for game in range(3)]
    dealer.seed([1], [None, 70, 71])
    dealer.put_next(episodes, np.array([1]))
    assert list_next() == [due[0], draw_next(np.random.default_rng(70), seat), due[2]]
    assert dealer.seeds == (0, 70, 2)


def test_who_interrupts_the_drawing_of_deals_gets_the_last_one_twice(monkeypatch):
    dealer, alone, episodes = Dealer(1, 2, None), np.random.default_rng(5), np.zeros(1, episode_dtype(2))
    dealer.seed([0], [5])
    deals = []

    def put_next():
        try:
            dealer.put_next(episodes, np.arange(1))
        finally:
            deals.append(int(episodes["next_deal"][0]))

    for _ in range(AHEAD - 1):
        put_next()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(dealer, "_draw", interrupt)
        put_next()
    for _ in range(AHEAD + 2):
        put_next()
    due = [draw_deal(alone) for _ in range(2 * AHEAD + 1)]
    assert deals == [*due[:AHEAD], due[AHEAD - 1], *due[AHEAD:]]


def test_a_game_whose_seeding_is_interrupted_never_began(monkeypatch):
    dealer, episodes = Dealer(2, 2, None), np.zeros(2, episode_dtype(2))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(dealer, "_draw", interrupt)
        dealer.seed([0, 1], [5, 6])
    assert dealer.seeds == (None, None)
    dealer.seed([0, 1], [None, None])
    dealer.put_next(episodes, np.arange(2))
    assert episodes["next_deal"].all()


def interrupt(game, generator):
    raise KeyboardInterrupt


def draw_next(rng, seat):
    """Return deal and learner of the next episode as the `reset` of a single environment draws them."""
    deal = draw_deal(rng)
    return deal, EVERY_SEAT if seat is None else draw_seat(rng, 2, seat)


# --- one caller at a time ---


def test_a_second_caller_is_refused_while_one_is_in_and_not_afterwards():
    guard = OneCaller()
    with guard:
        with pytest.raises(RuntimeError, match="in another call already"), guard:
            pass
        with pickle.loads(pickle.dumps(guard)), copy.deepcopy(guard):
            pass
    with pytest.raises(KeyError), guard:
        raise KeyError
    with guard:
        pass


def test_who_is_in_without_a_statement_keeps_others_out_until_leaving():
    guard = OneCaller()
    for _ in range(2):
        guard.enter()
        with pytest.raises(RuntimeError, match="in another call already"):
            guard.enter()
        with pytest.raises(RuntimeError, match="in another call already"), guard:
            pass
        guard.leave()


def test_an_environment_that_is_stepping_refuses_other_threads():
    env = ZamekVectorEnv(4, opponent=lambda game, rng: asked(game), seat=0)
    refused = []

    def asked(game):
        for call in (env.reset, lambda: env.step([0] * 4), lambda: env.step_chosen([0] * 4, [True] * 4)):
            with pytest.raises(RuntimeError, match="give each thread one of its own"):
                call()
            refused.append(call)
        return game.legal_actions()[0]

    _, info = env.reset(seed=1)
    while not refused:
        info = env.step(info["action_mask"].argmax(axis=1))[4]
    env.step(info["action_mask"].argmax(axis=1))
