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
	note := filepath.Join(dataDir, "lambda-endpoint")
	if err := os.WriteFile(note, []byte(url+"\n"), 0o600); err != nil {
		return "", nil, errors.Join(fmt.Errorf("note Lambda's address: %w", err), closeServer())
	}
	return url, func() error { return errors.Join(closeServer(), os.Remove(note)) }, nil
}
