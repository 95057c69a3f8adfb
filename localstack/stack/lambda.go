package stack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aviso/localstack/host"
)

// serveLambda serves the API that invokes functions, on a port apart from the
// partners', and notes its address in the data folder for as long as it runs.
func serveLambda(h *host.Host, dataDir string) (url string, closer func() error, err error) {
	url, closeServer, err := serveLocally(h.Invocations())
	if err != nil {
		return "", nil, fmt.Errorf("serve Lambda: %w", err)
	}
	forget, err := note(dataDir, "lambda-endpoint", url)
	if err != nil {
		return "", nil, errors.Join(err, closeServer())
	}
	return url, func() error { return errors.Join(closeServer(), forget()) }, nil
}

// note leaves an address in the data folder, for people and programs that come
// later; forget takes it away.
func note(dataDir, name, url string) (forget func() error, err error) {
	path := filepath.Join(dataDir, name)
	if err := os.WriteFile(path, []byte(url+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("note an address: %w", err)
	}
	return func() error { return os.Remove(path) }, nil
}
