"""Installs Chromium by apt-get for the tests of pages, where there is no browser and that can be done.

It needs nothing besides Python, so that it can be done while packages are installed.
"""

import os
import shutil
import subprocess

SHELL = "chromium-headless-shell"  # Chromium without windows, which takes half the time to open a page
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser():
    """Return the path of a browser, None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def install_browser():
    """Install Chromium where there is no browser; return in one line why there is none after that, None if there is."""
    if find_browser():
        return None
    if shutil.which("apt-get") is None:
        return "there is no apt-get"
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    may_become = [] if is_root else ["sudo", "-n"]
    if not is_root and not (shutil.which("sudo") and _succeeds(["sudo", "-n", "true"])):
        return "apt-get needs root, or sudo without a password"
    install = [*may_become, "apt-get", "-qq", "install", "-y", "--no-install-recommends"]
    updated = _succeeds([*may_become, "apt-get", "-qq", "update"])
    if not (updated and any(_succeeds([*install, name]) for name in (SHELL, "chromium")) and find_browser()):
        return "apt-get could not install chromium"
    return None


def _succeeds(command):
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return (
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    )


if __name__ == "__main__":
    why = install_browser()
    if why:
        print(f"tests of pages are skipped: no browser is installed ({', '.join(NAMES)}), and {why}")
