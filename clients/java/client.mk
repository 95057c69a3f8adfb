# The Java client's rules; the main Makefile includes them.
CLIENT_JAVA_GENERATOR := .tools/clients-java
CLIENT_JAVA_STAMP := $(CLIENT_JAVA_GENERATOR)/.installed
CLIENT_JAVA_CORE := clients/java/src/generated/java
CLIENT_JAVA_MAVEN := mvn --batch-mode --no-transfer-progress --quiet --file clients/java/pom.xml

.PHONY: clients-java
clients-java: $(CLIENT_JAVA_STAMP)
	@.ci/need java
	@rm -rf .build/clients/java && mkdir -p .build/clients/java
	@$(CLIENT_JAVA_GENERATOR)/bin/python clients/java/generator/prepare.py docs/openapi.yaml > .build/clients/java/openapi.yaml
	@.ci/quietly "Generating the core of the Java client" $(CLIENT_JAVA_GENERATOR)/bin/openapi-generator-cli generate \
		--config clients/java/generator/config.yaml --input-spec .build/clients/java/openapi.yaml \
		--skip-validate-spec --output .build/clients/java/out
	@rm -rf $(CLIENT_JAVA_CORE) && mkdir -p $(CLIENT_JAVA_CORE) && cp -R .build/clients/java/out/example $(CLIENT_JAVA_CORE)/

# The stack is at AVISO_BASE_URL. It also writes the jars, with sources and documentation.
.PHONY: clients-test-java
clients-test-java:
	@.ci/need java
	@$(CLIENT_JAVA_MAVEN) verify -DexcludedTests=none

$(CLIENT_JAVA_STAMP): clients/java/generator/requirements.txt
	@.ci/need python
	@rm -rf $(@D)
	@.ci/quietly "Installing openapi-generator from PyPI (once, a few seconds)" \
		bash -c '$(PYTHON) -m venv $(@D) && $(@D)/bin/pip install --no-deps --require-hashes -r $<'
	@touch $@
