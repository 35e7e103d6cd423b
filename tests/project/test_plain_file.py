"""Files that somebody names: whoever reads one refuses pipes and devices at once, and what says two things."""

import json
import os

import pytest

from zamek_agents.analysis.reading import count_lines, read_lines
from zamek_agents.arena.round_robin import RoundRobin
from zamek_agents.arena.store import KeptResults
from zamek_agents.array_file import open_arrays
from zamek_agents.plain_file import open_plain, read_json
from zamek_scripts.playing.kept_game import read_kept
from zamek_scripts.replay import read_record
from zamek_scripts.run_folder import read_config
from zamek_scripts.train_value import Args


def read_arrays(path):
    with open_arrays(path, "weights", "zamek-value/1"):
        pass


READERS = {
    "plain": open_plain,
    "records": lambda path: list(read_lines(path)),
    "number of records": count_lines,
    "record": lambda path: read_record(path, 1),
    "arrays": read_arrays,
    "JSON": lambda path: read_json(path, "zamek-model/1", 1000),
    "arguments": lambda path: read_config(Args, path),
    "game in progress": read_kept,
}
PLAYED = {"results": lambda path: KeptResults(path, RoundRobin(("random", "random")))}  # made where there are none


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
@pytest.mark.parametrize("read", [*READERS.values(), *PLAYED.values()], ids=[*READERS, *PLAYED])
@pytest.mark.parametrize(
    "make",
    [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to("/dev/null")],
    ids=["pipe", "folder", "endless device", "empty device"],
)
def test_what_is_no_file_is_refused_before_it_is_opened(tmp_path, make, read):
    path = tmp_path / "file"
    make(path)
    with pytest.raises((OSError, ValueError), match="is not a file"):
        read(path)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
def test_what_is_not_there_is_refused(tmp_path, read):
    with pytest.raises((OSError, ValueError), match="No such file or directory"):
        read(tmp_path / "none")


def test_a_link_to_a_file_is_followed(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"what it holds")
    link.symlink_to(path)
    with open_plain(link) as file:
        assert file.read() == b"what it holds"


@pytest.mark.parametrize("read", [READERS[name] for name in ("records", "record", "JSON", "game in progress")])
def test_json_that_gives_a_field_twice_is_refused(tmp_path, read):
    path = tmp_path / "file"
    path.write_text('{"format": "zamek-model/1", "scores": [1, 2], "scores": [71, 64]}\n')
    with pytest.raises(ValueError, match="a field is given twice in format, scores, scores") as refused:
        read(path)
    assert "\n" not in str(refused.value)


def test_a_field_of_any_name_may_stand_in_two_objects(tmp_path):
    path = tmp_path / "file"
    path.write_text('{"format": "zamek-model/1", "a": {"a": 1}, "b": {"a": 2}}\n')
    assert [record for _, record in read_lines(path)] == [json.loads(path.read_text())]


@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_records_may_begin_with_the_mark_of_utf_8(tmp_path, begin):
    path = tmp_path / "file"
    path.write_text(begin + '{"é": 1}\n{"é": 2}\n', encoding="utf-8")
    assert [record for _, record in read_lines(path)] == [{"é": 1}, {"é": 2}]
    assert [read_record(path, number) for number in (1, 2)] == [*read_lines(path)]
    path.write_text(begin, encoding="utf-8")
    assert count_lines(path) == 0


def test_the_number_of_an_open_file_is_no_path(tmp_path):
    with (tmp_path / "mine").open("wb") as file:
        with pytest.raises(TypeError, match=r"path must be a path, not [0-9]+"):
            open_plain(file.fileno())
        assert not file.closed
