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
        "wins 83.3 % (66 – 93) of 60 games against greedy, 30.8 % against value",
    ),
    "value-carcassonne": (
        "49629c3f0b0cbefd1821e48c3d67288b69f18a65dee83a9a3773ea90dba82cc3",
        "wins 89.0 % (81 – 94) of 200 games against greedy",
    ),
    "value-sokol": (
        "00711b9bc0c971e2d73407fad3c7ca4156b7c2eb40ca1ad7c3baf84007fb3ab8",
        "wins 93.5 % (87 – 97) of 200 games against greedy",
    ),
    "value-zamek": (
        "ab9de9da0b26786e426f9fb2fde6e6aaa8f9adb5fa89ebcac022a4dad1617665",
        "wins 96.5 % (91 – 99) of 200 games against greedy",
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
