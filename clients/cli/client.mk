# The rules of the command-line tool; the main Makefile includes them. It has no core of its own: clients/go has it.
.PHONY: clients-cli
clients-cli:
	@:

.PHONY: aviso
aviso:
	@.ci/need go
	@cd clients/cli && go build -o $(CURDIR)/.build/aviso .

.PHONY: clients-test-cli
clients-test-cli:
	@.ci/need go openssl
	@cd clients/cli && go test -shuffle=on -count=1 -timeout 5m ./...

lint: lint-client-cli

.PHONY: lint-client-cli
lint-client-cli: $(LINT_STAMP)
	@cd clients/cli && $(CURDIR)/$(GOLANGCI_LINT) run ./...
