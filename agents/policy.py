"""The network of the trained player: convolutions over the planes, the vector beside them, one head an action kind."""

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from zamek_env.core.components import NUM_ROTATIONS


class Block(nn.Module):
    """A residual block of two 3 × 3 convolutions."""

    def __init__(self, channels):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
        )

    def forward(self, board):
        return torch.relu(board + self.layers(board))


class BoardFeatures(BaseFeaturesExtractor):
    """Returns the board, `(channels, rows, columns)`, and a summary of all, `(width,)`, flattened into one row."""

    def __init__(self, observation_space, channels=48, blocks=2, width=256):
        rows, columns, planes = observation_space["planes"].shape
        super().__init__(observation_space, channels * rows * columns + width)
        self.board_shape = (channels, rows, columns)
        scale = 1.0 / observation_space["planes"].high.reshape(-1, planes).max(axis=0)
        self.register_buffer("scale", torch.as_tensor(scale, dtype=torch.float32))
        entries = observation_space["vector"].shape[0]
        self.from_planes = nn.Conv2d(planes, channels, 3, padding=1)
        self.from_vector = nn.Sequential(nn.Linear(entries, width), nn.ReLU(), nn.Linear(width, channels))
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.summary = nn.Sequential(nn.Linear(2 * channels + entries, width), nn.ReLU())

    def forward(self, observations):
        planes = (observations["planes"].float() * self.scale).permute(0, 3, 1, 2)
        vector = observations["vector"]
        board = torch.relu(self.from_planes(planes) + self.from_vector(vector)[:, :, None, None])
        board = self.blocks(board)
        pooled = torch.cat([board.mean(dim=(2, 3)), board.amax(dim=(2, 3)), vector], dim=1)
        return torch.cat([board.flatten(1), self.summary(pooled)], dim=1)


class ActionHead(nn.Module):
    """Logits of all actions: placements on cells that the planes show from there, the rest from the summary."""

    def __init__(self, board_shape, width, cells, num_actions):
        super().__init__()
        self.board_shape = board_shape
        self.register_buffer("cells", torch.as_tensor(cells))
        self.place = nn.Conv2d(board_shape[0], NUM_ROTATIONS, 1)
        self.others = nn.Linear(width, num_actions - len(cells) * NUM_ROTATIONS)

    def forward(self, features):
        size = int(np.prod(self.board_shape))
        board, summary = features[:, :size].unflatten(1, self.board_shape), features[:, size:]
        placements = self.place(board).flatten(2)[:, :, self.cells]  # (batch, rotations, cells)
        return torch.cat([placements.transpose(1, 2).flatten(1), self.others(summary)], dim=1)


class ValueHead(nn.Module):
    """The value of the position to the player to decide, from the summary."""

    def __init__(self, board_size, width):
        super().__init__()
        self.board_size = board_size
        self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, features):
        return self.layers(features[:, self.board_size :])


class BoardPolicy(MaskableMultiInputActorCriticPolicy):
    """Masked actor and critic over `BoardFeatures`; `squares` are the board squares of the cells, in order."""

    def __init__(self, *args, squares, **kwargs):
        self.squares = squares
        super().__init__(*args, net_arch=[], features_extractor_class=BoardFeatures, **kwargs)

    def _get_constructor_parameters(self):
        return super()._get_constructor_parameters() | {"squares": self.squares}

    def _build(self, lr_schedule):
        super()._build(lr_schedule)
        shape, width = self.features_extractor.board_shape, self.features_extractor.summary[0].out_features
        self.action_net = ActionHead(shape, width, self.squares, self.action_space.n)
        self.value_net = ValueHead(int(np.prod(shape)), width)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def find_squares(ruleset):
    """Return the number, row by row, of the board square of each cell that the planes of a ruleset show."""
    return ruleset.tables[0].cell_square.tolist()
