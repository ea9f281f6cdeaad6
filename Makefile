# Two commands: `make run` opens the chat, `make test` passes the tests. Both set everything up.

PYTHON ?= python3

# What was compiled is kept, also where the machine would not: most targets start many processes.
export PYTHONDONTWRITEBYTECODE =

VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run serve size receipts test cases faults apart searches package recorded cover browser looks long notebooks clients check docs model crash sim mutants strangers bench context evals tau tau-smoke tau-chaos tau-chaos-all live fuzz production load rivals merchants notify scale ranges lock clean

run: $(VENV)/.run ## set up and open the chat
	@trap : INT; $(BIN)/daybook chat || test $$? -eq 130 # Ctrl-C is no error of make's

serve: $(VENV)/.dev ## set up and serve the graph: API, console and Studio
	@$(BIN)/daybook serve

test: $(VENV)/.dev ## set up and pass the tests; says what it left to which other target
	$(BIN)/python -m pytest --durations=20 $(PARALLEL) $(TESTS)
	@echo "Left: what is killed and what others do wrongly to \`make faults\`," \
		"commands, servers and notebooks to \`make apart\`, the console in a browser to" \
		"\`make browser\`, others' clients (npm) to \`make clients\`, recorded runs to \`make recorded\`," \
		"searches of the protocol to \`make searches\`," \
		"more of the same to \`make long\`."

cover: $(VENV)/.dev ## the same, and which lines no test reaches
	$(BIN)/python -m pytest --cov --cov-report=term:skip-covered $(PARALLEL) $(TESTS) $(FAULTS)

faults: $(VENV)/.dev ## what is killed, breaks off or is done wrongly by services, merchants and MCP servers
	$(BIN)/python -m pytest --durations=20 $(PARALLEL) $(FAULTS)

apart: $(VENV)/.dev ## commands, servers and notebooks: true processes, which take their time
	$(BIN)/python -m pytest $(PARALLEL) tests/apart \
		--ignore tests/apart/console --ignore tests/apart/clients --ignore tests/apart/recorded

cases: $(VENV)/.dev ## small inputs that broke promises in agents and databases of other people
	$(BIN)/python -m pytest $(PARALLEL) tests/cases

searches: $(VENV)/.dev ## search the model of the protocol whole, and see that each rule of it is missed
	$(BIN)/python -m pytest --numprocesses $(PROCESSES) --dist worksteal tests/model

recorded: $(VENV)/.dev ## the tests of what real models did on tau-bench retail, whose recordings you have
	$(BIN)/python -m pytest $(PARALLEL) tests/apart/recorded

browser: $(VENV)/.docs ## install Debian's Chromium, and use the console and the search of the site with it
	test -x /usr/bin/chromium || apt-get install -y --no-install-recommends chromium fonts-liberation
	$(BIN)/python -m pytest tests/apart/console

looks: $(VENV)/.dev ## take pictures of every page of the console into .screenshots/, and check them with axe; DOCS=1 copies two to docs/images/
	test -x /usr/bin/chromium || apt-get install -y --no-install-recommends chromium fonts-liberation
	$(BIN)/python -m pytest tests/apart/console/test_appearance.py
	$(if $(DOCS),cp .screenshots/inbox-approval-1280-light.png docs/images/inbox.png)
	$(if $(DOCS),cp .screenshots/ledger-1280-light.png docs/images/timeline.png)

long: $(VENV)/.dev ## the whole of what the tests take a part of
	$(BIN)/python -m pytest -m "" --hypothesis-profile long $(PARALLEL) $(TESTS) $(FAULTS) tests/model tests/apart --ignore tests/apart/clients

# Three processes on two cores: some tests wait for another process. In this order: what takes long
# first, and last the many short files, so that all three end together.
PROCESSES ?= 3
PARALLEL := --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder
TESTS := tests/integration tests/past tests/ledger tests/contract tests/shop tests/property tests/unit
FAULTS := tests/sim tests/real tests/merchants tests/cases tests/mcp tests/faults

notebooks: $(VENV)/.dev ## open the notebooks in JupyterLab: right-click one, Open With, Notebook
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[notebooks]'
	@$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks

