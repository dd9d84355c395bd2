# Every target is one command of scripts/dev.py, which also works alone: python3 scripts/dev.py help
PYTHON ?= python3
DEV := $(PYTHON) scripts/dev.py

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all check lint format type console-types console-format proto proto-check words lock bench bench-quick conversations real-model chaos fuzz clean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: ## make .venv with all that development needs
	@$(DEV) setup

run: ## start the services and talk with the assessment script (no key needed)
	@$(DEV) run $(ARGS)

test: ## run the tests, in about nine minutes (ARGS="tests/unit -x" for some)
	@$(DEV) test $(ARGS)

test-all: ## run all tests, those too that repeat a rule at greater length
	@$(DEV) test-all $(ARGS)

check: ## all that must be clean: lint, type, layers, console-types, proto-check
	@$(DEV) check

lint: ## ruff and the import layers
	@$(DEV) lint

format: ## rewrite code and protos in the project's style
	@$(DEV) format

type: ## mypy --strict
	@$(DEV) type

console-types: ## the types of the console's modules (needs npm)
	@$(DEV) console-types

console-format: ## rewrite the styles of the console, and its modules without templates (needs npm)
	@$(DEV) console-format

proto: ## generate heartrule/v1 from protos/
	@$(DEV) proto

proto-check: ## protos: lint, format, nothing broken, generated code fresh
	@$(DEV) proto-check

words: ## compile the catalogues of heartrule/words after a change
	@$(DEV) words

lock: ## write the three locks anew
	@$(DEV) lock

bench: ## all goals of speed, about twenty minutes on two cores (ARGS="--only paced")
	@$(DEV) bench $(ARGS)

bench-quick: ## fewer rows and blocks in a few minutes, rough
	@$(DEV) bench-quick $(ARGS)

conversations: ## play clients against scripted models, and count what goes wrong (ARGS="--seed 2 --by persona")
	@$(DEV) conversations $(ARGS)

real-model: ## the same clients with the provider of your settings (ARGS="--scripts greeting --personas long")
	@$(DEV) real-model $(ARGS)

chaos: ## kill, stop and cut off real processes, and check what they left (ARGS="--quick --seed 7")
	@$(DEV) chaos $(ARGS)

fuzz: ## try requests, scripts and replies nobody thought of (ARGS="--examples 1000 --parts rpcs")
	@$(DEV) fuzz $(ARGS)

clean: ## remove .venv, caches and builds; conversations in .heartrule stay
	@$(DEV) clean
