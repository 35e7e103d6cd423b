"""The verdicts of `benchmarks/check.py` on rates, without measuring any."""

from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def verdict(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import verdict

    return verdict


def make_pair(verdict, before, now):
    pair = verdict.Pair()
    for rates in zip(before, now, strict=True):
        pair.add(*rates)
    return pair


@pytest.mark.parametrize(
    ("now", "is_slower"),
    [
        ([100, 100, 100], False),
        ([91, 91, 91], False),  # within the tolerance
        ([89, 89, 89], True),
        ([10, 95, 99], False),  # one round that something disturbed
        ([10, 20, 500], True),  # nor does one lucky round help
        ([200, 200, 200], False),
    ],
)
def test_it_is_slower_where_the_median_round_is(verdict, now, is_slower):
    pairs = {"steps": make_pair(verdict, [100, 100, 100], now), "others": make_pair(verdict, [1], [1])}
    assert verdict.find_slower(pairs, 0.1) == ["steps"] * is_slower


def test_what_slows_both_versions_alike_does_not_count(verdict):
    pair = make_pair(verdict, [100, 20, 50, 10], [100, 20, 50, 10])
    assert pair.ratio == 1 and not pair.is_slower(0.1)
    pair = make_pair(verdict, [100, 50, 10], [80, 40, 8])  # always by a fifth, though the machine varies tenfold
    assert pair.ratio == pytest.approx(0.8) and pair.is_slower(0.1)


def test_the_middle_half_of_the_rounds_is_told(verdict):
    assert make_pair(verdict, [1] * 5, [1, 2, 3, 4, 50]).spread == (2, 4)
    assert make_pair(verdict, [2], [3]).spread == (1.5, 1.5)


def test_each_version_is_first_as_often(verdict):
    orders = [tuple(verdict.order_of(number)) for number in range(4)]
    assert all(set(order) == {"before", "now"} for order in orders)
    assert [order[0] for order in orders].count("now") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"base": "no-such-commit"}, "--base must name a commit, not 'no-such-commit'"),
        ({"rounds": 0}, "--rounds must be 1 or more"),
        ({"tolerance": 1.0}, "--tolerance between 0 and 1"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_measured(verdict, arguments, message, capsys):
    import check

    with pytest.raises(SystemExit) as ended:
        check.main(check.Args(**arguments))
    assert ended.value.code == check.CANNOT and message in capsys.readouterr().err


class Stored:
    """A process that answers with given rates, without measuring."""

    def __init__(self, rates):
        self.rates = rates

    def measure(self, name):
        return self.rates.get(name, 100.0)

    def close(self):
        pass


@pytest.mark.parametrize(
    ("before", "now", "code", "message"),
    [
        ({}, {}, None, "compared with HEAD"),
        ({"random games, decisions": None}, {}, None, "the version before cannot do it: random games, decisions"),
        ({}, {"random games, decisions": None}, 1, "these sources fail at: random games, decisions"),
        ({}, {"one environment, steps": 80.0}, 1, "slower by more than 10%: one environment, steps"),
    ],
)
def test_what_the_exit_code_says(verdict, before, now, code, message, monkeypatch, capsys):
    import check

    measuring = iter([Stored(before), Stored(now)])
    monkeypatch.setattr(check, "Measuring", lambda *folders: next(measuring))
    monkeypatch.setattr(check, "unpack", Path)
    if code is None:
        check.main(check.Args(base="HEAD", rounds=2))
    else:
        with pytest.raises(SystemExit) as ended:
            check.main(check.Args(base="HEAD", rounds=2))
        assert ended.value.code == code
    assert message in "".join(capsys.readouterr())


def test_without_a_release_the_last_commit_is_compared_with(verdict, monkeypatch):
    import versions

    def fail(*arguments):
        raise versions.NoSuchVersionError("no names found")

    monkeypatch.setattr(versions, "_ask_git", fail)
    assert versions.find_last_release() == "HEAD"