clients: $(VENV)/.dev ## use a client that is not ours in a browser: useStream (npm, Chromium)
	$(BIN)/python -m pytest -m '' tests/apart/clients

check: $(VENV)/.dev ## style, types and the directions of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports

package: $(VENV)/.dev ## build the wheel and the sdist, check them, and use the wheel in a clean environment; PYTHONS="python3.11 python3.13" for others
	@$(BIN)/python .ci/package.py $(PYTHONS)

size: $(VENV)/.dev ## lines by folder and what an adopter takes on, against their bounds and targets
	@$(BIN)/python -m evals.size

docs: $(VENV)/.docs ## write what is made from the code anew, and build the site in site/; strict
	$(BIN)/python -m docs.made
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

model: $(VENV)/.dev ## search the protocol whole, with larger bounds than the tests
	$(BIN)/python -m evals.protocol --larger

crash: $(VENV)/.dev ## kill a purchase at every moment there is, and judge it by the shop's record; CRASH="--domain merchants" for one at merchants
	$(BIN)/python -m evals.crash $(CRASH)

sim: $(VENV)/.dev ## live LIVES=1000 days in virtual time; SEED=... replays one with a trace; SIM="--domain merchants" for days at merchants
	$(BIN)/python -m evals.sim $(SIM)

mutants: $(VENV)/.dev ## see that the simulator finds engines that lack a promise; MUTANT=... hunts one
	$(BIN)/python -m evals.sim.hunt

strangers: $(VENV)/.dev ## the same on twelve services as others write them, and on their faults
	$(BIN)/python -m tests.strangers

bench: $(VENV)/.dev .venv-rivals/.made ## milliseconds, commits and bytes a step beside create_agent, the floor, DBOS and call4agents
	$(BIN)/python -m evals.bench

context: $(VENV)/.dev ## tokens, cost, stale carts and facts kept over 200 turns, beside create_agent
	$(BIN)/python -m evals.context

receipts: $(VENV)/.dev ## hold true and false answers against the check of receipts, in four languages
	$(BIN)/python -m evals.receipts

evals: $(VENV)/.dev ## measure the step checks of `daybook grade`: recall and precision for each class of faults
	$(BIN)/python -m evals.steps

scale: $(VENV)/.dev ## what 100,000 open threads cost whoever works beside them; then storms. SCALE="--size 0 --size 1000" for less
	$(BIN)/python -m evals.scale $(SCALE)

tau: $(VENV)/.dev ## replay what real models decided on tau-bench retail: 2,032 runs; goes on where it ended
	$(BIN)/python -m evals.tau_retail replay

tau-smoke: $(VENV)/.dev ## the same with the 85 runs that were picked to be few
	$(BIN)/python -m evals.tau_retail replay --smoke

tau-chaos: $(VENV)/.dev ## 150 of them under SIGKILL, 8 times each: pass^k
	$(BIN)/python -m evals.tau_retail chaos
	$(BIN)/python -m evals.tau_retail chaos --in-window --trials 1

tau-chaos-all: $(VENV)/.dev ## the same with all 1,838 exact runs
	$(BIN)/python -m evals.tau_retail chaos --all

live: $(VENV)/.dev ## hold thirty written conversations with a model of yours: pass^3; LIVE="--trials 1" for less
	$(BIN)/python -m evals.live $(LIVE)

fuzz: $(VENV)/.dev ## send some thousand hostile requests and files, and judge what came of them
	$(BIN)/python -m pytest tests/apart/forgery tests/integration/test_hostile_files.py -k hostile --requests 5000

production: $(VENV)/.dev .venv-production/.made ## the tests of `langgraph dev` on several processes (Aegra, Redis, Python 3.12)
	DAYBOOK_PRODUCTION=$(CURDIR)/.venv-production/bin/python \
		$(BIN)/python -m pytest tests/apart/production tests/apart/served

load: $(VENV)/.dev .venv-production/.made ## people shop over HTTP at 1, 2 and 4 processes: percentiles, cost; LOAD=--kill kills some
	$(BIN)/python -m evals.load $(CURDIR)/.venv-production/bin/python $(LOAD)

