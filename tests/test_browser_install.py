"""Chromium for the tests of pages: installed where that can be done, and in a line why not."""

import subprocess
from types import SimpleNamespace

import pytest

from tests.support import browser


@pytest.mark.parametrize(
    ("there", "root", "failing", "why", "called"),
    [
        ({"google-chrome"}, False, "", None, []),
        ({"apt-get"}, True, "", None, ["apt-get -qq update", "apt-get -qq install"]),
        (
            {"apt-get", "sudo"},
            False,
            "",
            None,
            ["sudo -n true", "sudo -n apt-get -qq update", "sudo -n apt-get -qq install"],
        ),
        (set(), True, "", "there is no apt-get", []),
        ({"apt-get"}, False, "", "apt-get needs root, or sudo without a password", []),
        ({"apt-get", "sudo"}, False, "true", "apt-get needs root, or sudo without a password", ["sudo -n true"]),
        ({"apt-get"}, True, "update", "apt-get could not install chromium", ["apt-get -qq update"]),
        ({"apt-get"}, True, browser.SHELL, None, ["apt-get -qq update", *["apt-get -qq install"] * 2]),
    ],
)
def test_chromium_is_installed_where_that_can_be_done(there, root, failing, why, called, monkeypatch):
    present, calls = set(there), []

    def run(command, **_):
        calls.append(" ".join(command))
        fails = bool(failing) and failing in command
        if "install" in command and not fails:
            present.add(command[-1])
        return SimpleNamespace(returncode=int(fails))

    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/bin/{name}" if name in present else None)
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0 if root else 1000, raising=False)
    monkeypatch.setattr(subprocess, "run", run)
    assert browser.install_browser() == why
    assert [call.partition(" -y")[0] for call in calls] == called
