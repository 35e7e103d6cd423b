"""Models as folders: saved, loaded, listed, and refused where they are not what they say."""

import errno
import json
from pathlib import Path

import numpy as np
import pytest

from zamek_agents import ValueAgent, make_agent
from zamek_agents.arena import RoundRobin
from zamek_agents.arena.store import describe
from zamek_agents.pretrained import ABOUT, FOLDER, SHIPPED, WEIGHTS, find_path, list_models, list_shipped, read_model
from zamek_agents.registry import list_named_files
from zamek_env import Game
from zamek_scripts.models import Args, main


@pytest.fixture
def folder(tmp_path):
    ValueAgent().save_pretrained(tmp_path / "mine", "zamek", strength="wins often")
    return tmp_path / "mine"


def change_about(folder, **changed):
    about = json.loads((folder / ABOUT).read_text()) | changed
    (folder / ABOUT).write_text(json.dumps(about))


def test_what_was_saved_is_loaded_again_and_plays_the_same(folder):
    model = read_model(folder)
    assert (model.agent, model.trained_for.ruleset, model.strength) == ("value", "zamek", "wins often")
    assert (folder / WEIGHTS).read_bytes() == find_path("value", "zamek").read_bytes()
    game = Game(seed=1)
    for agent in (ValueAgent.from_pretrained(folder), make_agent(f"value:{folder}")):
        assert agent.name == f"value:{folder}"
        assert agent.act(game, np.random.default_rng(0)) == ValueAgent().act(game, np.random.default_rng(0))
    again = ValueAgent.from_pretrained(folder).save_pretrained(folder.with_name("copy"))
    assert again.digest == model.digest


@pytest.mark.long
def test_a_network_is_saved_and_loaded_too(tmp_path):
    pytest.importorskip("torch")
    make_agent("ppo").save_pretrained(tmp_path / "network", "zamek")
    assert make_agent(f"ppo:{tmp_path / 'network'}").act(Game(seed=1), np.random.default_rng(0)) >= 0
    with pytest.raises(ValueError, match="agent must be one of 'value', not 'ppo'"):
        make_agent(f"value:{tmp_path / 'network'}")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"format": "zamek-model/9"}, "format must be 'zamek-model/1'"),
        ({"agent": "ppo"}, "agent must be one of 'value', not 'ppo'"),
        ({"ruleset": "carcassonne-demo"}, "ruleset must be 'zamek', as that of weights.npz, not 'carcassonne-demo'"),
        ({"sha256": "0" * 64}, "sha256 must be"),
        ({"bytes": 3}, "bytes must be"),
        ({"strength": 3}, "strength must be a text"),
        ({"command": "rm"}, "command must be"),
    ],
)
def test_what_a_model_tells_must_be_so(folder, changed, reason):
    change_about(folder, **changed)
    with pytest.raises(ValueError, match=rf"{ABOUT}: {reason}"):
        ValueAgent.from_pretrained(folder)
    with pytest.raises(ValueError, match=reason):
        make_agent(f"value:{folder}")


def test_changed_weights_are_refused(folder):
    (folder / WEIGHTS).write_bytes(find_path("value", "sokol").read_bytes())
    with pytest.raises(ValueError, match="must be 'sokol'"):
        ValueAgent.from_pretrained(folder)
    (folder / WEIGHTS).unlink()
    with pytest.raises(ValueError, match=f"{WEIGHTS} holds no weights of the agent 'value': No such file"):
        ValueAgent.from_pretrained(folder)


def test_a_path_is_no_number_and_no_empty_name():
    with pytest.raises(TypeError, match=r"^path must be a path, not 5$"):
        ValueAgent(5)
    with pytest.raises(ValueError, match=f"^'' holds no model: there is no {ABOUT}$"):
        ValueAgent("")


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ValueError, match=f"holds no model: there is no {ABOUT}$"):
        make_agent(f"value:{tmp_path}")
    (tmp_path / WEIGHTS).write_bytes(b"")
    with pytest.raises(ValueError, match=f"name .*{WEIGHTS} itself"):
        make_agent(f"value:{tmp_path}")