.venv-production/.made: requirements.lock pyproject.toml
	@test -x .venv-production/bin/python || $(PRODUCTION_PYTHON) -m venv .venv-production
	@.venv-production/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@.venv-production/bin/python -m pip install --quiet --disable-pip-version-check \
		aegra-api==0.11.0 greenlet==3.5.6 jinja2==3.1.6 markdown-it-py==4.3.0
	@touch $@

# Aegra needs Python 3.12 or newer.
PRODUCTION_PYTHON ?= $(shell python3.13 -c '' 2>/dev/null && echo python3.13 || echo python3.12)

rivals: $(VENV)/.dev .venv-rivals/.made ## kill the same purchase by Daybook and by others, each in the rivals' environment
	$(BIN)/python -m evals.rivals .venv-rivals/bin/python $(RIVALS)

.venv-rivals/.made: evals/rivals/requirements.lock
	@test -x .venv-rivals/bin/python || $(PYTHON) -m venv .venv-rivals
	@.venv-rivals/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

merchants: $(VENV)/.dev ## purchases at a room of merchants, killed; then the shop's face of UCP and ours as a buyer: conformance, and kills; MERCHANTS="--only rest/ignored/calm"
	$(if $(MERCHANTS),,$(BIN)/python -m tests.merchants.room)
	@test -x .venv-merchants/bin/python || $(PYTHON) -m venv .venv-merchants
	@.venv-merchants/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r evals/merchants/requirements.lock
	$(BIN)/python -m evals.merchants .venv-merchants/bin/python $(MERCHANTS)

notify: $(VENV)/.dev ## notify of a question of the demo shop, and print what a receiver is sent
	$(BIN)/python -m evals.notify

ranges: $(VENV)/.dev ## pass the tests of the ledger with the lowest of all that pyproject.toml admits, and all with the newest
	$(BIN)/python -m pip install --quiet uv
	$(call RANGE,lowest-direct,$(CORE_EXTRAS)) $(CORE_TESTS)
	$(call RANGE,highest,dev) $(TESTS)

# Without `openai` and `server`, whose packages need newer ones of LangChain than the core does, and
# so without two tests: of the chat in a process, and of the server's code.
CORE_EXTRAS := agents,cli,embedded,encryption,mcp,merchants,metrics,otel,s3,test
CORE_TESTS := tests/contract tests/ledger tests/cases tests/integration/test_agents*.py \
	tests/integration/test_approvals*.py tests/integration/test_effects.py tests/integration/test_migrations.py \
	-k "not test_09 and not the_server_looks"

RANGE = $(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-$(1) \
	&& VIRTUAL_ENV=.venv-$(1) $(BIN)/uv pip install --quiet --resolution $(1) --editable '.[$(2)]' \
	&& .venv-$(1)/bin/python -m pytest -o filterwarnings=default $(PARALLEL)

lock: $(VENV)/.dev ## write the lock files anew from pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra dev $(LOCK_FLAGS) -o requirements-dev.lock
	$(BIN)/uv pip compile pyproject.toml --extra run -c requirements-dev.lock $(LOCK_FLAGS) -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra docs -c requirements-dev.lock $(LOCK_FLAGS) -o requirements-docs.lock
	$(BIN)/uv pip compile evals/rivals/requirements.in -c requirements-dev.lock $(LOCK_FLAGS) -o evals/rivals/requirements.lock
	$(BIN)/uv pip compile evals/merchants/requirements.in --no-deps -c requirements-dev.lock $(LOCK_FLAGS) -o evals/merchants/requirements.lock

LOCK_FLAGS := --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --no-annotate --no-strip-extras --quiet

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Daybook needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "Python has no venv here; on Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/.run: $(VENV)/.venv requirements.lock pyproject.toml
	@$(BIN)/python .ci/install.py requirements.lock
	@rm -rf *.egg-info src/*.egg-info # of before, by other names: their entry points would be found first
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@$(BIN)/python -m compileall -q src/daybook/*/ # or the first chat would, before its first prompt
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock
	@$(BIN)/python .ci/install.py requirements-dev.lock
	@touch $@

$(VENV)/.docs: $(VENV)/.dev requirements-docs.lock
	@$(BIN)/python .ci/install.py requirements-docs.lock
	@touch $@

clean: ## remove what was set up (not the data in DAYBOOK_HOME)
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis *.egg-info src/*.egg-info build .coverage
