# The Go client's rules; the main Makefile includes them.
OAPI_CODEGEN_VERSION := v2.8.2
OAPI_CODEGEN_STAMP := .tools/oapi-codegen-$(OAPI_CODEGEN_VERSION).installed

.PHONY: clients-go
clients-go: $(OAPI_CODEGEN_STAMP)
	@cd clients/go && $(CURDIR)/.tools/bin/oapi-codegen -config generate/config.yaml -o core.gen.go ../../docs/openapi.yaml

.PHONY: clients-test-go
clients-test-go:
	@.ci/need go
	@cd clients/go && go test -shuffle=on -count=1 -timeout 5m ./...

lint: lint-client-go

.PHONY: lint-client-go
lint-client-go: $(LINT_STAMP)
	@cd clients/go && $(CURDIR)/$(GOLANGCI_LINT) run ./...

$(OAPI_CODEGEN_STAMP):
	@.ci/need go
	@rm -f .tools/oapi-codegen-*.installed
	@GOBIN=$(CURDIR)/.tools/bin .ci/quietly "Compiling oapi-codegen $(OAPI_CODEGEN_VERSION) (once, half a minute)" \
		go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$(OAPI_CODEGEN_VERSION)
	@touch $@
