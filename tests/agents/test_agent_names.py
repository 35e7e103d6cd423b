"""Agents by name: of a module, of a file, or installed by any package; what cannot be found is named."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from tests.support.games import IS_COMPILED
from tests.support.installed_agents import OURS, install, installed
from zamek_agents import make_agent
from zamek_agents.arena.reports import shorten_name
from zamek_agents.arena.round_robin import RoundRobin, play
from zamek_agents.arena.store import KeptResults
from zamek_agents.registry import AGENT_NAMES, list_untrained
from zamek_env import Game
from zamek_env.agent_names import GROUP, find_maker, make_named_agent
from zamek_env.common.extras import MissingExtraError
from zamek_env.single import ZamekEnv

SOURCE = """
class MyAgent:
    def __init__(self, depth=1, *, name=None, more=()):
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, not {depth}")
        self.given = depth, more
        if name is not None:
            self.name = name

    def act(self, game, rng):
        return game.legal_actions()[-1]

class Idle:
    pass

class Observing(MyAgent):
    def act(self, obs):
        return 0

class Ending:
    def __init__(self):
        raise SystemExit(3)

class Failing:
    def __init__(self):
        raise RuntimeError("no weights")

def find_weights():
    return open("no_weights.npz")

def find_extra():
    from zamek_env.common.extras import MissingExtraError

    raise MissingExtraError("a package is not installed")

def decide(game, rng):
    return game.legal_actions()[-1]

class Nameless:
    name = 3
    act = MyAgent.act

class Closed:
    __slots__ = ()
    act = MyAgent.act

def make(depth=2):
    return MyAgent(depth)

number = 7
"""
HOLDS_KERNEL = """
import numpy as np
from neighbour_of_mine import SHARE
from zamek_env.compiler.jit import kernel

