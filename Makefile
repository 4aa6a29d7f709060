# Plateau Lab. `make run` and `make test` do all their own set-up.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PEERS  := .venv-peers
FAST   := not browser and not fault and not redis and not slow and not long

# One thread per process: small matrices gain nothing from more, and comparisons stay fair.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
# Compiled modules are kept: the tests start some hundred processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help run setup test test-fast test-long coverage mutants kernels plain-kernels check bundle vendor bench load storm promises soak reproduce screenshots docs tutorials notebook lock system-packages python-version clean

help:
	@echo "make run          install and start Plateau Lab on http://127.0.0.1:8050"
	@echo "make test         what a change can break: lint, types, import rules, tests, browser included"
	@echo "make test-fast    the tests that need no browser, no Redis and no patience"
	@echo "make test-long    everything on new random cases and many more of them, all emulated processors, storms (hours)"
	@echo "make coverage     which lines the tests run: core, components, and the browser's half (no browser needed)"
	@echo "make mutants      how many of 300 wrong changes of the core the tests notice; ARGS=\"--number 30 --seed 2\" (hours)"
	@echo "make check        ruff and mypy, and the browser's half: types, lint, tests, that the bundle is current"
	@echo "make bundle       components/player/src into assets/lab.min.js, and the Python classes of its components"
	@echo "make vendor       the slim plotly.js and the grid's styles in assets/vendor, after their versions have changed"
	@echo "make bench        speed, as ratios to what one would use instead; ARGS=peers: JAX, PyTorch, pwlf and SciPy"
	@echo "make load         many viewers on one machine while a run is going on"
	@echo "make storm        five minutes of killed web processes, workers and Redis, and thousands of bad requests"
	@echo "make promises     1,000 chains of budgets and kills on each back end, 800 interrupts, 1,000 interleavings, power cuts"
	@echo "make soak         half an hour of new runs and viewers: what grows"
	@echo "make reproduce    recompute every figure and claim of the paper"
	@echo "make screenshots  the animation of the README, from the real app"
	@echo "make lock         requirements.lock, the versions that requirements-cluster.txt comes to now"
	@echo "make docs         the site in docs-site/, which the app serves under /docs, and the drawings in docs/"
	@echo "make tutorials    the notebooks in docs/tutorials, executed anew"
	@echo "make notebook     JupyterLab on the tutorials"

run: $(VENV)/.runtime
	@$(BIN)/python app.py $(ARGS)

setup: $(VENV)/.development

# The last part waits as much as it computes: three processes keep two cores busy.
test: $(VENV)/.development system-packages
	@$(MAKE) --no-print-directory -j 3 check kernels plain-kernels
	@$(BIN)/pytest -q -n 2 --dist loadgroup -m "not long and not fault and not redis and not browser"
	@$(BIN)/pytest -q -n 3 --dist worksteal -m "not long and (fault or redis or browser)"

# Everything, with new random cases and many more of them, every emulated processor, storms and long kills.
test-long: $(VENV)/.development system-packages
	@$(MAKE) --no-print-directory -j 2 kernels plain-kernels
	@PLATEAU_HYPOTHESIS=search PLATEAU_STORM_SECONDS=300 $(BIN)/pytest -q -n 2 --dist loadgroup
	@$(MAKE) --no-print-directory bench ARGS=peers

test-fast: $(VENV)/.development kernels
	@$(BIN)/pytest -q -n 2 --dist loadgroup --ignore tests/browser --ignore tests/faults -m "$(FAST)"

# Compiled kernels cannot be traced: tests/core/test_interpreted.py runs every method interpreted, and is traced too.
coverage: $(VENV)/.development kernels
	@$(BIN)/pytest -q -n 2 --dist loadgroup --cov --cov-report= -m "not long and not fault and not redis and not browser"
	@for part in "core/*" "core/service/*" "components/*"; do echo "$$part: $$($(BIN)/coverage report --include "$$part" --format total) % of lines"; done
	@$(BIN)/coverage report --sort cover --skip-covered | tail -n +3 | head -20
	@sh .ci/front-end coverage

mutants: $(VENV)/.development
	@$(BIN)/python -m tests.mutants $(ARGS)

# Each compiled once, before the processes of the tests would each compile their own.
kernels: $(VENV)/.development
	@$(BIN)/python -m tests.kernels

plain-kernels: $(VENV)/.development
	@$(BIN)/python -m tests.kernels plain

check: $(VENV)/.development
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@sh .ci/front-end check

bundle: $(VENV)/.development
	@sh .ci/front-end bundle

vendor: $(VENV)/.development
	@sh .ci/front-end vendor

# What one compares with stands in an environment of its own: torch wants an older mpmath than the tests do.
ifeq ($(ARGS),peers)
bench: $(PEERS)/.installed
	@$(PEERS)/bin/python -m benchmarks.bench_peers
else
bench: $(VENV)/.development system-packages
	@$(BIN)/python -m benchmarks $(ARGS)
endif

load: $(VENV)/.development
	@$(BIN)/python -m benchmarks.load

storm: $(VENV)/.development system-packages
	@PLATEAU_HYPOTHESIS=search PLATEAU_STORM_SECONDS=300 $(BIN)/pytest -q -s $(addprefix tests/faults/test_,storm.py app_kills.py worker_kills.py fuzz.py routes_fuzz.py)

# The same frames however a run came about, and nothing lost when two things happen at once: all cases.
promises: $(VENV)/.development system-packages kernels
	@PLATEAU_HYPOTHESIS=search $(BIN)/pytest -q -n 2 --durations=5 $(addprefix tests/,core/run/test_history.py core/test_interrupts.py $(addprefix service/test_,history.py interleavings.py power_cuts.py) faults/test_two_servers.py)

soak: $(VENV)/.development
	@$(BIN)/python -m benchmarks.soak $(ARGS)

reproduce: $(VENV)/.development system-packages
	@$(BIN)/python -m reproduction

screenshots: $(VENV)/.development system-packages
	@$(BIN)/python -m benchmarks.screenshots

docs: $(VENV)/.development
	@$(BIN)/python -m tests.architecture
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

tutorials: $(VENV)/.development system-packages
	@$(BIN)/python docs/tutorials/execute.py

notebook: $(VENV)/.development
	@$(BIN)/pip install --quiet --disable-pip-version-check "jupyterlab>=4.4,<5"
	@PYTHONPATH=$(CURDIR) $(BIN)/jupyter lab docs/tutorials

lock: $(VENV)/.development
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-annotate --custom-compile-command "make lock" --output-file requirements.lock requirements-cluster.txt

system-packages:
	@sh .ci/system-packages

python-version:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Plateau Lab needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11")'

$(VENV)/bin/python: | python-version
	@$(PYTHON) -m venv $(VENV) || { echo "The venv module is missing: on Debian and Ubuntu, install python3-venv."; exit 1; }

$(VENV)/.runtime: requirements.txt | $(VENV)/bin/python
	@echo "Installing what Plateau Lab needs (once) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.development: requirements.txt requirements-cluster.txt requirements-dev.txt | $(VENV)/bin/python
	@echo "Installing what the tests need (once) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.runtime

$(PEERS)/.installed: requirements.txt requirements-peers.txt | python-version
	@$(PYTHON) -m venv $(PEERS)
	@echo "Installing what is compared (once) ..."
	@$(PEERS)/bin/pip install --quiet --disable-pip-version-check -r requirements-peers.txt
	@touch $@

clean:
	rm -rf $(VENV) $(PEERS) .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf core/__pycache__/plateau-lab $${XDG_CACHE_HOME:-$$HOME/.cache}/plateau-lab
