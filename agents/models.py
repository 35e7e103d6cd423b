"""The models that come with the package: how strong they are, and which files they must be."""

from zamek_agents.pretrained import Model, describe_weights
from zamek_agents.shipped import FOLDER, TRAINERS, list_shipped

# Name of the file: digest (sha256), and strength. Measured by `zamek evaluate --agents AGENT greedy --seed 1`, and in
# docs/value.md and docs/ppo.md: pairs of games on equal deals, with 95 % intervals.
SHIPPED = {
    "ppo-carcassonne": (
        "5eed3fce6e9b50a37c9a48d4b188f2232fad752d9d5932a079fbf546de67958a",
        "wins 63.7 % (57 – 70) of 400 games against greedy, 21.5 % of 100 against value-v1",
    ),
    "ppo-castle-cards": (
        "c594d8c39bd0c1c72f693ac56e018c6012ac76c87342e7490531e33439832d97",
        "wins 69.8 % (67 – 72) of 1,000 games against greedy",
    ),
    "ppo-sokol": (
        "0cf4ff939299d2ee6e324af639dd4b9bb57d043089b5a8e0748cc79b83803ce8",
        "wins 94.0 % (90 – 96) of 400 games against greedy, 41.5 % of 200 against value-v1",
    ),
    "ppo-zamek": (
        "1d6995ca0684c6ce8be1eb7c5cf05d4d6bb7b6fdbd025e07d7e1339fb53aa1dd",
        "wins 95.0 % (93 – 97) of 1,000 games against greedy, 49.8 % of 200 against value-v1",
    ),
    "value-carcassonne": (
        "fd6468cabf0758b2f984f6d596f78e21c0b5257f2d62617422f550f3ea54cd3a",
        "wins 95.9 % (94 – 97) of 1,000 games against greedy",
    ),
    "value-sokol": (
        "a9a1e4741b9b650f0053bda4e40121c14c5efd412d321c663ca6d8c4fd26dc8f",
        "wins 99.2 % (98 – 100) of 1,000 games against greedy",
    ),
    "value-zamek": (
        "006a61cb9c8b250790cbfa6b8b5e78fb9c9dcdc2e05ee1e6ef3c9ea7459c9b65",
        "wins 98.8 % (97 – 99) of 1,000 games against greedy",
    ),
}


def list_models() -> list[Model]:
    """Return the `Model`s that come with the package.

    Raises `ValueError` where a file of weights is damaged, is not the one that came with it, or is missing.
    """
    found = {f"{agent}-{ruleset}": agent for agent in TRAINERS for ruleset in list_shipped(agent)}
    if found.keys() != SHIPPED.keys():
        raise ValueError(f"{FOLDER} must hold the weights {', '.join(sorted(SHIPPED))}, not {', '.join(sorted(found))}")
    models = []
    for name, agent in found.items():
        digest, strength = SHIPPED[name]
        model = describe_weights(FOLDER / f"{name}.npz", agent, strength)
        if model.digest != digest:
            raise ValueError(f"{model.path} is not the file that came with the package: its digest is another")
        models.append(model)
    return models
