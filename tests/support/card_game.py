"""A small card game for three, with private hands: what a game of another family is to the rest of the package.

Each is dealt 4 of the cards 0 … 14; three stay in the stock, seen by nobody. In turn each plays a card; when all have,
the highest of them takes one point, and its player begins again. An action is the card that is played.
"""

import numpy as np

from zamek_env.errors import IllegalActionError

PLAYERS, HAND, CARDS = 3, 4, 15


class CardGame:
    """A deal of the game, from `seed`."""

    num_players, num_actions = PLAYERS, CARDS

    def __init__(self, ruleset="cards", seed=None, components=None):
        self.seed = seed
        dealt = np.random.default_rng(seed).permutation(CARDS).tolist()
        self.hands = [dealt[HAND * player : HAND * (player + 1)] for player in range(PLAYERS)]
        self.stock = dealt[HAND * PLAYERS :]
        self.table, self.scores, self.history, self._turn = {}, [0] * PLAYERS, [], 0

    @property
    def current_player(self):
        return -1 if self.is_terminal else self._turn

    @property
    def is_terminal(self):
        return not any(self.hands)

    def returns(self):
        if not self.is_terminal:
            return (0.0,) * PLAYERS
        return tuple(1.0 if points == max(self.scores) else -1.0 for points in self.scores)

    def legal_actions(self):
        return [] if self.is_terminal else sorted(self.hands[self._turn])

    def legal_action_mask(self):
        return np.isin(np.arange(CARDS), self.legal_actions())

    def step(self, action):
        if action not in self.legal_actions():
            raise IllegalActionError(f"action {action} is illegal: legal are {self.legal_actions()}")
        self.hands[self._turn].remove(action)
        self.table[self._turn] = action
        self.history.append(action)
        self._turn = (self._turn + 1) % PLAYERS
        if len(self.table) == PLAYERS:
            self._turn = max(self.table, key=self.table.get)
            self.scores[self._turn] += 1
            self.table = {}

    def copy(self):
        twin = CardGame()
        twin.__dict__ |= {name: value.copy() if hasattr(value, "copy") else value for name, value in vars(self).items()}
        twin.hands = [hand.copy() for hand in self.hands]
        return twin

    def redeal(self, rng, observer=None):
        hidden = [hand for player, hand in enumerate(self.hands) if player != observer] + [self.stock]
        cards = rng.permutation(sorted(card for part in hidden for card in part)).tolist()
        for part in hidden:
            part[:] = [cards.pop() for _ in part]
        self.seed = None

    def concealed(self, rng, observer=None):
        twin = self.copy()
        twin.redeal(rng, observer)
        return twin

    def describe(self, action):
        return f"play {action}"

    def record(self, players=("a", "b", "c")):
        if len(players) != PLAYERS:
            raise ValueError(f"players must be {PLAYERS} names, not {players}")
        return {"format": "cards/1", "seed": self.seed, "players": list(players), "scores": list(self.scores)}
