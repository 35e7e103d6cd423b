"""The network of the trained player: one small network scores placements one by one, another the pieces to send.

NETWORK DESCRIPTION
    vector, tokens ahead (`Track`)   ──▶ summary ──────────────▶ scores of all other actions
    planes ───────┤ ├──▶ segments of the tile, one by one ──────▶ scores of the pieces to send there
                  │ └──▶ areas to be scored, one by one ────────▶ scores of them, with a token and without
                  ▼
    planes ──▶ areas of a placement (`touching.py`), one by one, and their sum
                  └──▶ placements, one by one ──────────────────▶ their scores
                         └──▶ the largest of each ──▶ with the summary ▶ value

Placements share one set of weights, wherever the cell and whatever the rotation. So do the areas that they touch,
segments, and areas to be scored.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from zamek_agents.ppo.area_rows import count_columns
from zamek_agents.ppo.board_map import count_features, make_map
from zamek_agents.ppo.limits import PLAYERS
from zamek_agents.ppo.touching import SIDE_COLUMNS, describe_placements, describe_segments, new_scene
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import PHASE_NAMES, SCORE, SEND, TOKEN_CHOICES
from zamek_env.layout.observation import AREA_COLUMNS, SIZE_SCALE
from zamek_env.ruleset import Ruleset

AREA_WIDTH = 64  # numbers made of each area that a placement touches
REACH = 12  # points beyond the worth of an area up to which tokens are looked for
MOST_AHEAD = 40  # points; more are taken to find no token


class GameFeatures(BaseFeaturesExtractor):
    """For a `Ruleset`: scores of the placements shown by the planes, of all actions, and a summary, in one row."""

    faces: torch.Tensor
    segments: torch.Tensor
    sends: torch.Tensor

    def __init__(self, observation_space: spaces.Dict, ruleset: Ruleset, width: int = 256, hidden: int = 128) -> None:
        layout = ruleset.vector
        super().__init__(observation_space, ruleset.num_actions + width + hidden)
        self.ruleset, self.num_actions, self.width, self.hidden = ruleset, ruleset.num_actions, width, hidden
        self.board_map, self.track = make_map(ruleset), Track(ruleset)
        self.scene = new_scene(self.board_map)
        entries = len(layout) + PLAYERS * MOST_AHEAD * self.track.has_tokens
        self.summary = nn.Sequential(
            nn.Linear(entries, width),
            nn.LayerNorm(width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.LayerNorm(width),
            nn.ReLU(),
        )
        # of a placement: the areas that it touches, what the tile shows, and the summary
        self.tile, self.remaining = layout["tile"], layout["remaining"]
        self.remaining_scale = layout.scale[self.remaining]
        self.register_buffer("faces", torch.as_tensor(describe_faces(self.board_map)))
        self.from_area = nn.Linear(count_columns(self.board_map), AREA_WIDTH)
        self.from_areas = nn.Linear(AREA_WIDTH, hidden)
        self.from_sides = nn.Linear(len(SIDE_COLUMNS), hidden)
        self.from_face = nn.Linear(self.faces.shape[1], hidden)
        self.from_tile = nn.Linear(len(self.faces), hidden, bias=False)
        self.from_summary = nn.Linear(width, hidden)
        self.placement = make_layers(hidden)
        self.score = nn.Linear(hidden, 1)
        # of a segment to which a piece may be sent
        segments, kinds = ruleset.sizes.segments, 1 + ruleset.sizes.special_pieces
        groups = [layout[f"segment_{segment}"] for segment in range(segments)]
        entries_of_segments = torch.tensor([range(group.start, group.stop) for group in groups])
        self.register_buffer("segments", entries_of_segments, persistent=False)
        self.sending = layout.find(f"phase.{PHASE_NAMES[SEND]}")
        sends = [[ruleset.actions.send(segment, kind) for segment in range(segments)] for kind in range(kinds)]
        self.register_buffer("sends", torch.tensor(sends), persistent=False)
        self.from_segment = nn.Linear(self.segments.shape[1] + count_columns(self.board_map), hidden)
        self.segment_from_summary = nn.Linear(width, hidden)
        self.send = nn.Sequential(make_layers(hidden), nn.Linear(hidden, kinds))
        # of an area to be scored
        self.slots = Slots(ruleset, width, hidden) if "slot_0" in layout else None

    def forward(self, observations: dict[str, torch.Tensor]) -> torch.Tensor:
        planes, vector = to_bytes(observations["planes"]), observations["vector"]
        left = np.rint(vector[:, self.remaining].numpy() / self.remaining_scale).astype(np.int16)
        ahead = self.track.look_ahead(vector.numpy())
        tokens = torch.from_numpy(ahead).float()
        scene = tuple(part.copy() for part in self.scene)  # several threads may ask one network
        summary = self.summary(torch.cat([vector, tokens.flatten(1)], dim=1) if self.track.has_tokens else vector)
        scores = vector.new_zeros(len(vector), self.num_actions)
        best = self._score_placements(scene, planes, vector, left, ahead, summary, scores)
        self._score_sends(scene, planes, vector, left, ahead, summary, scores)
        if self.slots is not None:
            self.slots(vector, tokens, summary, scores)
        return torch.cat([scores, summary, best], dim=1)

    def _score_placements(self, scene, planes, vector, left, ahead, summary, scores):
        """Write `scores` of placements; return the largest entries of what was made of those of each position."""
        tiles = vector[:, self.tile].argmax(dim=1).numpy()
        found = describe_placements(self.board_map, scene, planes, tiles, left, ahead)
        samples, actions, sides, areas, owners = map(torch.from_numpy, found)
        faces = self.from_face(self.faces) + self.from_tile.weight.t()
        of_sample = vector[:, self.tile] @ faces + self.from_summary(summary)
        touched = sides.new_zeros(len(sides), AREA_WIDTH).index_add(0, owners, self.from_area(areas).relu())
        placements = self.placement(self.from_areas(touched) + self.from_sides(sides) + of_sample[samples])
        scores[samples, actions] = self.score(placements).squeeze(1)
        many = torch.bincount(samples, minlength=len(vector))
        return torch.segment_reduce(placements, "max", lengths=many, initial=0)

    def _score_sends(self, scene, planes, vector, left, ahead, summary, scores):
        """Write `scores` of sending each piece to each segment, where that is the decision."""
        samples = vector[:, self.sending].nonzero().squeeze(1)
        rows = samples.numpy()
        areas = describe_segments(self.board_map, scene, planes[rows], left[rows], ahead[rows])
        segments = torch.cat([vector[samples][:, self.segments], torch.from_numpy(areas)], dim=2)
        sends = self.send(self.from_segment(segments) + self.segment_from_summary(summary[samples])[:, None])
        scores[samples[:, None], self.sends.flatten()] = sends.transpose(1, 2).flatten(1)


class Slots(nn.Module):
    """Scores of the areas that wait to be scored, without and with a token (rule Z19)."""

    entries: torch.Tensor

    def __init__(self, ruleset: Ruleset, width: int, hidden: int) -> None:
        super().__init__()
        layout, slots = ruleset.vector, ruleset.sizes.slots
        groups = [layout[f"slot_{slot}"] for slot in range(slots)]
        entries = [
            [*range(group.start, group.stop), layout["slot_token"].start + slot] for slot, group in enumerate(groups)
        ]
        self.register_buffer("entries", torch.tensor(entries), persistent=False)
        self.worth, self.mine = AREA_COLUMNS.index("worth"), layout.find("scoring_mine")
        self.scoring = layout.find(f"phase.{PHASE_NAMES[SCORE]}")
        first = ruleset.actions.score_base
        self.actions = slice(first, first + slots * TOKEN_CHOICES)
        self.from_slot = nn.Linear(len(entries[0]) + REACH, hidden)
        self.from_summary = nn.Linear(width, hidden)
        self.from_others = nn.Linear(hidden, hidden)
        self.score = nn.Sequential(make_layers(hidden), nn.Linear(hidden, TOKEN_CHOICES))

    def forward(self, vector: torch.Tensor, tokens: torch.Tensor, summary: torch.Tensor, scores: torch.Tensor) -> None:
        """Write `scores` where the decision is which area to score."""
        samples = vector[:, self.scoring].nonzero().squeeze(1)
        slots = vector[samples][:, self.entries]
        worth = (slots[:, :, self.worth] / SIZE_SCALE).round().long()
        reached = (worth[:, :, None] + torch.arange(REACH)).clamp(max=MOST_AHEAD - 1)
        markers = tokens[samples, 1 - vector[samples, self.mine].long()]
        found = markers.gather(1, reached.flatten(1)).view(reached.shape)
        embedded = self.from_slot(torch.cat([slots, found], dim=2)) + self.from_summary(summary[samples])[:, None]
        others = self.from_others(embedded.relu().sum(dim=1))
        scores[samples, self.actions] = self.score(embedded + others[:, None]).flatten(1)


def make_layers(hidden: int) -> nn.Sequential:
    """Return what makes `hidden` numbers of a placement, a segment or an area of as many."""
    return nn.Sequential(nn.LayerNorm(hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.LayerNorm(hidden), nn.ReLU())


def to_bytes(planes: torch.Tensor) -> npt.NDArray[np.uint8]:
    """Return a tensor of planes, which may be of floats, as an array of bytes."""
    return planes.numpy().astype(np.uint8, copy=False)


def describe_faces(board_map: np.record) -> npt.NDArray[np.float32]:
    """Return what each tile that differs shows, unturned, float32 `(tiles, columns)`.

    By port: the feature, one-hot, and its marks; for every two ports, whether one segment joins them; and how many
    segments of each feature there are.
    """
    features = count_features(board_map)
    rows = []
    for face in range(0, len(board_map.segment) - len(board_map.start_face), NUM_ROTATIONS):
        segment = board_map.segment[face]
        is_there = segment > NONE
        shown = np.where(is_there, board_map.feature[face][segment], NONE)
        marks = np.where(is_there, board_map.marks[face][segment], 0)
        joined = ((segment[:, None] == segment) & is_there)[np.triu_indices(NUM_PORTS, 1)]
        counts = np.bincount(board_map.feature[face][board_map.feature[face] > NONE], minlength=features)
        rows.append(np.concatenate([(shown[:, None] == np.arange(features)).ravel(), marks, joined, counts]))
    return np.array(rows, np.float32)


class ActionHead(nn.Module):
    """Logits of all actions: their scores, and what the summary says of those that are no placements on the planes."""

    def __init__(self, ruleset: Ruleset, width: int) -> None:
        super().__init__()
        self.num_actions, self.width = ruleset.num_actions, width
        self.first = ruleset.sizes.window_cells * NUM_ROTATIONS
        self.from_summary = nn.Linear(width, self.num_actions - self.first)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        scores, summary = features[:, : self.num_actions], features[:, self.num_actions :][:, : self.width]
        return scores + nn.functional.pad(self.from_summary(summary), (self.first, 0))


class ValueHead(nn.Module):
    """The value of the position to the player to decide."""

    def __init__(self, num_actions: int, width: int, hidden: int) -> None:
        super().__init__()
        self.num_actions = num_actions
        self.layers = nn.Sequential(nn.Linear(width + hidden, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.layers(features[:, self.num_actions :])


class BoardPolicy(MaskableMultiInputActorCriticPolicy):
    """Masked actor and critic over `GameFeatures`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        own: Any = super().__init__  # `args` end before what is set here
        own(*args, net_arch=[], features_extractor_class=GameFeatures, **kwargs)

    def _build(self, lr_schedule):
        super()._build(lr_schedule)
        features: Any = self.features_extractor
        self.action_net = ActionHead(features.ruleset, features.width)
        self.value_net: Any = ValueHead(features.num_actions, features.width, features.hidden)
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class Track:
    """Which tokens lie ahead of the markers on the score track of a `Ruleset`, as observations say (rule Z22).

    A marker that comes to rest at a tower takes its token. So the exact number of points of an area counts, which a
    network hardly learns from the number of a field.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        towers = ruleset.tables[0].field_tower
        self.has_tokens = towers.size > 0 and "towers" in ruleset.vector
        if self.has_tokens:
            self._towers, self._fields = ruleset.vector["towers"], ruleset.vector["fields"]
            self._tower_of = np.where(towers > NONE, towers, self._towers.stop - self._towers.start)

    def look_ahead(self, vector: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
        """Return whether a token lies so many points ahead of my marker and of theirs, uint8 `(n, 2, MOST_AHEAD)`.

        `vector` is float32 `(n, entries)`. Nothing lies MOST_AHEAD - 1 points ahead, where more is counted too.
        """
        ahead = np.zeros((len(vector), PLAYERS, MOST_AHEAD), np.uint8)
        if self.has_tokens:
            lies = np.pad(vector[:, self._towers] > 0, ((0, 0), (0, 1)))  # no tower: no token
            markers = np.rint(vector[:, self._fields] * self._tower_of.size).astype(int)
            fields = (markers[:, :, None] + np.arange(MOST_AHEAD)) % self._tower_of.size
            ahead[:] = np.take_along_axis(lies, self._tower_of[fields].reshape(len(vector), -1), 1).reshape(ahead.shape)
            ahead[:, :, -1] = 0
        return ahead