def test_saving_replaces_only_models_and_only_if_asked(folder, tmp_path):
    with pytest.raises(ValueError, match="holds a model; name another folder, or replace it"):
        ValueAgent().save_pretrained(folder, "sokol")
    ValueAgent().save_pretrained(folder, "sokol", overwrite=True)
    assert read_model(folder).trained_for.ruleset == "sokol"
    with pytest.raises(ValueError, match="exists and is no model"):
        ValueAgent().save_pretrained(tmp_path, "zamek", overwrite=True)
    known = ", ".join(map(repr, list_shipped("value")))
    with pytest.raises(ValueError, match=f"ruleset must be one of {known}, not None"):
        ValueAgent().save_pretrained(tmp_path / "new")
    with pytest.raises(ValueError, match="ruleset must be 'sokol', as that of the weights"):
        ValueAgent.from_pretrained(folder).save_pretrained(tmp_path / "new", "zamek")


def test_a_folder_that_cannot_be_made_is_named_as_it_was_given(tmp_path, monkeypatch):
    tmp_path.joinpath("folder").mkdir()

    def refuse(path, *_, **settings):
        if path.name.endswith(".part"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(PermissionError) as info:
        ValueAgent().save_pretrained(tmp_path / "folder" / "new", "zamek")
    assert info.value.filename == str(tmp_path / "folder" / "new")


def test_the_models_of_the_package_are_those_that_are_told_of(capsys):
    models = list_models()
    assert {model.path.stem for model in models} == SHIPPED.keys()
    assert all(model.path.stem.startswith(f"{model.agent}-{model.trained_for.ruleset}") for model in models)
    main(Args(json=True))
    listed = json.loads(capsys.readouterr().out)
    assert {entry["sha256"] for entry in listed} == {model["sha256"] for model in SHIPPED.values()}
    main(Args())
    assert "value for zamek" in capsys.readouterr().out


def test_a_changed_model_of_the_package_is_noticed(tmp_path, monkeypatch, refused):
    for path in FOLDER.glob("*.npz"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr("zamek_agents.pretrained.FOLDER", tmp_path)
    monkeypatch.setattr("zamek_agents.pretrained.FOLDER", tmp_path)
    (tmp_path / "value-sokol.npz").write_bytes((FOLDER / "value-zamek.npz").read_bytes())
    assert "value-sokol.npz is not the file that came with the package" in refused(main, Args())


def test_kept_results_follow_the_weights_of_a_model(folder):
    """Results of another model under the same name are refused, as those of another file are."""
    round_robin = RoundRobin((f"value:{folder}", "random"))
    before = describe(round_robin)["agents"]
    change_about(folder, strength="wins always")
    assert before[0] != f"value:{folder}" and describe(round_robin)["agents"] != before


def test_agents_without_a_path_name_no_model_in_the_current_folder(folder, monkeypatch):
    (folder / "agent_of_mine.py").write_text("class MyAgent:\n    def __init__(self, path=''):\n        pass\n")
    plain = ("value", "greedy", "mcts:simulations=2")
    monkeypatch.chdir(folder)
    assert describe(RoundRobin(plain))["agents"] == [*plain]
    assert [list_named_files(spec) for spec in ("agent_of_mine.py:MyAgent('')", "value")] == [[], []]
    assert list_named_files("value:.") == [Path(ABOUT), Path(WEIGHTS)]


@pytest.mark.parametrize(
    "spec",
    [
        "value:{}",
        'value:("{}")',
        'value:(path="{}")',
        "mcts:simulations=2,weights={}",
        'mcts:(weights="{}", simulations=2)',
        'mcts:("simulations=2,weights={}")',
    ],
)
def test_weights_belong_to_an_agent_however_it_is_written(folder, spec):
    path = folder / WEIGHTS
    assert list_named_files(spec.format(path)) == [path]
    assert list_named_files(spec.format(folder)) == [folder / ABOUT, path]


def test_an_agent_of_more_options_than_a_file_name_has_characters_names_no_file():
    spec = f"mcts:simulations=2,exploration=0.{'0' * 300}1"
    assert make_agent(spec).name == spec
    assert list_named_files(spec) == [] and describe(RoundRobin((spec, "random")))["agents"] == [spec, "random"]


def test_what_a_folder_says_of_its_model_cannot_steer_the_terminal(folder, capsys):
    change_about(folder, strength="strong\x1b[31m\x1b]0;title\x07\n")
    main(Args((folder,)))
    shown = capsys.readouterr().out
    assert r"strong\x1b[31m\x1b]0;title\x07\n" in shown and "\x1b" not in shown and "\x07" not in shown
