"""The greedy player counts what its table says, worked out once more from what lies on the table."""

import numpy as np
import pytest

from tests.support.games import few, play_randomly
from zamek_env import Game
from zamek_env.base.chance import seed_generator
from zamek_env.components.box_folder import RULESETS
from zamek_env.core import engine, greedy
from zamek_env.ruleset import get_ruleset

PLAYERS = (0, 1)


class Promise:
    """What a position promises, from its `Position` and its `Area`s."""

    def __init__(self, game):
        self.components, self.table, self.areas = game.ruleset.components, game.position(), game.areas()
        self.features = {feature.name: feature for feature in self.components.features}
        self.by_segment = {segment: area for area in self.areas for segment in area.segments}
        self.tiles = {tile.id: tile for tile in (*self.components.tiles, self.components.start_tile) if tile}
        self.pieces = {piece.name: piece for piece in self.components.special_pieces}
        self.has_fields = any(feature.touches for feature in self.features.values())

    def of_position(self, player):
        value = self.of_player(player) - self.of_player(1 - player)
        if self.table.phase == "over":
            return value
        for held, lead in ((self.table.family_houses, greedy.HOUSE_LEAD), (self.table.nests, greedy.NEST_LEAD)):
            value += lead * np.sign(held[player] - held[1 - player])
        if self.table.phase == "send":
            value += self.of_sending() * (1 if self.table.player == player else -1)
        return value

    def of_player(self, player):
        value = self.table.scores[player]
        if self.table.phase == "over":
            return value
        for area in self.areas:
            own, others = area.followers[player], area.followers[1 - player]
            if own > others or (own == others > 0 and self.components.ties_pay):
                special = [self.pieces[name] for name in area.pieces[player]]
                value += self.of_area(area) * np.prod([piece.factor for piece in special])
                value += self.of_nests(area, area.nests + sum(piece.nests for piece in special))
        held = sum(self.table.tokens[player].values()) + sum(self.table.fresh_tokens[player].values())
        value += greedy.TOKEN * held + greedy.NEST * self.table.nests[player]
        return value + greedy.SPECIAL * len(self.table.pieces[player]) + self.of_supply(self.table.supplies[player])

    def of_supply(self, supply):
        return greedy.FOLLOWER[self.has_fields] * supply + greedy.LAST_FOLLOWER[self.has_fields] * (supply > 0)

    def of_nests(self, area, nests):
        return greedy.NEST * nests * self.chance(area) if self.features[area.feature].completes else 0

    def chance(self, area):
        return greedy.CHANCES[min(area.open_ports, 7)]

    def of_area(self, area):
        feature, open_ports = self.features[area.feature], area.open_ports
        touched = self.count_touched(area)
        if not feature.completes:
            hope = (area.marks + greedy.MEADOW_HOPE * open_ports) * feature.mark_points
            touches = touched[0] + greedy.TOUCH_HOPE * touched[1] + greedy.FIELD_HOPE * open_ports
            return hope + touches * feature.touch_points
        size = area.tiles + (open_ports if feature.surrounded else min(open_ports, greedy.GROWTH))
        tile = max(feature.points, feature.marked_points) if area.marks else feature.points
        points = size * tile
        if feature.size_points:
            points = feature.size_points[min(size, len(feature.size_points)) - 1]
        points += area.marks * feature.completed_mark_points
        unfinished = area.tiles * feature.unfinished_points + area.marks * feature.mark_points
        return points * self.chance(area) + unfinished * (1 - self.chance(area))

    def count_touched(self, area):
        """Return how many areas a field touches: completed ones, others."""
        touched = {
            self.by_segment[location, name]
            for location, own in area.segments
            if location in self.table.board
            for segment in self.tiles[self.table.board[location][0]].segments
            if segment.name == own
            for name in segment.touches
        }
        completed = sum(not other.open_ports for other in touched)
        return completed, len(touched) - completed

    def of_sending(self):
        """Return what the best piece adds on the tile just placed, for who may send it."""
        player, best = self.table.player, 0
        supply = self.table.supplies[player]
        costs = {"": self.of_supply(supply) - self.of_supply(supply - 1)} if supply else {}
        costs |= dict.fromkeys(self.table.pieces[player], greedy.SPECIAL)
        for segment in self.tiles[self.table.tile].segments:
            if self.features[segment.feature].touches and not self.components.farmers:
                continue
            area = self.by_segment[self.table.cell, segment.name]
            is_complete = self.features[area.feature].completes and area.open_ports == 0
            for piece, cost in costs.items():
                if not any(area.followers) and not (piece and is_complete):
                    factor, nests = (self.pieces[piece].factor, self.pieces[piece].nests) if piece else (1, 0)
                    gain = self.of_area(area) * factor + self.of_nests(area, area.nests + nests)
                    best = max(best, gain if is_complete else gain - cost)
        return best


def enrich(game, rng):
    """Give both players tokens, family houses and nests at random, where there are any."""
    state = game.raw_states[0]
    for name in ("tokens", "fresh_tokens"):
        state[name][:, 1:] = rng.integers(0, 3, state[name][:, 1:].shape)
    state["family_house"][:] = rng.integers(0, 3, state["family_house"].size)
    state["nests"][:] = rng.integers(0, 3, state["nests"].size)


@pytest.mark.parametrize("name", RULESETS)
def test_a_position_is_worth_what_the_table_of_the_greedy_player_promises(name):
    rng = np.random.default_rng(1)
    for seed in range(few(3, 1)):
        for number, game in enumerate(play_randomly(Game(name, seed=seed), seed)):
            if number % few(1, 3) == 0 or game.is_terminal:
                rich = game.copy()
                enrich(rich, rng)
                promise, tables, state = Promise(rich), rich.ruleset.tables[0], rich.raw_states[0]
                for player in PLAYERS:
                    worth = greedy.evaluate(tables, state, np.uint8(player))  # the type that kernels call it with
                    assert worth == pytest.approx(promise.of_position(player))


@pytest.mark.parametrize("name", ["zamek", "sokol-gates", "carcassonne"])
def test_the_greedy_player_chooses_among_the_best_alone(name):
    ruleset, generator = get_ruleset(name), np.zeros(1, np.uint64)
    trials, logs = ruleset.new_states(2), ruleset.new_log()
    seed_generator(generator, 1)
    for number, game in enumerate(play_randomly(Game(name, seed=4), 4)):
        if game.is_terminal or number % 5 or len(game.legal_actions()) > 12:
            continue
        values = {}
        for action in game.legal_actions():
            after = game.copy()
            after.step(action)
            values[action] = Promise(after).of_position(game.current_player)
        best = {action for action, value in values.items() if value > max(values.values()) - 1e-9}
        arguments = (ruleset.tables, game.raw_states, logs, trials, 0, generator)
        assert {engine.choose_greedily(*arguments) for _ in range(8 * len(best))} == best
