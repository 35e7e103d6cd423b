"""Files from anywhere: nothing in them is run, nothing too large is unpacked, and what is wrong is said in one line."""

import io
import json
import pickle
import tracemalloc
import zipfile

import numpy as np
import pytest

from tests.support.array_files import Planted
from zamek_agents import array_file
from zamek_agents.array_file import ABOUT, MAX_ABOUT, open_arrays, read_number, write_arrays

FORMAT = "test/1"
NUMBERS = np.arange(6, dtype=np.float32).reshape(2, 3)


def to_bytes(array, **options):
    """Return the bytes of an array as they stand in a file."""
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def make_about(text=None):
    return to_bytes(np.array(json.dumps({"format": FORMAT}) if text is None else text))


def write_members(path, members, packing=zipfile.ZIP_DEFLATED):
    """Write a zip of these members, {name: bytes}."""
    with zipfile.ZipFile(path, "w", packing) as file:
        for name, content in members.items():
            file.writestr(name, content)


def read(path, dtype=np.float32, shape=(2, 3), **limits):
    with open_arrays(path, "numbers", FORMAT) as file:
        return file.read("numbers", dtype, shape, **limits)


@pytest.mark.parametrize("level", [0, 6, 9])
def test_what_was_written_is_read_again(tmp_path, level):
    path, turned = tmp_path / "file.npz", np.asfortranarray(NUMBERS)
    write_arrays(path, {"format": FORMAT, "games": 3}, {"numbers": NUMBERS, "turned": turned, "one": 7.5}, level)
    with open_arrays(path, "numbers", FORMAT) as file:
        assert file.about == {"format": FORMAT, "games": 3} and file.names == {"numbers", "turned", "one"}
        assert np.array_equal(file.read("numbers", np.float32, (2, 3)), NUMBERS)
        assert np.array_equal(file.read("turned", np.float32, (2, 3)), NUMBERS)
        assert file.read("one", np.float64, ()) == 7.5 and file.find_shape("numbers") == (2, 3)


def test_nothing_that_could_not_be_read_again_is_about(tmp_path):
    with pytest.raises(ValueError, match="about must be at most"):
        write_arrays(tmp_path / "file.npz", {"format": "x" * MAX_ABOUT}, {})
    with pytest.raises(ValueError, match="JSON"):
        write_arrays(tmp_path / "file.npz", {"seconds": np.nan}, {})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"shape": (3, 2)}, r"numbers must be <f4 of shape \(3, 2\), not <f4 of \(2, 3\)"),
        ({"shape": ()}, "numbers must be"),
        ({"dtype": np.float64}, "numbers must be <f8"),
        ({"most": 4.5}, "numbers must lie in -inf to 4.5, not 0 to 5"),
        ({"least": 1}, "numbers must lie in 1 to inf, not 0 to 5"),
    ],
)
def test_an_array_that_is_not_as_expected_is_refused(tmp_path, wanted, reason):
    write_arrays(tmp_path / "file.npz", {"format": FORMAT}, {"numbers": NUMBERS})
    with pytest.raises(ValueError, match=f"file.npz holds no numbers: {reason}"):
        read(tmp_path / "file.npz", **wanted)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(tmp_path, number):
    write_arrays(tmp_path / "file.npz", {"format": FORMAT}, {"numbers": np.full((2, 3), number, np.float32)})
    with pytest.raises(ValueError, match="numbers holds numbers that are not finite"):
        read(tmp_path / "file.npz")


