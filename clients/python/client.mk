# The Python client's rules; the main Makefile includes them.
CLIENT_PYTHON := .tools/clients-python/bin
# Shorter lines, for the documentation site. The samples do not define their variables.
CLIENT_PYTHON_SAMPLES := ../../docs/snippets/python --line-length 88
CLIENT_PYTHON_STAMP := .tools/clients-python/.installed

.PHONY: clients-python
clients-python: $(CLIENT_PYTHON_STAMP)
	@$(CLIENT_PYTHON)/python clients/python/generate.py

# The stack is at AVISO_BASE_URL.
.PHONY: clients-test-python
clients-test-python: $(CLIENT_PYTHON_STAMP)
	@cd clients/python && PATH="$(CURDIR)/$(CLIENT_PYTHON):$$PATH" && ruff check --quiet && ruff format --quiet --check && \
		ruff check --quiet $(CLIENT_PYTHON_SAMPLES) --extend-ignore F821 && \
		ruff format --quiet --check $(CLIENT_PYTHON_SAMPLES) && mypy --no-error-summary && python -m pytest -q

# Writes the wheel and the sdist, checks them, and imports the wheel where nothing else is installed.
.PHONY: clients-pack-python
clients-pack-python: $(CLIENT_PYTHON_STAMP)
	@rm -rf .build/clients/python
	@$(CLIENT_PYTHON)/python -m build --no-isolation --outdir .build/clients/python clients/python
	@$(CLIENT_PYTHON)/twine check --strict .build/clients/python/*
	@$(PYTHON) -m venv .build/clients/python/venv
	@.build/clients/python/venv/bin/pip install --quiet .build/clients/python/*.whl
	@cd .build && clients/python/venv/bin/python -c 'import aviso; print("aviso", aviso.__version__, "imports")'

$(CLIENT_PYTHON_STAMP): clients/python/requirements.txt
	@.ci/need python
	@rm -rf $(@D)
	@.ci/quietly "Installing the Python client's tools from PyPI (once, half a minute)" \
		bash -c '$(PYTHON) -m venv $(@D) && $(@D)/bin/pip install --no-deps --require-hashes -r $<'
	@touch $@
