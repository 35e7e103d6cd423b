"""The models that come with the package: how strong they are, and which files they must be."""

from zamek_agents.pretrained import Model, describe_weights
from zamek_agents.shipped import FOLDER, TRAINERS, list_shipped

# Name of the file: digest (sha256), and strength. Measured by `zamek evaluate --agents AGENT greedy --seed 1`, and in
# docs/value.md and docs/ppo.md: pairs of games on equal deals, with 95 % intervals.
SHIPPED = {
    "ppo-castle-cards": (
        "c594d8c39bd0c1c72f693ac56e018c6012ac76c87342e7490531e33439832d97",
        "wins 69.8 % (67 – 72) of 1,000 games against greedy",
    ),
    "ppo-zamek": (
        "95f2ce2f5a8cf83e4c17ee02c39050542dff2f059334753136a3b14e69c5c34f",
        "wins 83.3 % (66 – 93) of 60 games against greedy, 30.8 % against value-v1",
    ),
    "value-carcassonne": (
        "a5a02b5f7cf169250f9eceb3f845ead2b725abe3139dcc572524a29e720ea129",
        "wins 92.2 % (90 – 94) of 1,000 games against greedy",
    ),
    "value-sokol": (
        "9eef23b339e0c5979f1ba7ffdbb57a36ee0e92763d88ff39bdac96950cc26a31",
        "wins 98.7 % (97 – 99) of 1,000 games against greedy",
    ),
    "value-zamek": (
        "785745b29ab27343dce13c1ed6f498219413e167d8653f7e0f9cf4ae9e759121",
        "wins 96.8 % (95 – 98) of 1,000 games against greedy",
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