HEADER = to_bytes(NUMBERS)
BROKEN = {
    "no array": {"numbers.npy": b"hello"},
    "empty": {"numbers.npy": b""},
    "header only": {"numbers.npy": HEADER[:128]},
    "cut": {"numbers.npy": HEADER[:-1]},
    "more than it says": {"numbers.npy": HEADER + b"\0"},
    "columns first": {"numbers.npy": to_bytes(np.asfortranarray(NUMBERS))},
    "another version": {"numbers.npy": HEADER.replace(b"\x01\x00", b"\x03\x00", 1)},
    "a program as header": {"numbers.npy": HEADER.replace(b"'<f4'", b"1+1**1")},
    "fields": {"numbers.npy": to_bytes(np.zeros((2, 3), [("a", np.float32)]))},
    "no numbers": {},
    "about is no text": {"about.npy": HEADER},
    "about is two": {"about.npy": to_bytes(np.array(["{}", "{}"]))},
    "about is no JSON": {"about.npy": make_about("hello")},
    "about is a list": {"about.npy": make_about("[1]")},
    "about is deep": {"about.npy": make_about("[" * 100_000)},
    "about has NaN": {"about.npy": make_about('{"format": "test/1", "seconds": NaN}')},
    "about has 1e999": {"about.npy": make_about('{"format": "test/1", "seconds": 1e999}')},
    "about has many digits": {"about.npy": make_about('{"format": "test/1", "seconds": ' + "9" * 5000 + "}")},
    "no format": {"about.npy": make_about("{}")},
    "another format": {"about.npy": make_about('{"format": "test/2"}')},
    "the format is a list": {"about.npy": make_about('{"format": ["test/1"]}')},
    "no about": {"about.npy": None},
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_file_of_arrays_is_refused_in_one_line(tmp_path, kind):
    path = tmp_path / "file.npz"
    good = {"about.npy": make_about()} if kind == "no numbers" else {"about.npy": make_about(), "numbers.npy": HEADER}
    members = {name: content for name, content in (good | BROKEN[kind]).items() if content is not None}
    write_members(path, members)
    with pytest.raises(ValueError, match=r"file\.npz holds no numbers: ") as refused:
        read(path)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 700


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04" + b"\0" * 50, pickle.dumps([1, 2]), HEADER])
def test_what_is_no_zip_is_refused(tmp_path, content):
    (tmp_path / "file.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"file\.npz holds no numbers: "):
        read(tmp_path / "file.npz")


def test_a_file_with_any_byte_changed_is_refused_or_read_alike(tmp_path):
    path, rng = tmp_path / "file.npz", np.random.default_rng(0)
    write_arrays(path, {"format": FORMAT}, {"numbers": NUMBERS})
    good = path.read_bytes()
    for offset in range(len(good)):
        path.write_bytes(good[:offset] + bytes([good[offset] ^ int(rng.integers(1, 256))]) + good[offset + 1 :])
        try:
            assert np.array_equal(read(path), NUMBERS)
        except ValueError as refused:
            assert "\n" not in str(refused)
    for length in range(len(good)):
        path.write_bytes(good[:length])
        with pytest.raises(ValueError, match="holds no numbers"):
            read(path)


def test_no_pickle_is_read(tmp_path):
    path, planted = tmp_path / "file.npz", Planted(tmp_path / "planted")
    objects = np.empty((2, 3), object)
    objects[:] = planted
    for members in (
        {"about.npy": make_about(), "numbers.npy": to_bytes(objects, allow_pickle=True)},
        {"about.npy": to_bytes(np.array(planted, object), allow_pickle=True), "numbers.npy": HEADER},
        {"about.npy": make_about(), "numbers.npy": pickle.dumps(planted)},
    ):
        write_members(path, members)
        with pytest.raises(ValueError, match=r"file\.npz holds no numbers"):
            read(path)
    path.write_bytes(pickle.dumps(planted))
    with pytest.raises(ValueError, match=r"file\.npz holds no numbers"):
        read(path)
    assert not planted.path.exists()


@pytest.mark.parametrize("name", ["numbers", ABOUT])
def test_a_small_file_does_not_fill_the_memory(tmp_path, name, monkeypatch):
    """Eight kilobytes that unpack to eight megabytes are not unpacked, nor what claims to be larger still."""
    monkeypatch.setattr(array_file, "MAX_ABOUT", 1_000_000)
    path, huge = tmp_path / "file.npz", np.zeros(2_000_000, np.float32)
    claims = to_bytes(np.zeros(2, np.float32)).replace(b"(2,), }" + 10 * b" ", b"(99999999999,), }")
    many = to_bytes(np.array("x" * 2_000_000)) if name == ABOUT else to_bytes(huge)
    for content in (many, claims):
        write_members(path, {"about.npy": make_about(), "numbers.npy": HEADER} | {f"{name}.npy": content})
        assert path.stat().st_size < 20_000
        tracemalloc.start()
        with pytest.raises(ValueError, match=r"file\.npz holds no numbers"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
        tracemalloc.stop()


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_packings_which_cannot_be_unpacked_bit_by_bit_are_refused(tmp_path, packing):
    write_members(tmp_path / "file.npz", {"about.npy": make_about(), "numbers.npy": HEADER}, packing)
    with pytest.raises(ValueError, match="is packed in another way than numpy's"):
        read(tmp_path / "file.npz")


@pytest.mark.parametrize("value", [None, True, "3", [3], 3.5, -1, 11])
def test_what_is_told_must_be_a_number_within_its_range(value):
    with pytest.raises(ValueError, match="games must be a whole number in 0 to 10, not"):
        read_number({"games": value}, "games", 0, 10, whole=True)
    assert read_number({"games": 3.5}, "games", 0, 10) == 3.5


@pytest.mark.filterwarnings("ignore:Duplicate name")  # which is what this is about
def test_an_array_or_a_field_given_twice_is_refused(tmp_path):
    path = tmp_path / "file.npz"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in (
            (ABOUT, make_about()),
            ("numbers", to_bytes(NUMBERS)),
            ("numbers", to_bytes(NUMBERS + 1)),
        ):
            file.writestr(f"{name}.npy", content)
    with pytest.raises(ValueError, match="holds no numbers: an array is given twice in about, numbers, numbers"):
        read(path)
    twice = to_bytes(np.array(f'{{"format": "{FORMAT}", "games": 1, "games": 2}}'))
    write_members(path, {f"{ABOUT}.npy": twice, "numbers.npy": to_bytes(NUMBERS)})
    with pytest.raises(ValueError, match="holds no numbers: a field is given twice in format, games, games"):
        read(path)
