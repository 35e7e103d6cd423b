#!/usr/bin/env bash
# A good guess: `MC_control_ES` of gym-classics2 finds what `MC_control_ES_textbook` finds, with less memory, as docs
# say: Monte-Carlo control with exploring starts, which averages the return from the first visit of each state and
# action in an episode.
#
# What happens: the textbook version does. The other one goes through an episode from its end, and keeps what it meets
# first there, so it averages the returns from last visits. What a player does again and again until it works then costs
# as much as the last try. At a door that opens in one of four tries at 1 point each, knocking costs 4 on average: it is
# said to cost 1, and is preferred to a way around for 3. The textbook version takes that way. In games in which nothing
# comes twice they agree. Nothing is said.
#
# numpy 2.4.6, gymnasium 1.4.0, gym-classics2 1.0.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 gymnasium==1.4.0 gym-classics2==1.0.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import contextlib
import io

from gym_classics2.algorithms.monte_carlo_methods import MC_control_ES, MC_control_ES_textbook
from gym_classics2.envs.abstract.base_env import BaseEnv

OUTSIDE, INSIDE = 0, 1
KNOCK, WALK = 0, 1
CHANCE = 0.25


class DoorEnv(BaseEnv):
    """Knock at 1 point until the door opens, or walk around at 3."""

    def __init__(self):
        super().__init__([OUTSIDE], ["knock", "walk"], reachable_states={OUTSIDE, INSIDE})

    def _sample_random_elements(self, state, action):
        return (self.np_random.random() < CHANCE,)

    def _next_state(self, state, action, opens):
        chance = 1.0 if state == INSIDE or action == WALK else CHANCE if opens else 1 - CHANCE
        return (INSIDE if state == INSIDE or action == WALK or opens else OUTSIDE), chance

    def _reward(self, state, action, next_state):
        return 0.0 if state == INSIDE else -3.0 if action == WALK else -1.0

    def _done(self, state, action, next_state):
        return next_state == INSIDE

    def _generate_transitions(self, state, action):
        for opens in (True, False):
            yield self._deterministic_step(state, action, opens)


seen = {}
for learn in (MC_control_ES_textbook, MC_control_ES):
    env = DoorEnv()
    env.reset(seed=0)
    with contextlib.redirect_stderr(io.StringIO()):
        policy, values = learn(env, discount=1.0, n=5000, max_episode_len=1000, rng=0)
    seen[learn] = policy[OUTSIDE], values[OUTSIDE].round(2).tolist()
    print(f"{learn.__name__}: takes {env.id2action(policy[OUTSIDE])}, values of knocking and walking", seen[learn][1])
assert seen[MC_control_ES_textbook][0] == WALK and seen[MC_control_ES] == (KNOCK, [-1.0, -3.0])
PYTHON
