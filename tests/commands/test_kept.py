"""Kept results that were torn or tampered with: refused in one line that names file, line and field, and left alone."""

import gc
import json
import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.games import few
from tests.support.hostile.spoiling import nest
from tests.support.rulesets import IS_COMPILED
from zamek_agents.arena.round_robin import RoundRobin, play
from zamek_agents.arena.store import KeptResults
from zamek_env.components.box_folder import RULESETS

ROOT = Path(__file__).parents[2]
ROUND_ROBIN = RoundRobin(("random", "greedy"), with_records=True)
SIDE = ("games", 1, "sides", 0)
SPOILT = [  # where in the second line, what is written there, and what is said of it
    (("agents",), ["greedy", "random"], r"agents must be \['random', 'greedy'\], not \['greedy', 'random'\]"),
    (("agents",), "random", "agents must be"),
    (("number",), -1, "number must be a whole number from 0 to 1000000000, not -1"),
    (("number",), True, "number must be a whole number .*, not True"),
    (("number",), 1, r"deal must be \d+, which is that of pair 1 by the seed 0, not "),
    (("deal",), 5, r"deal must be \d+, which is that of pair 0 by the seed 0, not 5"),
    (("deal",), "5", "deal must be .*, not '5'"),
    (("games",), [], r"games must be a list of 2, not \[\]"),
    (("games", 0), None, r"games\[0\] must be an object with the fields sides, record, wins, not None"),
    (
        ("games", 0, "winner"),
        1,
        r"games\[0\] must be an object with the fields sides, record, wins, not \['sides'.*'winner'",
    ),
    (("games", 1, "sides"), [None], r"games\[1\]\.sides must be a list of 2, not \[None\]"),
    ((*SIDE, "points"), 10**6, r"games\[1\]\.sides\[0\]\.points must be a whole number from 0 to 32767, not 1000000"),
    ((*SIDE, "points"), 7, r"games\[1\]\.sides\[0\]\.points must be \d+, the sum of its sources, not 7"),
    ((*SIDE, "points"), False, r"points must be .*, not False"),
    ((*SIDE, "sources"), [], r"games\[1\]\.sides\[0\]\.sources must be an object"),
    ((*SIDE, "sources", "gold"), 0, r"games\[1\]\.sides\[0\]\.sources must be of .*road.*, not 'gold'"),
    ((*SIDE, "sources", "road"), -1, r"games\[1\]\.sides\[0\]\.sources\['road'\] must be a whole number"),
    ((*SIDE, "tokens_taken"), 9, r"games\[1\]\.sides\[0\] must be what the record says"),
    ((*SIDE, "tokens_taken"), True, "tokens_taken must be a whole number .*, not True"),
    ((*SIDE, "discards"), 1.5, "discards must be"),
    ((*SIDE, "decisions"), 9, r"games\[1\]\.sides must be of \d+ decisions, as in the record, not \d+"),
    ((*SIDE, "seconds"), float("nan"), "is not JSON of ours: it holds NaN"),
    ((*SIDE, "seconds"), -0.5, r"games\[1\]\.sides\[0\]\.seconds must be a number from 0 to 1000000000, not -0\.5"),
    ((*SIDE, "seconds"), None, "seconds must be"),
    (("games", 0, "record"), None, r"games\[0\]\.record must be that of a game by the rules: "),
    (("games", 0, "record"), [], r"games\[0\]\.record must be that of a game"),
    (("games", 0, "record", "ruleset"), "sokol", r"games\[0\]\.record must be "),
    (("games", 0, "record", "seed"), 3, r"games\[0\]\.record must be of a whole game of zamek, deal \d+, not "),
    (("games", 0, "record", "scores"), [1, 2], r"games\[0\]\.record must be that of a game by the rules: .*scores"),
    (("games", 0, "record", "players"), ["greedy", "random"], r"games\[0\]\.record\['players'\] must be \['random', "),
    (("games", 0, "record", "engine"), "another", r"games\[0\]\.record\['engine'\] must be 'zamek_env"),
    (("games", 0, "record", "turns", 3, "rotation"), True, r"games\[0\]\.record must be that of a game by the rules"),
    (("games", 0, "record", "note"), nest(200), r"games\[0\]\.record\['note'\] must be None"),
    (("note",), 1, "it must be an object with the fields agents, number, deal, games, not "),
]


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """The lines of two kept pairs, with records."""
    return keep(tmp_path_factory.mktemp("kept"), ROUND_ROBIN)


def keep(folder, round_robin, pairs=2):
    with KeptResults(folder / "pairs.jsonl", round_robin) as kept:
        for result in play(round_robin, pairs):
            kept.add(result)
    return (folder / "pairs.jsonl").read_bytes().splitlines(keepends=True)


