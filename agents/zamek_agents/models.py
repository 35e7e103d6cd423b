"""The models that come with the package: how strong they are, and which files they must be."""

from zamek_agents.pretrained import Model, describe_weights
from zamek_agents.shipped import FOLDER, TRAINERS

# Name of the file: digest (sha256), and strength. Measured by `zamek evaluate --agents AGENT greedy`, of games of tiles
# with `--seed 1`, and in docs/value.md and docs/ppo.md: pairs of games on equal deals, with 95 % intervals.
SHIPPED = {
    "ppo-carcassonne": (
        "6a4acc4cc8a73dc42ce331c146e3c49507ee499bbde33a9fcfef02c9b306b4a2",
        "wins 91.3 % (89 – 93) of 1,000 games against greedy, 60.7 % of 1,000 against value-v1",
    ),
    "ppo-castle-cards": (
        "19486364ff0381878e36ffec0ba9c01ac1263c2923061c15f49204b011aaf0a5",
        "wins 69.2 % (67 – 71) of 1,600 games against greedy",
    ),
    "ppo-sokol": (
        "3bf6df9910f1f231160991f88c8d513ae399b4d1a603d3fa736f62f096a822db",
        "wins 98.6 % (97 – 99) of 1,000 games against greedy, 65.8 % of 1,000 against value-v1",
    ),
    "ppo-zamek": (
        "045880720f2174721b81f37765378a7299e60c74a1b30e1747cc6f2ab033ea1f",
        "wins 96.0 % (94 – 97) of 1,000 games against greedy, 55.3 % of 1,000 against value-v1",
    ),
    "value-carcassonne": (
        "fd6468cabf0758b2f984f6d596f78e21c0b5257f2d62617422f550f3ea54cd3a",
        "wins 95.9 % (94 – 97) of 1,000 games against greedy",
    ),
    "value-carcassonne-3p": (
        "29370dfccd26b8177cebcdcf4e48eb04877d9b4e775e80843e451f7d20cbb569",
        "wins 81.6 % (79 – 84) of 900 games of three against two greedy",
    ),
    "value-carcassonne-demo": (
        "6f0e84bed398f7a2d1a7aae305bd2dd358ac296fe0de114d4f372c2d28d1de93",
        "wins 85.4 % (82 – 88) of 1,000 games against greedy",
    ),
    "value-carcassonne-demo-3p": (
        "8c4bfc8d4100a75351960c876d5367dad8852735c3aef054598d41c85643c67b",
        "wins 66.0 % (65 – 67) of 6,000 games of three against two greedy",
    ),
    "value-carcassonne-no-farmers": (
        "af6754e5e6383a46eee392346e02a866eeb8a2fb7560fc7f023973c25ff392e5",
        "wins 89.8 % (87 – 92) of 1,000 games against greedy",
    ),
    "value-carcassonne-no-farmers-3p": (
        "984b287ea3f7704aa421dc68c8f9008d3635ff8637d1d7a6d9afd373566fa4ea",
        "wins 77.5 % (76 – 79) of 4,500 games of three against two greedy",
    ),
    "value-sokol": (
        "a9a1e4741b9b650f0053bda4e40121c14c5efd412d321c663ca6d8c4fd26dc8f",
        "wins 99.2 % (98 – 100) of 1,000 games against greedy",
    ),
    "value-sokol-gates": (
        "5b76fa8231ee73f1237d66e50a8e17f3b8828b01b27f9c8744be5d44d3ea6f83",
        "wins 99.1 % (98 – 100) of 1,000 games against greedy",
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
    found = {path.stem: agent for agent in TRAINERS for path in sorted(FOLDER.glob(f"{agent}-*.npz"))}
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
