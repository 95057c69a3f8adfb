// Package statefile keeps what the local stack remembers across runs: a value as
// JSON in a file.
package statefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Read reads the file at path into value, which stays as it is where there is no
// file.
func Read(path string, value any) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Write writes value beside path and renames, so that a crash leaves the old or
// the new. Nobody else may read it.
func Write(path string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	beside := path + ".new"
	if err := os.WriteFile(beside, raw, 0o600); err != nil {
		return err
	}
	return os.Rename(beside, path)
}
