# Each target installs what it needs (.ci/need). `make` lists the targets.
SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
export PYTHON
export SAM_CLI_TELEMETRY := 0

# The template's parameter Architecture. SAM does not pass it to its build targets, so
# `make build ARCHITECTURE=x86_64` sets it for both.
ARCHITECTURE ?= arm64
GOARCH_arm64 := arm64
GOARCH_x86_64 := amd64

##@ Daily

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^##@ /{printf "\n%s\n", substr($$0, 5)} /^[a-zA-Z0-9-]+:.*## /{printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Build the program and exec it, so that Ctrl-C reaches it directly: `go run` would sit
# in between. The first time, emulators and Go modules are downloaded side by side.
.PHONY: run
run: ## Run the whole service on this machine (PORT, DATA_DIR, LOG, DYNAMODB)
	@.ci/need emulators & .ci/build localstack ./localstack && wait $$!
	@exec .build/localstack

# `make run` notes its address in the data folder, so these find it at any port.
demo listen operator: export BASE_URL ?= $(or $(shell cat "$(or $(DATA_DIR),.data)/base-url" 2>/dev/null),http://localhost:3000)

.PHONY: demo
demo: ## Go through the service at BASE_URL, or of make run, step by step, and show each call
	@.ci/build demo ./localstack/demo
	@exec .build/demo

.PHONY: test
test: ## Run every test, shuffled; with the race detector where goroutines run
	@.ci/test

.PHONY: check
check: ## Run what CI runs, or some steps of it (STEPS='lint drift'; STEPS=list lists them)
	@$(if $(STEPS),.ci/check $(STEPS),.ci/run)

.PHONY: nightly
nightly: ## Run the slow checks: chaos, fuzzing, all generators, scale, reproducible builds
	@.ci/nightly

.PHONY: lint
lint: ## Run the linters and check the formatting (FIX=1 formats)
	@$(if $(FIX),.ci/need golangci-lint && .tools/bin/golangci-lint fmt,.ci/check lint)

.PHONY: aviso
aviso: ## Build the command-line tool, .build/aviso
	@.ci/need go
	@cd clients/cli && go build -o $(CURDIR)/.build/aviso .

.PHONY: listen
listen: aviso ## Receive webhook callbacks and print them (PORT, SECRET, BASE_URL, DATA_DIR, ARGS=--fail)
	@AVISO_BASE_URL="$$BASE_URL" AVISO_WEBHOOK_SECRET="$$SECRET" \
		AVISO_CLIENT_ID=sandbox AVISO_CLIENT_SECRET=sandbox-secret \
		exec .build/aviso webhooks listen --port "$${PORT:-8080}" $(ARGS)

.PHONY: letters
letters: ## Write sample letters in every locale to .build/letters
	@.ci/need go
	@go test -count=1 ./internal/cancellation/letter -run "^TestSamples$$" -args -samples "$$PWD/.build/letters"

# The local stack serves the site at /docs. With DOCS_BASE=/ it is for the root of a host.
.PHONY: docs
docs: ## Build the documentation site in .build/docs (DOCS_BASE=/docs, DOCS_ORIGIN=https://…)
	@.ci/need site
	@.ci/quietly "Building the documentation site (half a minute)" docs/site/build

.PHONY: tools
tools: ## Install all tools now instead of on first use
	@.ci/need go node cc chromium pdftotext openssl java emulators receivers sam golangci-lint vale moto schemathesis openapi oasdiff site verapdf clients

##@ sam local and LocalStack (need Docker)

# Compose, until it is ready.
.PHONY: localstack
localstack: ## Start LocalStack with the tables, queues and secrets of template.yaml, and the workers (LOCALSTACK_PORT; DOWN=1 deletes it)
	@.ci/need docker compose
	@docker compose -f localstack/compose.yaml $(if $(DOWN),rm --stop --force --volumes localstack workers,up --build --detach --wait)

# The containers use this machine's processor architecture, whatever is deployed.
HOST_ARCHITECTURE := $(if $(filter arm64 aarch64,$(shell uname -m)),arm64,x86_64)

.PHONY: sam-local
sam-local: ## Serve the API with sam local start-api, beside make localstack (PORT, SAM_ARGS)
	@.ci/need docker
	@$(MAKE) --no-print-directory build ARCHITECTURE=$(HOST_ARCHITECTURE)
	@exec .tools/venv/bin/sam local start-api --port $(or $(PORT),3000) --parameter-overrides \
		"Environment=local BaseUrl=http://localhost:$(or $(PORT),3000) Architecture=$(HOST_ARCHITECTURE)" $(SAM_ARGS)

##@ Measure

.PHONY: eval
eval: ## Measure how often transactions get the right category (FILE=labelled.csv)
	@.ci/need go
	@go test -count 1 -v -run TestEvaluate ./internal/pfm/enrich $(if $(FILE),-set '$(abspath $(FILE))')

# docs/performance.md explains the measurements. ONLY names some of the parts. For load,
# BASE_URL is a stack that runs already.
BENCH_PARTS := $(or $(ONLY),functions webhooks load)

.PHONY: bench
bench: ## Measure and update docs/performance.md (ONLY='functions webhooks load', BASE_URL; Linux; 20 minutes, webhooks 11)
	@.ci/need go valgrind emulators $(if $(filter load,$(BENCH_PARTS)),k6)
	@$(if $(filter functions,$(BENCH_PARTS)),go run ./bench measure)
	@$(if $(filter webhooks,$(BENCH_PARTS)),mkdir -p .build && \
		TABLE=$(CURDIR)/.build/webhooks.md go test -timeout 20m -run xxx -bench . -benchtime 1x ./localstack/tests/webhookbench && \
		go run ./bench figures webhooks .build/webhooks.md)
	@$(if $(filter load,$(BENCH_PARTS)),.ci/build localstack ./localstack && \
		bench/load/run && go run ./bench figures load .build/load/tables.md)

# docs/scale.md explains the model; bench/scale/inputs.go is what it is told, bench/prices.json
# has the prices.
.PHONY: scale
scale: ## Simulate a day on AWS with up to 10 million users, compute a month's cost, update the pages and check the bounds
	@.ci/need go
	@go run ./bench/scale
	@go run ./bench/cost

# The program reads MINUTES and SEED from the environment. With a C compiler, the stack has the
# race detector, and a data race ends it.
.PHONY: chaos
chaos: ## Break a local stack for MINUTES and check its promises (MINUTES=2, SEED=)
	@.ci/need emulators
	@GOFLAGS=$(if $(shell command -v cc),-race) .ci/build localstack-race ./localstack
	@.ci/build chaos ./localstack/chaos
	@exec .build/chaos

##@ Generate

.PHONY: openapi
openapi: ## Write the API documents and the Postman collection from the operations in the code
	@.ci/need go openapi
	@go run ./localstack/document/openapi
	@node .ci/openapi/collection.mjs

.PHONY: clients
clients: ## Update the generated code of the clients from docs/openapi.yaml
	@for dev in clients/*/dev; do $$dev generate || exit 1; done

# The version is in brands/package.json, where Dependabot renews it.
.PHONY: rules
rules: ## Update the brands from name-suggestion-index, and print which changed category
	@.ci/need go node
	@mkdir -p .build && cd .build && npm pack --silent "name-suggestion-index@$$(node -p \
		"require('../internal/pfm/enrich/brands/package.json').dependencies['name-suggestion-index']")" | xargs tar -xzf
	@go test -count=1 -v -run '^TestWriteBrands$$' ./internal/pfm/enrich -nsi "$$PWD/.build/package/dist/json/nsi.min.json" | grep -v '^[=-]'

.PHONY: catalogue
catalogue: ## Write the starter catalogue from datenanfragen.de's records, and list what is left out (SOURCE, DATE)
	@.ci/need go
	@go run ./ops/catalogue -source '$(SOURCE)' $(if $(DATE),-date '$(DATE)')

##@ Deploy and operate

.PHONY: build
build: ## Build every function for deployment with SAM (ARCHITECTURE=arm64 or x86_64)
	@.ci/need go sam
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL ARCHITECTURE=$(ARCHITECTURE) \
		.tools/venv/bin/sam build --parameter-overrides Architecture=$(ARCHITECTURE)

# SAM calls this once per function, by its logical ID, with ARTIFACTS_DIR. BankSyncFunction is
# functions/bank-sync. The binary contains neither path nor commit, so a deployment
# leaves unchanged functions alone.
build-%:
	@folder=$$(sed -E 's/Function$$//; s/([a-z0-9])([A-Z])/\1-\2/g' <<<'$*' | tr '[:upper:]' '[:lower:]'); \
	goarch='$(GOARCH_$(ARCHITECTURE))'; \
	[ -n "$$goarch" ] || { echo "ARCHITECTURE=$(ARCHITECTURE): want arm64 or x86_64" >&2; exit 1; }; \
	CGO_ENABLED=0 GOOS=linux GOARCH=$$goarch go build -trimpath -buildvcs=false -tags lambda.norpc -ldflags '-s -w' \
		-o "$(or $(ARTIFACTS_DIR),.build/$*)/bootstrap" "./functions/$$folder"

.PHONY: deploy-rehearsal
deploy-rehearsal: ## Create, update, roll back and delete every stack on a stand-in for AWS (needs no account)
	@.ci/check rehearsal

.PHONY: preflight
preflight: ## Check that a stack can be deployed to the account (ENV=test, acceptance or production)
	@.ci/need sam
	@.tools/venv/bin/python ops/deploy.py $(ENV) --check

# Deploy only commits to acceptance and production, so that the same binaries can be
# built again.
.PHONY: deploy
deploy: ## Build and deploy a stack (ENV=test, acceptance or production; AT_ONCE=yes without a canary)
	@case '$(ENV)' in test*) ;; \
	acceptance*|production*) [ -z "$$(git status --porcelain)" ] || { echo "There are uncommitted changes." >&2; exit 1; } ;; \
	*) echo "ENV=$(ENV): want test, acceptance or production" >&2; exit 1 ;; esac
	@$(MAKE) --no-print-directory preflight build
	@.tools/venv/bin/python ops/deploy.py $(ENV) $(if $(AT_ONCE),--at-once)

.PHONY: restore
restore: ## Restore tables: a drill, a lost table, or rows (ARGS='drill production'; ARGS=-h)
	@.ci/need sam
	@.tools/venv/bin/python ops/restore.py $(ARGS)

.PHONY: smoke
smoke: ## Check a deployed stack; in production it only reads (BASE_URL, CLIENT_ID, CLIENT_SECRET, RETURN_URL)
	@.ci/build demo ./localstack/demo
	@exec .build/demo -smoke

# The program reads CMD, ARGS and FILE from the environment, where make puts variables
# from its command line. In the shell, the JSON would need quoting.
.PHONY: operator
operator: ## Run an operator command (CMD, ARGS='{…}', FILE, DATA_DIR; OPERATOR_FUNCTION for one on AWS)
	@.ci/build operator ./ops/operator
	@.build/operator

# The program reads BASE_URL from the environment, too.
.PHONY: bank-check
bank-check: ## Check a bank before users connect it (BASE_URL, ARGS='-cert qwac.pem -key qwac.key'; ARGS=-help)
	@.ci/build bankcheck ./ops/bankcheck
	@exec .build/bankcheck $(ARGS)
