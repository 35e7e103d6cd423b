"""One small network that learns from rows: copy it, or use it as it is. Plain PyTorch.

NETWORK DESCRIPTION
    vector ──▶ summary ────┬────────────────────────────┐
                           ▼                            ▼
    each row ──▶ (the same weights for every row) ──▶ the largest entries of all ──▶ value
                           └──▶ its logit, at the number of its action

An action is judged by what it changes, wherever it is played, so what is learned about one is learned about all.
"""

from zamek_env.common.extras import needs_train_extra

with needs_train_extra("zamek_env.row_network"):
    import torch
    from torch import nn

PARTS = ("vector", "rows", "row_actions")  # of an observation, as the network takes them


class RowNetwork(nn.Module):
    """Logits of all actions, and the value of the position to the player to decide.

    Args:
        entries: of the vector.
        columns: of a row.
        num_actions: how many actions there are.
        hidden: the width of all layers.
    """

    def __init__(self, entries: int, columns: int, num_actions: int, hidden: int = 64) -> None:
        super().__init__()
        self.num_actions = num_actions
        self.summary = nn.Sequential(
            nn.Linear(entries, hidden), nn.LayerNorm(hidden), nn.ReLU(), nn.Linear(hidden, hidden)
        )
        self.from_row = nn.Linear(2 * columns, hidden)
        self.judge = nn.Sequential(
            nn.LayerNorm(hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.LayerNorm(hidden), nn.ReLU()
        )
        self.logit = nn.Linear(hidden, 1)
        self.value = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(
        self, vector: torch.Tensor, rows: torch.Tensor, row_actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (logits, value), `(n, num_actions)` and `(n,)`. An action without a row gets the logit 0.

        `vector` is `(n, entries)`, `rows` `(n, rows, columns)`, `row_actions` `(n, rows)`, as an observation holds
        them, of any dtype.
        """
        by_row, value = self.score(vector, rows, row_actions)
        logits = by_row.new_zeros(len(vector), self.num_actions)
        sample, number = (row_actions >= 0).nonzero(as_tuple=True)
        logits[sample, row_actions[sample, number].long()] = by_row[sample, number]
        return logits, value

    def score(
        self, vector: torch.Tensor, rows: torch.Tensor, row_actions: torch.Tensor, more: torch.Tensor | float = 0.0
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (logits, value) as `forward` does, but logits of rows: faster where there are many actions.

        They are `(n, most)`, where `most` is the largest number of legal actions, and -1e8 where there is no row.
        Logit i is that of `row_actions[:, i]`. What else is known of the actions is added as `more`, `(k, hidden)`,
        for the k rows that are there, one observation after another.
        """
        summary = self.summary(vector.float().log1p())
        is_there = row_actions >= 0
        counts = is_there.sum(dim=1)
        sample, number = is_there.nonzero(as_tuple=True)
        row = rows[sample, number].float()
        seen = torch.cat([row * 0.1, row.sign() * row.abs().log1p()], dim=1)
        # the gradient of summary[sample] would be added up by all threads at once, in any order
        judged = self.judge(self.from_row(seen) + summary.index_select(0, sample) + more)
        logits = judged.new_full((len(vector), int(counts.max())), -1e8)
        logits[sample, number] = self.logit(judged).squeeze(1)
        best = torch.segment_reduce(judged, "max", lengths=counts, initial=0)
        return logits, self.value(torch.cat([summary, best], dim=1)).squeeze(1)