def change(line, where, value):
    """Return a line with another value at that place, a path of keys and indices."""
    holder = changed = json.loads(line)
    for key in where[:-1]:
        holder = holder[key]
    holder[where[-1]] = value
    return json.dumps(changed).encode() + b"\n"


def refuse(folder, content, said, round_robin=ROUND_ROBIN):
    """Check that a file of that content is refused in one short line that matches `said`, and left as it is."""
    path = folder / "pairs.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=said) as refused:
        KeptResults(path, round_robin)
    message = str(refused.value)
    assert message.startswith(str(path)) and "\n" not in message and len(message) < 1500
    assert path.read_bytes() == content
    assert list(folder.iterdir()) == [path]


@pytest.mark.parametrize(("where", "value", "said"), SPOILT)
def test_a_changed_line_is_refused_and_its_field_is_named(tmp_path, lines, where, value, said):
    first, second, third = lines
    refuse(tmp_path, first + change(second, where, value) + third, rf"pairs\.jsonl: line 2:? .*{said}")


@pytest.mark.parametrize("number", [1, 2])
def test_a_line_changed_so_that_it_agrees_with_itself_is_refused_by_its_digest(tmp_path, number):
    played = keep(tmp_path, replace(ROUND_ROBIN, with_records=False))
    value = json.loads(played[number])
    side = value["games"][0]["sides"][1]
    side["points"] += 50
    side["sources"]["road"] = side["sources"].get("road", 0) + 50
    changed = json.dumps(value).encode() + b"\n"
    content = b"".join(changed if line_number == number else line for line_number, line in enumerate(played))
    said = f"line {number + 1} was changed after it was written: its digest is another one"
    refuse(tmp_path, content, said, replace(ROUND_ROBIN, with_records=False))


def test_a_line_without_a_digest_is_refused(tmp_path, lines):
    for number in range(2):
        value = json.loads(lines[number])
        del value["digest"]
        changed = json.dumps(value).encode() + b"\n"
        content = b"".join(changed if line_number == number else line for line_number, line in enumerate(lines))
        refuse(tmp_path, content, f"line {number + 1} was changed")


@pytest.mark.parametrize("field", ["agents", "number", "deal", "games"])
def test_a_line_without_a_field_is_refused(tmp_path, lines, field):
    value = json.loads(lines[2])
    del value[field]
    refuse(tmp_path, lines[0] + lines[1] + json.dumps(value).encode() + b"\n", "line 3: it must be an object with the")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"\xff\xfe\n", r"line 2 is not UTF-8: byte 0 is b'\\xff'"),
        (b"{]\n", "line 2 is not JSON: Expecting property name"),
        (b"\n", "line 2 is not JSON"),
        (b"\0" * 50 + b"\n", "line 2 is not JSON"),
        (b"[" * 100_000 + b"\n", "line 2 is not JSON of ours: lists or objects lie too deep"),
        (b'{"a":' * 100_000 + b"\n", "line 2 is not JSON of ours: lists or objects lie too deep"),
        (b"9" * 5000 + b"\n", "line 2 is not JSON of ours: Exceeds the limit"),
        (b"9" * 4000 + b"\n", "line 2 is not a JSON object, but 999"),
        (b'"' + b"x" * 10**7 + b'"\n', "line 2 is not a JSON object, but 'xxx"),
        (b'{"number": 0, "number": 1}\n', "line 2 is not JSON of ours: a field is given twice in number"),
        (b"\xef\xbb\xbf{}\n", "line 2 is not JSON"),
        ('{"a": 1}\u2028{"b": 2}\n'.encode(), "line 2 is not JSON: Extra data"),
    ],
)
def test_what_is_no_json_of_ours_is_refused(tmp_path, lines, line, said):
    refuse(tmp_path, lines[0] + line + lines[1], rf"pairs\.jsonl: {said}")
    refuse(tmp_path, line, r"pairs\.jsonl(: line 1 is not | holds no results)")


def test_a_line_that_stands_there_twice_is_refused(tmp_path, lines):
    refuse(tmp_path, b"".join([*lines, lines[1]]), r"line 4: number 0 of random and greedy stands there before")


def test_a_record_where_none_is_kept_is_refused(tmp_path, lines):
    round_robin = replace(ROUND_ROBIN, with_records=False)
    first, *_ = keep(tmp_path, round_robin, pairs=0)
    refuse(tmp_path, first + lines[1], r"line 2: games\[0\]\.record must be null, as no records are kept", round_robin)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("seed", False, "its seed: False, but 0 is asked for"),
        (
            "records",
            1,
            r"its records \(with_records, on the command line --records or --html\): 1, but True is asked for",
        ),
        ("note", "x", "its note: 'x', but None is asked for"),
        ("agents", ["x" * 10**6], "its agents: .*, but "),
    ],
)
def test_other_settings_are_refused_by_value_and_type(tmp_path, lines, name, value, said):
    refuse(tmp_path, change(lines[0], (name,), value) + lines[1], f"holds results of other settings: {said}")


