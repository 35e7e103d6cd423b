# make demo    show a game, train a small player, and let it play the others; six to seven minutes on two cores
# make test    check style and types, and run the tests; about eight minutes on two cores
# make check   the quick part of that, for every day; about a minute
# make lint    check style and types alone
# make bench-check   measure these sources and the last release in turns, and fail where anything is 10 % slower
#                    BASE=COMMIT names another commit to measure against
# make test-oldest   run the compiled tests with the oldest versions of other packages that pyproject.toml allows;
#                    about a quarter of an hour
# make proof   prove the rules at length: all rulesets, thousands of games against a second engine; hours
# make browser install Chromium by apt-get, where there is no browser; test and proof do so themselves
# make docs    build the site of the docs into build/docs; fails where a link leads nowhere
# make release build wheel and source archive into dist/, try both in environments of their own, say what to do next
# make clean   remove what the others made

PYTHON ?= python3

DEMO_DIR := runs/demo
DEMO_WARMUP := zamek --parts games environments agents
DEMO_SHOW := --agents value greedy --seed 7 --svg $(DEMO_DIR)/game.svg --overwrite
DEMO_TRAIN := --minutes 2.5 --imitate 1000000 --seed 0 --out $(DEMO_DIR) --overwrite
DEMO_EVALUATE := --agents random greedy ppo:$(DEMO_DIR)/weights.npz --games 100

VENV := .venv
RUN := $(VENV)/bin/python
CONSTRAINTS := constraints.txt
PINNED := --disable-pip-version-check --constraint $(CONSTRAINTS)
OLDEST := build/oldest

.PHONY: demo test check lint bench-check test-oldest proof ready browser docs release clean
.DELETE_ON_ERROR:

demo: $(VENV)/installed-train
	$(VENV)/bin/zamek warmup $(DEMO_WARMUP)
	$(VENV)/bin/zamek show $(DEMO_SHOW)
	$(VENV)/bin/zamek train $(DEMO_TRAIN)
	$(VENV)/bin/zamek evaluate $(DEMO_EVALUATE)

test: ready
	$(RUN) -m tools.run_tests compiled lint plain

check: $(VENV)/installed-test
	$(RUN) -m tools.run_tests quick lint

lint: $(VENV)/installed-test
	$(RUN) -m tools.run_tests lint

bench-check: $(VENV)/installed-train
	$(RUN) benchmarks/check.py $(if $(BASE),--base $(BASE))

# Warnings are of what has become old since, so they are no failures here.
test-oldest:
	mkdir -p build
	$(PYTHON) tools/oldest_versions.py > $(OLDEST).txt
	$(MAKE) VENV=$(OLDEST) CONSTRAINTS=$(OLDEST).txt ready
	PYTEST_ADDOPTS='-W default' NUMBA_CACHE_DIR=$(CURDIR)/$(OLDEST)/compiled $(OLDEST)/bin/python -m tools.run_tests compiled

proof: ready
	$(RUN) -m tools.proof

ready:
	@$(MAKE) --jobs 2 $(VENV)/installed-test browser  # which both wait for the network most of the time

# Tests of pages are run in a browser, or skipped.
browser:
	$(PYTHON) tools/install_browser.py

docs: $(VENV)/installed-docs
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict

release: $(VENV)/installed-test
	$(RUN) -m tools.release

clean:
	rm -rf $(VENV) $(DEMO_DIR) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache .mypy_cache
	find zamek_env agents scripts tests tools benchmarks docs examples -name __pycache__ -type d -prune -exec rm -rf {} +

# What is installed: the extras named after "installed-", in the tested versions.
$(VENV)/installed-train: EXTRAS := train,play,bench
$(VENV)/installed-test: EXTRAS := all,test
$(VENV)/installed-test: HOW := --no-compile  # a module is compiled when it is first imported; most never are
$(VENV)/installed-docs: EXTRAS := docs
$(VENV)/installed-%: pyproject.toml $(CONSTRAINTS)
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON): install Python 3.11 to 3.14, or name one by: make PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' || { echo "$(PYTHON) is $$($(PYTHON) --version 2>&1): Python 3.11 to 3.14 is needed; name one by: make PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { echo "$(PYTHON) cannot make environments: install its modules venv and ensurepip (on Debian and Ubuntu the package python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install $(PINNED) pip  # one that comes with an older Python takes twice as long to find what fits together
	$(RUN) -m pip install $(PINNED) $(HOW) --editable '.[$(EXTRAS)]'
	@touch $@
