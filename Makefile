# make demo    train a small player for a few minutes, then let it play the others
# make test    run all tests, those of the core with and without compilation
# make proof   prove the rules at length: thousands of games against a second engine; about an hour and a half on two cores
# make clean   remove what the other two made

PYTHON ?= python3

DEMO_DIR := runs/demo
DEMO_TRAIN := --minutes 5 --imitate 1000000 --seed 0 --out $(DEMO_DIR) --overwrite
DEMO_EVALUATE := --agents random greedy ppo:$(DEMO_DIR)/weights.npz --games 100

VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: demo test proof clean
.DELETE_ON_ERROR:

demo: $(VENV)/installed-train
	$(RUN) scripts/train.py $(DEMO_TRAIN)
	$(RUN) scripts/evaluate.py $(DEMO_EVALUATE)

test: $(VENV)/installed-train-test
	$(RUN) -m pytest --numprocesses auto --maxprocesses 4
	$(RUN) -m tests.support.ways

proof: $(VENV)/installed-train-test
	$(RUN) -m tests.support.proof

clean:
	rm -rf $(VENV) $(DEMO_DIR) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
	find zamek_env agents scripts tests -name __pycache__ -type d -prune -exec rm -rf {} +

# What is installed for `make demo` and `make test`: the extras named after "installed-", in the tested versions.
$(VENV)/installed-train: EXTRAS := train
$(VENV)/installed-train-test: EXTRAS := train,test
$(VENV)/installed-%: pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON): install Python 3.11 or newer, or name one by: make PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is too old ($$($(PYTHON) --version 2>&1)): Python 3.11 or newer is needed; name one by: make PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { echo "$(PYTHON) cannot make environments: install its modules venv and ensurepip (on Debian and Ubuntu the package python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --disable-pip-version-check --constraint constraints.txt --editable '.[$(EXTRAS)]'
	@touch $@
