# Two commands: `make run` opens the chat, `make test` passes the tests. Both set everything up.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run serve test cover browser notebooks clients check docs model crash strangers bench context evals storm tau tau-smoke tau-chaos tau-chaos-all tau-live fuzz aegra ranges lock clean

run: $(VENV)/.run ## set up and open the chat
	@$(BIN)/daybook chat

serve: $(VENV)/.dev ## set up and serve the graph: API, console and Studio
	@$(BIN)/daybook serve

test: $(VENV)/.dev ## set up and run all tests; what we stand on comes first
	$(BIN)/python -m pytest $(TESTS)

cover: $(VENV)/.dev ## the same, and which lines no test reaches
	$(BIN)/python -m pytest --cov --cov-report=term:skip-covered $(TESTS)

# Three processes on two cores: many tests wait, for another process or for a deadline. In this
# order: what we stand on first, and last the many short files, so that all three end together.
TESTS := --numprocesses 3 --dist loadfile --no-loadscope-reorder \
	tests/contract tests/console tests/integration tests/notebooks tests/model tests/shop \
	tests/property tests/unit

browser: ## install Debian's Chromium, with which the tests use the console
	apt-get install -y --no-install-recommends chromium fonts-liberation

long: $(VENV)/.dev ## the whole of what `make test` takes a part of
	$(BIN)/python -m pytest -m "" --hypothesis-profile long $(TESTS)

notebooks: $(VENV)/.dev ## open the notebooks in JupyterLab: right-click one, Open With, Notebook
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[notebooks]'
	@$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks

clients: $(VENV)/.dev ## buy through a client that is not ours: useStream in a browser (npm, Chromium)
	$(BIN)/python -m pytest -rs -m '' tests/clients

check: $(VENV)/.dev ## style, types and the directions of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.docs ## write what is made from the code anew, and build the site in site/; strict
	$(BIN)/python -m docs.made
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

model: $(VENV)/.dev ## search the protocol whole, with larger bounds than the tests
	$(BIN)/python -m tests.model --larger

crash: $(VENV)/.dev ## kill a purchase at every moment there is, and judge it by the shop's record
	$(BIN)/python -m evals.crash

strangers: $(VENV)/.dev ## the same on twelve services as others write them, and on their faults
	$(BIN)/python -m tests.strangers

bench: $(VENV)/.dev ## milliseconds, commits and bytes a step, beside create_agent
	$(BIN)/python -m evals.bench

context: $(VENV)/.dev ## tokens, cost, stale carts and facts kept over 200 turns, beside create_agent
	$(BIN)/python -m evals.context

evals: $(VENV)/.dev ## grade steps of conversations, and say how well the graders find faults
	$(BIN)/python -m evals.steps

storm: $(VENV)/.dev ## kill and start workers for two minutes, with a shop that honours keys and without
	$(BIN)/python -m evals.storm
	$(BIN)/python -m evals.storm --ignore-keys

tau: $(VENV)/.dev ## replay what real models decided on tau-bench retail: 2,032 runs; goes on where it ended
	$(BIN)/python -m evals.tau_retail replay

tau-smoke: $(VENV)/.dev ## the same with the 85 runs that were picked to be few
	$(BIN)/python -m evals.tau_retail replay --smoke

tau-chaos: $(VENV)/.dev ## 150 of them under SIGKILL, 8 times each, beside create_agent: pass^k
	$(BIN)/python -m evals.tau_retail chaos
	$(BIN)/python -m evals.tau_retail chaos --in-window --trials 1

tau-chaos-all: $(VENV)/.dev ## the same with all 1,838 exact runs
	$(BIN)/python -m evals.tau_retail chaos --all

tau-live: $(VENV)/.dev ## let a model of yours solve ten of the tasks, with a model as customer
	$(BIN)/python -m evals.tau_retail live

fuzz: $(VENV)/.dev ## send the server some thousand hostile requests, and judge what came of them
	$(BIN)/python -m pytest tests/integration/forgery -k hostile --requests 5000

aegra: $(VENV)/.dev ## hold a purchase through Aegra, which gets an environment of its own
	@test -x .venv-aegra/bin/python || $(PYTHON) -m venv .venv-aegra
	@.venv-aegra/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@.venv-aegra/bin/python -m pip install --quiet --disable-pip-version-check aegra-api==0.6.0 greenlet==3.5.6
	$(BIN)/python -m evals.aegra .venv-aegra/bin/python

ranges: $(VENV)/.dev ## pass the tests with the lowest of all that pyproject.toml admits, and the newest
	$(BIN)/python -m pip install --quiet uv
	@for end in lowest-direct highest; do \
		$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-$$end && \
		VIRTUAL_ENV=.venv-$$end $(BIN)/uv pip install --quiet --resolution $$end --editable '.[dev]' && \
		.venv-$$end/bin/python -m pytest -o filterwarnings=default $(TESTS) || exit 1; \
	done

lock: $(VENV)/.dev ## write the lock files anew from pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra dev $(LOCK_FLAGS) -o requirements-dev.lock
	$(BIN)/uv pip compile pyproject.toml --extra run -c requirements-dev.lock $(LOCK_FLAGS) -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra docs -c requirements-dev.lock $(LOCK_FLAGS) -o requirements-docs.lock

LOCK_FLAGS := --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --no-annotate --quiet

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Daybook needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "Python has no venv here; on Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/.run: $(VENV)/.venv requirements.lock pyproject.toml
	@echo "Setting up (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@rm -rf daybook.egg-info # of before src/: its entry points would be found first, and name nothing
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock
	@echo "Setting up what tests and server need (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

$(VENV)/.docs: $(VENV)/.dev requirements-docs.lock
	@echo "Setting up what the documentation needs (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

clean: ## remove what was set up (not the data in DAYBOOK_HOME)
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis *.egg-info src/*.egg-info build .coverage