@kernel
def pick(actions):
    return actions[actions.size // SHARE]

class MyAgent:
    def act(self, game, rng):
        return int(pick(np.array(game.legal_actions())))
"""
__all__ = ["installed"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the file `agent_of_mine.py`, from which nothing else is imported yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    known = set(sys.modules)
    (tmp_path / "agent_of_mine.py").write_text(SOURCE)
    yield tmp_path
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


# --- modules and files ---


@pytest.mark.parametrize("origin", ["agent_of_mine", "agent_of_mine.py", "{folder}/agent_of_mine.py"])
def test_a_class_of_a_module_or_a_file_is_an_agent(folder, origin):
    origin = origin.format(folder=folder)
    for call, given in (
        ("MyAgent", (1, ())),
        ("MyAgent()", (1, ())),
        ("MyAgent(depth=3)", (3, ())),
        ("MyAgent(4, more=[-1, {'a': (2.5, None)}])", (4, [-1, {"a": (2.5, None)}])),
        ("make(depth=5)", (5, ())),
    ):
        agent = make_agent(f"{origin}:{call}")
        assert agent.given == given and agent.name == f"{origin}:{call}"
        game = Game(seed=1)
        assert agent.act(game, np.random.default_rng(0)) == game.legal_actions()[-1]
    assert make_agent(f"{origin}:MyAgent(name='mine')").name == "mine"


def test_a_file_is_run_once_and_finds_its_neighbours(folder):
    (folder / "deep").mkdir()
    (folder / "deep" / "counted.py").write_text("from neighbour_of_mine import runs\nruns.append(1)\n" + SOURCE)
    (folder / "deep" / "neighbour_of_mine.py").write_text("runs = []\n")
    agents = [make_agent("deep/counted.py:MyAgent"), make_agent(f"{folder}/deep/counted.py:MyAgent")]
    assert type(agents[0]) is type(agents[1])
    assert sys.modules["neighbour_of_mine"].runs == [1]


@pytest.mark.parametrize("origin", ["deep/moving.py", "moving"])
def test_who_changes_the_current_folder_while_imported_is_found_again(folder, monkeypatch, origin):
    (folder / "deep").mkdir()
    monkeypatch.syspath_prepend(folder / "deep")
    (folder / "deep" / "moving.py").write_text("import os\n\nos.chdir(os.path.dirname(__file__))\n" + SOURCE)
    agents = [make_agent(f"{origin}:MyAgent") for _ in range(2)]
    assert type(agents[0]) is type(agents[1]) and os.getcwd() == str(folder)


def test_a_file_called_like_another_module_does_not_replace_it(folder):
    (folder / "json.py").write_text(SOURCE)
    before = sys.modules["json"]
    assert make_agent("json.py:MyAgent(depth=2)").given == (2, ())
    assert sys.modules["json"] is before


def test_a_module_of_the_current_folder_does_not_replace_an_installed_one(folder, monkeypatch):
    monkeypatch.delitem(sys.modules, "tabnanny", raising=False)  # one of Python's that nobody needs
    sys.path[:] = [entry for entry in sys.path if entry]  # by "" the current folder would come first
    (folder / "tabnanny.py").write_text(SOURCE)
    with pytest.raises(ValueError, match="there is no class 'MyAgent' in the module 'tabnanny'"):
        make_agent("tabnanny:MyAgent")


def test_a_file_that_fails_is_run_again_once_it_is_mended(folder):
    path = folder / "mended.py"
    path.write_text("1 / 0")
    with pytest.raises(ValueError, match=r"importing mended\.py failed with ZeroDivisionError: division by zero"):
        make_agent("mended.py:MyAgent")
    path.write_text(SOURCE)
    assert make_agent("mended.py:MyAgent").given == (1, ())


def test_a_long_name_keeps_its_beginning_and_more_of_its_end():
    paths = [f"ppo:runs/zamek-with-more-games-seed-{seed}/weights.npz" for seed in (1, 2)]
    labels = [shorten_name(path, 24) for path in paths]
    assert labels == ["ppo:run…ed-1/weights.npz", "ppo:run…ed-2/weights.npz"]
    assert [shorten_name("x" * length, 24) for length in (1, 24)] == ["x", "x" * 24]
    assert {len(shorten_name("x" * 300, length)) for length in (24, 32, 60)} == {24, 32, 60}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("MyAgent(breadth=3)", "got an unexpected keyword argument 'breadth'"),
        ("MyAgent(1, 2)", "too many positional arguments"),
        ("MyAgent(0)", "depth must be 1 or more, not 0"),
        ("MyAgent('deep')", "'<' not supported between instances of 'str' and 'int'"),
        ("MyAgent(name='two\\nlines')", "must be printable text that is not blank, not"),
        ("MyAgent(name='')", "must be printable text that is not blank, not ''"),
        ("MyAgent(name=' ')", "must be printable text that is not blank, not ' '"),
        ("Nameless", "must be printable text that is not blank, not 3"),
        ("Closed", "must have a name, or let it be given one"),
        ("Idle", r"must have a method act\(game, rng\)"),
        ("Observing", r"must have a method act\(game, rng\), not act\(obs\)$"),
        ("number", "must name a class, not 7"),
        ("decide", r"'game'; name a class with a method act\(game, rng\), or a function that makes an agent$"),
        ("Ending", r"making it ends the program by SystemExit\(3\)$"),
        ("Failing", ": making it failed with RuntimeError: no weights$"),
        ("Other", "there is no class 'Other' in the module 'agent_of_mine'"),
        ("", "must end with a class"),
        ("MyAgent(", "must end with a class"),
        ("MyAgent(depth)", "must end with a class"),
        ("MyAgent(depth=1 + x)", "must end with a class"),
        ("MyAgent(depth=1, depth=2)", "must end with a class"),
        ("MyAgent(**{'depth': 2})", "must end with a class"),
        ("MyAgent(*[2])", "must end with a class"),
        ("MyAgent().act", "must end with a class"),
        ("MyAgent if 1 else 2", "must end with a class"),
        ("MyAgent(" * 5000, "must end with a class"),
    ],
)
def test_what_is_no_agent_is_refused_naming_the_spec(folder, call, said):
    spec = f"agent_of_mine:{call}"
    with pytest.raises(ValueError, match=said) as refused:
        make_agent(spec)
    assert repr(spec)[:300] in str(refused.value)


@pytest.mark.parametrize(("make", "error"), [("find_weights", FileNotFoundError), ("find_extra", MissingExtraError)])
def test_what_an_agent_misses_on_this_computer_is_told_as_it_is(folder, make, error):
    with pytest.raises(error):
        make_agent(f"agent_of_mine:{make}")


def test_arguments_are_read_and_never_evaluated(folder):
    with pytest.raises(ValueError, match="must end with a class"):
        make_agent("agent_of_mine:MyAgent(open('written', 'w'))")
    assert not (folder / "written").exists()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("no_such_module:MyAgent", "there is no module 'no_such_module', neither installed nor in the current folder"),
        ("no_such.deep:MyAgent", "there is no module 'no_such'"),
        ("agent_of_mine.deep:MyAgent", "there is no module 'agent_of_mine.deep'"),
        ("broken:MyAgent", "importing broken failed with ModuleNotFoundError: No module named 'not_there'"),
        ("wrong:MyAgent", "importing wrong failed with SyntaxError"),
        ("ending:MyAgent", r"importing ending ends the program by SystemExit\(2\); put what it does when it is run un"),
        ("agent_of_mine.py:Other", r": there is no class 'Other' in the file 'agent_of_mine\.py'$"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(folder, spec, said):
    (folder / "broken.py").write_text("import not_there")
    (folder / "wrong.py").write_text("class")
    (folder / "ending.py").write_text("raise SystemExit(2)")
    with pytest.raises(ValueError, match=said) as refused:
        make_agent(spec)
    assert repr(spec) in str(refused.value)


def test_a_file_that_is_not_there_is_named(folder):
    with pytest.raises(FileNotFoundError, match=r"there is no file 'gone\.py', as 'gone\.py:MyAgent' names it"):
        make_agent("gone.py:MyAgent")


@pytest.mark.parametrize("make", [make_agent, make_named_agent])
def test_a_file_without_a_class_is_told_what_is_missing(make):
    with pytest.raises(ValueError, match=r"^the agent 'agent\.py' must end with a class, as in FILE\.py:CLASS$"):
        make("agent.py")


# --- installed agents ---


def test_the_agents_of_this_package_are_those_of_the_command_line(installed):
    assert list(OURS) == [name.partition("[")[0] for name in AGENT_NAMES if name.islower() or "[" in name]
    for name in list_untrained("zamek"):
        assert type(make_named_agent(name)) is type(make_agent(name))
        assert make_named_agent(name).name == name
    assert make_named_agent("mcts:simulations=5").options.simulations == 5
    for make_by_name in (make_named_agent, make_agent):
        assert make_by_name("mcts:(simulations=5)").options.simulations == 5


def test_another_package_offers_an_agent(folder, monkeypatch):
    install(monkeypatch, mine="agent_of_mine:MyAgent", broken="agent_of_mine:Other", gone="not_there:MyAgent")
    monkeypatch.syspath_prepend(str(folder))
    assert make_agent("mine").given == (1, ()) and make_agent("mine").name == "mine"
    assert make_agent("mine:(depth=3)").given == (3, ()) and make_agent("mine:(3)").given == (3, ())
    for spec, said in (
        ("mine:", "must have something after its colon"),
        ("mine:(breadth=1)", "unexpected keyword argument 'breadth'"),
        ("mine:(", "must end with a class"),
        ("mine:x=1", "'<' not supported between instances of 'str' and 'int'"),
        ("broken", "importing agent_of_mine failed with AttributeError"),
        ("gone", "there is no module 'not_there'"),
    ):
        with pytest.raises(ValueError, match=said) as refused:
            make_agent(spec)
        assert repr(spec) in str(refused.value)


def test_an_agent_is_found_by_the_metadata_of_its_package(folder, monkeypatch):
    """As an installer writes them; nothing is put in place of anything."""
    site = folder / "site"
    (site / "mine-1.0.dist-info").mkdir(parents=True)
    (site / "mine-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (site / "mine-1.0.dist-info" / "entry_points.txt").write_text(f"[{GROUP}]\nmine_2 = agent_of_mine:MyAgent\n")
    (folder / "agent_of_mine.py").rename(site / "agent_of_mine.py")
    monkeypatch.syspath_prepend(str(site))
    assert make_agent("mine_2:(depth=4)").given == (4, ())
    env = ZamekEnv(opponent="mine_2", seat=1)
    env.reset(seed=1)
    assert len(env.game.history) >= 2


def test_what_is_installed_or_removed_meanwhile_counts_and_nothing_is_read_twice(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match="an agent must be one of"):
        find_maker("late")
    package = tmp_path / "late-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: late\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[{GROUP}]\nlate = os:getcwd\n")
    assert find_maker("late").make is os.getcwd
    with monkeypatch.context() as patched:
        patched.setattr("zamek_env.agent_names.entry_points", None)
        assert find_maker("late").make is os.getcwd
    shutil.rmtree(package)
    with pytest.raises(ValueError, match="an agent must be one of"):
        find_maker("late")


def test_two_packages_that_offer_one_name_are_named(monkeypatch):
    first, second = (EntryPoint("twin", value, GROUP) for value in ("one:Agent", "two:Agent"))
    monkeypatch.setattr("zamek_env.agent_names._read_entries", lambda folders: [first, first])
    assert find_maker("os:getcwd").make is os.getcwd
    monkeypatch.setattr("zamek_env.agent_names._read_entries", lambda folders: [first, second])
    with pytest.raises(ValueError, match="two packages offer an agent 'twin': one:Agent and two:Agent"):
        make_agent("twin")
    assert find_maker("os:getcwd").make is os.getcwd


@pytest.mark.parametrize("spec", ["greedy", "mcts:simulations=5", "mcts:(simulations=5)"])
def test_a_package_that_offers_a_name_of_ours_is_named_wherever_agents_are_made(spec, monkeypatch):
    entries = [EntryPoint(name, value, GROUP) for name, value in (*OURS.items(), *dict.fromkeys(OURS, "x:Y").items())]
    monkeypatch.setattr("zamek_env.agent_names._read_entries", lambda folders: entries)
    for make in (make_agent, make_named_agent):
        with pytest.raises(ValueError, match=r"two packages offer an agent '\w+': x:Y and zamek_agents\."):
            make(spec)


def test_a_name_that_nobody_offers_is_refused_naming_those_that_are(installed):
    said = r"one of random, greedy, value, expectimax, mcts, ismcts, ppo, .*value-v1, .*MODULE:CLASS, .*'mine'"
    with pytest.raises(ValueError, match=said):
        make_named_agent("mine")
    for make in (make_agent, make_named_agent):
        with pytest.raises(TypeError, match="3"):
            make(3)


# --- in the arena ---


def test_an_agent_of_a_file_plays_in_other_processes_as_in_this_one(folder):
    round_robin = RoundRobin(("agent_of_mine.py:MyAgent(name='last')", "agent_of_mine:MyAgent"), "carcassonne-demo")
    alone, together = (list(play(round_robin, 2, workers)) for workers in (1, 2))
    assert alone[0].agents == ("last", "agent_of_mine:MyAgent")
    points = [
        [[side.points for game in each.games for side in game.sides] for each in run] for run in (alone, together)
    ]
    assert points[0] == points[1]


@pytest.mark.parametrize("changed", ["neighbour_of_mine.py", "agent_of_mine.py", "weights"])
@pytest.mark.long
def test_results_are_refused_once_the_agent_is_another(folder, changed):
    """Its source, a neighbour that it imports and a file that its arguments name count."""
    (folder / "agent_of_mine.py").write_text("import neighbour_of_mine\n" + SOURCE)
    (folder / "neighbour_of_mine.py").write_text("")
    (folder / "weights").write_text("old")
    spec = f"{folder}/agent_of_mine.py:MyAgent(more='weights')"
    (folder / "keep.py").write_text(
        "import sys\nfrom zamek_agents.arena.round_robin import RoundRobin\n"
        "from zamek_agents.arena.store import KeptResults\n"
        "KeptResults('pairs.jsonl', RoundRobin(('random', sys.argv[1]))).close()\n"
    )

    def keep():
        return subprocess.run([sys.executable, "keep.py", spec], capture_output=True, text=True, cwd=folder)

    assert keep().returncode == keep().returncode == 0
    before = (folder / "pairs.jsonl").read_bytes()
    with (folder / changed).open("a") as file:
        file.write("# changed\n")
    assert "pairs.jsonl holds results of other settings: its agents: [" in keep().stderr
    assert (folder / "pairs.jsonl").read_bytes() == before


def test_an_agent_that_was_typed_in_or_is_installed_has_results_too(folder, monkeypatch):
    install(monkeypatch, mine="agent_of_mine:MyAgent")
    monkeypatch.syspath_prepend(str(folder))
    round_robin = RoundRobin(("mine", "mine:(depth=2)", "agent_of_mine.py:MyAgent"))
    KeptResults(folder / "pairs.jsonl", round_robin).close()
    KeptResults(folder / "pairs.jsonl", round_robin).close()


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
@pytest.mark.long
def test_kernels_of_a_file_are_compiled_once_and_anew_when_a_neighbour_changes(folder):
    (folder / "holds_kernel.py").write_text(HOLDS_KERNEL)
    play_once = (
        "import numpy as np\nfrom zamek_agents import make_agent\nfrom zamek_env import Game\n"
        "agent, game = make_agent('holds_kernel.py:MyAgent'), Game(seed=1)\n"
        "print(game.legal_actions().index(agent.act(game, np.random.default_rng(0))), len(game.legal_actions()))\n"
    )
    (folder / "play_once.py").write_text(play_once)

    def decide(share):
        (folder / "neighbour_of_mine.py").write_text(f"SHARE = {share}{' ' * share}\n")
        done = subprocess.run([sys.executable, "play_once.py"], cwd=folder, capture_output=True, text=True, check=True)
        return tuple(map(int, done.stdout.split())), {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")}

    (chosen, among), first = decide(2)
    assert chosen == among // 2 and len(first) == 1
    assert decide(2) == ((chosen, among), first)
    (chosen, among), later = decide(3)
    assert chosen == among // 3 and later != first
