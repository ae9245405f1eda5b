# Recloser. `make help` lists what there is; every target does its own set-up.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
ARGS ?=
.DEFAULT_GOAL := help

help:  ## show this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

demo: $(READY)  ## a pull request on a local GitHub, an agent that goes wrong, recovery (ARGS=--once ends by itself)
	@$(BIN)/recloser demo $(ARGS)

run: $(READY)  ## serve the app (see docs/settings.md)
	@$(BIN)/recloser serve $(ARGS)

test: $(READY) system lint  ## all fast tests (under 10 minutes)
	@$(BIN)/python -m pytest -m "not e2e and not chaos" -n 2 --dist loadgroup $(ARGS)

e2e: $(READY) system  ## tests that start the app as real processes
	@$(BIN)/python -m pytest -m "e2e and not chaos" -n 2 $(ARGS)

chaos: $(READY) system  ## tests that kill real processes on purpose
	@$(BIN)/python -m pytest -m chaos -n 2 $(ARGS)

lint: $(READY)  ## ruff, mypy --strict, import contracts
	@$(BIN)/ruff format --check -q . && $(BIN)/ruff check -q .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache | tail -n 3

fmt: $(READY)  ## format the code
	@$(BIN)/ruff check -q --fix-only . ; $(BIN)/ruff format -q .

bench: $(READY)  ## benchmarks, as JSON
	@for each in guardrails intake; do $(BIN)/python -m benchmarks.$$each --json; done

lock: $(READY)  ## pin the dependencies anew, with hashes and no addresses
	@deploy/lock.sh $(BIN)

system:  ## what the tests need beside Python, where it may be installed
	@deploy/system.sh

clean:  ## forget the set-up
	rm -rf .venv .recloser

$(READY): requirements/base.txt requirements/dev.txt pyproject.toml
	@deploy/setup.sh "$(PYTHON)"

.PHONY: help demo run test e2e chaos lint fmt bench lock system clean
