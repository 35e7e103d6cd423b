#!/usr/bin/env bash
# A good guess: `sparse_categorical_crossentropy` of tinygrad has `ignore_index=-1` by default, so steps whose action is
# -1, as padding has, count nothing: the loss is the mean over the others, as in PyTorch with `ignore_index=-1`.
#
# What happens: -1 is the one label that it does not ignore. The steps count in the mean with a loss of 0: where half of
# a batch is padding, loss and gradient are half as large, and the learning rate falls as games are shorter. With
# `label_smoothing` they have a gradient of their own, towards equal chances. To pass `ignore_index=-1` changes nothing;
# of any other number, such as -2, all is as one expects, and so it is in `nll_loss` for -1 too.
#
# numpy 2.4.6, tinygrad 0.14.0 on its device PYTHON; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 tinygrad==0.14.0
DEV=PYTHON CACHEDB="$folder/cache.db" "$folder/venv/bin/python" - <<'PYTHON'
from tinygrad import Tensor

LOGITS = [0.0, 1.0, 2.0]


def lose(*actions, **options):
    """Return the loss of the actions, all with the same logits."""
    loss = Tensor([LOGITS] * len(actions)).sparse_categorical_crossentropy(Tensor(actions), **options)
    return round(loss.item(), 4)


whole = lose(2)
padded = {"default": lose(2, -1), "-1": lose(2, -1, ignore_index=-1), "-2": lose(2, -2, ignore_index=-2)}
by_nll = Tensor([LOGITS] * 2).log_softmax().nll_loss(Tensor([2, -1]), ignore_index=-1).item()
logits = Tensor([LOGITS] * 2)
smoothed = logits.sparse_categorical_crossentropy(Tensor([2, -1]), label_smoothing=0.3)
of_padding = smoothed.gradient(logits)[0].numpy()[1]
print("loss of one step:", whole, "with one of padding, by ignore_index:", padded, "by nll_loss:", round(by_nll, 4))
print("gradient of padding with smoothed labels:", of_padding)
assert padded["default"] == padded["-1"] == round(whole / 2, 4)
assert padded["-2"] == whole == round(by_nll, 4)
assert abs(of_padding).max() > 0.01
PYTHON
