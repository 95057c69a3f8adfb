# The TypeScript client's rules; the main Makefile includes them.
CLIENT_TYPESCRIPT_STAMP := clients/typescript/node_modules/.installed

.PHONY: clients-typescript
clients-typescript: $(CLIENT_TYPESCRIPT_STAMP)
	@node clients/typescript/generate.mjs

# The stack is at AVISO_BASE_URL, and its partner in AVISO_CLIENT_ID and AVISO_CLIENT_SECRET.
.PHONY: clients-test-typescript
clients-test-typescript: $(CLIENT_TYPESCRIPT_STAMP)
	@cd clients/typescript && npm run --silent build && npm run --silent test && npm run --silent test:stack

# Writes the package, and checks that every runtime and compiler finds what is in it.
.PHONY: clients-pack-typescript
clients-pack-typescript: $(CLIENT_TYPESCRIPT_STAMP)
	@rm -rf .build/clients/typescript && mkdir -p .build/clients/typescript
	@cd clients/typescript && npm pack --silent --pack-destination ../../.build/clients/typescript
	@cd clients/typescript && npm run --silent check-package ../../.build/clients/typescript/*.tgz

$(CLIENT_TYPESCRIPT_STAMP): clients/typescript/package-lock.json
	@.ci/need node
	@.ci/quietly "Installing the TypeScript client's tools from npm (once, a few seconds)" \
		npm ci --prefix $(<D) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