def test_a_torn_last_line_is_forgotten_wherever_it_was_torn(tmp_path, lines):
    path = tmp_path / "pairs.jsonl"
    for end in (0, 1, 700, len(lines[2]) - 1):
        path.write_bytes(lines[0] + lines[1] + lines[2][:end])
        with KeptResults(path, ROUND_ROBIN) as kept:
            assert [number for _, number in kept.results] == [0]
        assert path.read_bytes() == lines[0] + lines[1]
    path.write_bytes(lines[0] + lines[1] + b"\0" * 4096)
    with KeptResults(path, ROUND_ROBIN) as kept:
        assert len(kept.results) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="files have no holes here")
@pytest.mark.parametrize(
    ("kept", "said"),
    [(0, "holds no results of pairs: its first line must"), (1, "line 2 is longer than"), (2, "line 3 is longer than")],
)
def test_what_is_no_line_is_refused_however_much_of_it_there_is(tmp_path, lines, kept, said):
    """A file of 200 GiB with a hole is not read to its end."""
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"".join(lines[:kept]))
    os.truncate(path, 200 * 2**30)
    with pytest.raises(ValueError, match=said):
        KeptResults(path, ROUND_ROBIN)
    assert path.stat().st_size == 200 * 2**30


def test_a_result_is_written_once_however_often_it_is_added(tmp_path):
    path = tmp_path / "pairs.jsonl"
    with KeptResults(path, ROUND_ROBIN) as kept:
        for result in 2 * list(play(ROUND_ROBIN, few(2, 1))):
            kept.add(result)
    with KeptResults(path, ROUND_ROBIN) as kept:
        assert [number for _, number in kept.results] == [*range(few(2, 1))]


@pytest.mark.skipif(not IS_COMPILED, reason="boards as plain Python remember what was asked of them")
def test_records_that_are_kept_stay_in_the_file(tmp_path):
    path = tmp_path / "pairs.jsonl"
    with KeptResults(path, ROUND_ROBIN) as kept:
        for result in play(ROUND_ROBIN, few(6, 3)):
            kept.add(result)
    KeptResults(path, ROUND_ROBIN).close()  # makes what is made once a process
    tracemalloc.start()
    try:
        with KeptResults(path, ROUND_ROBIN) as kept:
            gc.collect()
            held, _ = tracemalloc.get_traced_memory()
            assert len(kept.results) == few(6, 3)
    finally:
        tracemalloc.stop()
    assert held < path.stat().st_size  # as Python objects records take four times as much


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("with_records", [False, True])
def test_results_of_every_ruleset_come_back(tmp_path, ruleset, with_records):
    round_robin = RoundRobin(("greedy", "random"), ruleset, 5, with_records)
    with KeptResults(tmp_path / "pairs.jsonl", round_robin) as kept:
        results = list(play(round_robin, few(4, 1)))
        for result in results:
            kept.add(result)
    with KeptResults(tmp_path / "pairs.jsonl", round_robin) as kept:
        assert list(kept.results.values()) == results


# --- one process at a time, and full disks ---


@pytest.mark.long
def test_a_file_that_is_being_written_is_refused_to_others(tmp_path):
    pytest.importorskip("fcntl")
    path, round_robin = tmp_path / "pairs.jsonl", RoundRobin(("random", "random"))
    program = (
        "import sys; from zamek_agents.arena.store import KeptResults\n"
        "from zamek_agents.arena.round_robin import RoundRobin\n"
        "try: KeptResults(sys.argv[1], RoundRobin(('random', 'random')))\n"
        "except OSError as error: print(error.strerror, error.filename)\n"
        "else: print('opened')"
    )

    def open_elsewhere():
        command = [sys.executable, "-c", program, str(path)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    with KeptResults(path, round_robin):
        before = path.read_bytes()
        assert open_elsewhere() == f"another process is writing it {path}"
        assert path.read_bytes() == before
    assert open_elsewhere() == "opened"


def test_a_disk_that_is_full_leaves_whole_lines_only(tmp_path):
    """A limit on the size of files stands for it."""
    resource = pytest.importorskip("resource")
    path, round_robin = tmp_path / "pairs.jsonl", RoundRobin(("random", "random"))
    results, limits = list(play(round_robin, 2)), resource.getrlimit(resource.RLIMIT_FSIZE)
    with KeptResults(path, round_robin) as kept:
        kept.add(results[0])
        before = path.read_bytes()
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, limits[1]))
            with pytest.raises(OSError, match="File too large") as failed:
                kept.add(results[1])
            assert failed.value.filename == str(path)
            assert path.read_bytes() == before
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        kept.add(results[1])
    with KeptResults(path, round_robin) as kept:
        assert list(kept.results.values()) == results
